"""A run file is read back whole, or refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import karat
from karat.errors import InputError, UsageError
from karat.evaluation.run import Run
from karat.evaluation.run_container import decoded, encoded
from karat.evaluation.run_file import packed
from karat.model import Document, Mention
from tests.evaluation.forging import forged

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
    assert (loaded.documents[4], loaded.metadata[4]) == ("d4", {"year": "1901"})


def test_the_same_run_is_the_same_bytes(run: Run) -> None:
    assert packed(run) == packed(run)


def test_long_metadata_are_not_kept() -> None:
    gold = [Document("d", TEXT, [PERSON], metadata={"source": "archive", "abstract": "x" * 1000})]
    scores = karat.score("conll2003", gold, gold)
    assert scores.run is not None
    assert scores.run.metadata == [{"source": "archive"}]


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
        ("columns", []),
        ("groups", []),
        ("columns", [["unit", "x", 1, 1]]),
        ("columns", [["unit", "m", 10**12, 10]]),
        ("columns", [["unit", "b", -1, 10]]),
        ("columns", [["unit", "b", 10**12, 10], ["words", "b", -(10**12), 0]]),
        ("groups", [["", "", None]] * 9),
        ("digests", {}),
        ("protocol", 1),
    ],
)
def test_a_head_that_lies_is_refused(run: Run, tmp_path: Path, key: str, value: Any) -> None:
    """Whoever writes such a file can also write its digest."""
    path = tmp_path / "run.karat"
    path.write_bytes(forged(packed(run), lambda head, columns: (head | {key: value}, columns)))
    with pytest.raises(InputError, match="not laid out as it says"):
        karat.load(path)


NAN, HUGE = float("nan"), 1e300


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("unit", [1] * 20),
        ("document", [None] * 20),
        ("words", [-1] * 20),
        ("metadata values:year", [1900, 1901, 1902]),
        ("metadata:year", [-1] * 20),
        ("metadata:year", [4] * 20),
        ("metadata:year", [0] * 19),
        ("groups", [4, 2] * 10),
        ("groups", [-1, 7] * 10),
        ("groups", [3.0] * 20),
        ("group", [-1, 0, 1] * 20),
        ("group", [0, 0, 1] * 20),
        ("group", [9, 0, 1] * 20),
        ("count 0", [NAN] * 60),
        ("count 0", [HUGE] * 60),
        ("count 0", ["1"] * 60),
        ("count 0", [None] * 60),
        ("count 7", [1] * 60),
    ],
)
def test_columns_that_lie_are_refused(run: Run, tmp_path: Path, name: str, values: list[Any]) -> None:
    path = tmp_path / "run.karat"
    path.write_bytes(forged(packed(run), lambda head, columns: (head, columns | {name: values})))
    with pytest.raises(InputError, match="not laid out as it says"):
        karat.load(path)


def test_another_layout_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.karat"
    path.write_bytes(packed(run).replace(b"karat run 1\n", b"karat run 2\n"))
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


@pytest.mark.parametrize("values", [[], [1], [-129, 5], [70_000], [2**40], [2**63], [1.5, -0.0], [1, 1.0], ["a", None]])
def test_columns_come_back_as_they_were(values: list[Any]) -> None:
    assert repr(decoded(*encoded(values))) == repr(values)
