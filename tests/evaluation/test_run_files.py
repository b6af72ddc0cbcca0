"""A run file is read back whole, or refused in one sentence."""

from __future__ import annotations

import io
import zipfile
from array import array
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import karat
from karat.errors import InputError, UsageError
from karat.evaluation.run import Run
from karat.evaluation.run_container import StoredArray, decoded, encoded
from karat.evaluation.run_file import packed
from karat.evaluation.tally import Group, Tallies
from karat.model import Document, Mention
from tests.evaluation.forging import forged, members_of, resealed, sealed

TEXT = "Ada in Bern"
PERSON, PLACE = Mention("T1", ((0, 3),), ("PER",)), Mention("T2", ((7, 11),), ("LOC",))


def documents(number: int, *mentions: Mention) -> list[Document]:
    return [
        Document(f"d{index}", TEXT, list(mentions), metadata={"year": str(1900 + index % 3)}) for index in range(number)
    ]


@pytest.fixture
def run() -> Run:
    scores = karat.score("conll2003", documents(20, PERSON, PLACE), documents(20, PERSON))
    assert scores.run is not None
    return scores.run


def test_documents_and_metadata_come_back(run: Run, tmp_path: Path) -> None:
    run.save(tmp_path / "run.karat")
    loaded = karat.load(tmp_path / "run.karat")
    assert loaded == run
    assert (loaded.documents[4], loaded.metadata["year"][4]) == ("d4", "1901")


def test_numpy_reads_the_counts(run: Run, tmp_path: Path) -> None:
    run.save(tmp_path / "run.karat")
    file = np.load(tmp_path / "run.karat", allow_pickle=False)
    unit, group, counts = run.tallies.arrays()
    assert np.array_equal(file["unit"], unit)
    assert np.array_equal(file["group"], group)
    assert np.array_equal(file["counts"], counts)


def test_whole_numbers_beside_fractions_stay_whole(run: Run, tmp_path: Path) -> None:
    table = Tallies(["a", "b"], [{Group(): (0, 1, 0.5, 3, 2.0)}, {Group(): (2**40, 0.0, 1, 3, 2.0)}])
    changed = msgspec.structs.replace(run, tallies=table, documents=["a", "b"], metadata={}, words=[0, 0])
    changed.save(tmp_path / "run.karat")
    loaded = karat.load(tmp_path / "run.karat")
    assert repr(loaded.tallies) == repr(table)
    assert repr(loaded.tallies.total()[Group()]) == "(1099511627776, 1.0, 1.5, 6, 4.0)"


def test_the_same_run_is_the_same_bytes(run: Run) -> None:
    assert packed(run) == packed(run)


def test_long_metadata_are_not_kept() -> None:
    gold = [Document("d", TEXT, [PERSON], metadata={"source": "archive", "abstract": "x" * 1000})]
    scores = karat.score("conll2003", gold, gold)
    assert scores.run is not None
    assert scores.run.metadata == {"source": ["archive"]}


def test_a_thousand_units_take_a_few_bytes_each() -> None:
    scores = karat.score("conll2003", documents(1000, PERSON, PLACE), documents(1000, PERSON))
    assert scores.run is not None
    assert len(packed(scores.run)) < 10 * 1000


def test_every_cut_is_seen(run: Run, tmp_path: Path) -> None:
    data = packed(run)
    path = tmp_path / "run.karat"
    for size in range(0, len(data), 9):
        path.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"run\.karat: (is no run file|the run file is cut off|is a run file of)"):
            karat.load(path)


def test_every_damaged_byte_is_seen(run: Run, tmp_path: Path) -> None:
    data = packed(run)
    path = tmp_path / "run.karat"
    for index in range(0, len(data), 9):
        path.write_bytes(data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :])
        with pytest.raises(InputError):
            karat.load(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("groups", []),
        ("groups", [["", "", None]] * 9),
        ("groups", [["", ""]] * 3),
        ("digests", {}),
        ("protocol", 1),
        ("units", ["a"]),
        ("units", [1] * 20),
        ("units", None),
        ("documents", [None] * 20),
        ("documents", ["a"]),
        ("words", [-1] * 20),
        ("words", [1.5] * 20),
        ("words", [1] * 19),
        ("metadata", {"year": [1900] * 20}),
        ("metadata", {"year": ["1900"] * 19}),
        ("counts", ["tp", "fp", "fn"]),
        ("counts", []),
        ("layout", "1"),
        ("layout", None),
    ],
)
def test_a_head_that_lies_is_refused(run: Run, tmp_path: Path, key: str, value: Any) -> None:
    """Whoever writes such a file can also write its digest."""
    path = tmp_path / "run.karat"
    path.write_bytes(forged(packed(run), lambda head, members: (head | {key: value}, members)))
    with pytest.raises(InputError, match="not laid out as it says"):
        karat.load(path)


OBJECTS = b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': True, 'shape': (60, 5), }" + b" " * 60 + b"\n"


def npy(values: Any, dtype: str = "i8") -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array(values, dtype), allow_pickle=False)
    return stream.getvalue()


def table(value: float, *, width: int = 5) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.full((60, width), value, order="F"))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("unit", npy([-1] * 60)),
        ("unit", npy([20] * 60)),
        ("unit", npy([0, 1, 0] * 20)),
        ("unit", npy([0] * 59)),
        ("unit", npy([0.0] * 60, "f8")),
        ("unit", npy(["a"] * 60, "U1")),
        ("unit", npy([[0] * 60])),
        ("group", npy([-1, 0, 1] * 20)),
        ("group", npy([0, 0, 1] * 20)),
        ("group", npy([9, 0, 1] * 20)),
        ("counts", table(float("nan"))),
        ("counts", table(float("inf"))),
        ("counts", table(1e300)),
        ("counts", table(0.5)),
        ("counts", table(0.5, width=7)),
        ("counts", npy([1] * 300)),
        ("counts", npy([[1] * 5] * 60)),
        ("counts", OBJECTS),
        ("counts", b""),
        ("counts", b"PK"),
        ("counts", npy([1] * 3)[:-1]),
    ],
)
def test_arrays_that_lie_are_refused(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / "run.karat"
    path.write_bytes(forged(packed(run), lambda head, members: (head, members | {f"{name}.npy": content})))
    with pytest.raises(InputError, match="not laid out as it says"):
        karat.load(path)


def test_an_array_that_claims_a_terabyte_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.karat"
    content = members_of(packed(run))["unit.npy"].replace(b"(60,)", b"(999999999999,)")
    path.write_bytes(forged(packed(run), lambda head, members: (head, members | {"unit.npy": content})))
    with pytest.raises(InputError, match="another size than it says"):
        karat.load(path)


def test_an_archive_that_unpacks_to_too_much_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.karat"
    path.write_bytes(forged(packed(run), lambda head, members: (head, members | {"more.npy": bytes(10**7)})))
    monkeypatch.setenv("KARAT_MAX_UNPACKED", "1000000")
    with pytest.raises(InputError, match="too large"):
        karat.load(path)


@pytest.mark.parametrize("missing", ["unit.npy", "group.npy", "counts.npy"])
def test_an_array_that_is_missing_is_seen(run: Run, tmp_path: Path, missing: str) -> None:
    path = tmp_path / "run.karat"
    members = members_of(packed(run))
    del members[missing]
    path.write_bytes(sealed(members))
    with pytest.raises(InputError, match="not laid out as it says"):
        karat.load(path)


def test_a_member_that_is_there_twice_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.karat"
    path.write_bytes(packed(run))
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("unit.npy", npy([0] * 60))
    path.write_bytes(resealed(path.read_bytes()))
    with pytest.raises(InputError, match="there twice"):
        karat.load(path)


def test_every_forged_byte_of_the_archive_is_survived(run: Run, tmp_path: Path) -> None:
    """With the right digest a changed byte is a run or a refusal, and nothing else."""
    data = packed(run)
    path = tmp_path / "run.karat"
    for index in range(0, len(data) - 64, 7):
        path.write_bytes(resealed(data[:index] + bytes([data[index] ^ 5]) + data[index + 1 :]))
        with suppress(InputError):
            assert isinstance(karat.load(path), Run)


def test_another_layout_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.karat"
    path.write_bytes(forged(packed(run), lambda head, members: (head | {"layout": 2}, members)))
    with pytest.raises(InputError, match="layout 2; this version of Karat reads layout 1"):
        karat.load(path)


def test_a_protocol_that_is_not_installed_is_named(run: Run, tmp_path: Path) -> None:
    msgspec.structs.replace(run, protocol="theirs").save(tmp_path / "run.karat")
    with pytest.raises(UsageError, match="protocol 'theirs', which is not installed here"):
        karat.load(tmp_path / "run.karat").scores()


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    gold = [Document("d\ud800", TEXT, [PERSON])]
    with pytest.raises(InputError, match="cannot be saved"):
        karat.score("conll2003", gold, gold).save(tmp_path / "run.karat")
    assert not list(tmp_path.iterdir())


def test_the_content_is_the_same_in_any_order_and_dress(tmp_path: Path) -> None:
    text = "-DOCSTART- (a) O\n\nAda B-PER\n\n-DOCSTART- (b) O\n\nBern B-LOC\n"
    other = "-DOCSTART- (b) O\n\nBern B-LOC\n\n-DOCSTART- (a) O\n\nAda B-PER\n"
    (tmp_path / "gold.conll").write_text(text)
    (tmp_path / "other.conll").write_bytes(other.replace("\n", "\r\n").encode())
    (tmp_path / "third.conll").write_text(text.replace("B-LOC", "B-PER"))
    runs = [karat.score("conll2003", tmp_path / "gold.conll", path).run for path in sorted(tmp_path.iterdir())]
    same, other_dress, third = (run.system_content for run in runs if run is not None)
    assert same == other_dress != third


@pytest.mark.parametrize(
    "values", [array("b"), array("b", [-128]), array("h", [300]), array("q", [2**62]), array("d", [-0.0])]
)
@pytest.mark.parametrize("width", [None, 1])
def test_arrays_come_back_as_they_were(values: array[Any], width: int | None) -> None:
    stored = StoredArray(values, width)
    assert repr(decoded(encoded(stored))) == repr(stored)
    assert np.load(io.BytesIO(encoded(stored))).ravel().tolist() == values.tolist()
