"""What a part keeps comes back as it was, and nothing that a file names is brought in because of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import karat
from karat.api import score_part
from karat.errors import InputError, UsageError
from karat.evaluation.notices import Notices
from karat.evaluation.part import Part
from karat.evaluation.part_file import load as load_part
from karat.evaluation.part_file import packed, plain, restored
from karat.evaluation.registry import protocol
from karat.evaluation.run_file import packed as packed_run
from karat.formats.base import Problems
from karat.model import Document, Mention
from karat.protocols.hipe.facts import SplitLink
from karat.protocols.spans.draft import LayerFact
from tests.evaluation.forging import forged, members_of, sealed


@pytest.mark.parametrize(
    "key",
    ["LOC", 3, None, True, 0.5, ("gold", ("layer", "")), frozenset({"b", "a"}), SplitLink("NEL-LIT", 0, "odd")],
)
def test_keys_come_back_as_they_were(key: object) -> None:
    back = restored(json.loads(json.dumps(plain(key))), protocol("hipe2022-nel"))
    assert (back, type(back)) == (key, type(key))


def test_structs_come_back_as_they_were() -> None:
    fact = LayerFact("gold", "NE")
    assert restored(plain(fact), protocol("conll2003")) == fact


class Stranger(NamedTuple):
    """A note of nobody's protocol."""

    text: str


@pytest.mark.parametrize(
    "kept",
    [
        plain(Stranger("x")),
        ["os:system", "true"],
        ["karat.io:digest", "x"],
        ["karat.nowhere:Thing"],
        ["karat:score"],
    ],
)
def test_a_file_cannot_name_what_is_no_note(kept: object) -> None:
    with pytest.raises(ValueError, match="is nothing of the protocol"):
        restored(kept, protocol("conll2003"))


def test_what_cannot_be_kept_is_named() -> None:
    with pytest.raises(InputError, match="is a bytes, which cannot be kept"):
        plain(b"x")


def test_a_repair_of_a_whole_file_is_one_whichever_ranges_were_read() -> None:
    first, second = Problems(), Problems()
    first.repair("gold.tsv", None, "Converted 3 S-tags and 1 E-tags.", once="converted tags")
    first.repair("gold.tsv", 7, "odd")
    second.repair("gold.tsv", None, "Converted 12 S-tags and 0 E-tags.", once="converted tags")
    second.repair("gold.tsv", None, "odd")
    both = Notices.of(first, 1, "gold.tsv") + Notices.of(second, 2, "gold.tsv")
    assert both.worded("gold.tsv", "gold.tsv") == (
        "3 repairs while reading gold.tsv; see karat validate",
        "3 mentions of gold.tsv took the links of the chain",
    )


MENTION = Mention("T1", ((0, 3),), ("PER",))


def part(number: int, of: int, **options: object) -> Part:
    gold = [Document(f"d{index}", "Ada in Bern", [MENTION]) for index in range(5)]
    return score_part("conll2003", gold, gold[:4], f"{number}/{of}", **options)


def test_a_part_comes_back_as_it_was(tmp_path: Path) -> None:
    scored = part(2, 3, missing="skip")
    scored.save(tmp_path / "part.karat")
    assert packed(load_part(tmp_path / "part.karat")) == packed(scored)
    assert load_part(tmp_path / "part.karat").said == scored.said
    assert scored.run.tallies.units == ["d1"]
    assert scored.said == ("skipped 1 of 5 gold documents that the system lacks: d4",)


def test_more_parts_than_documents_are_merged_too() -> None:
    parts = [part(number, 9, missing="empty") for number in range(9, 0, -1)]
    assert karat.merge(parts).tallies.units == ["d0", "d1", "d2", "d3", "d4"]


def test_the_first_part_says_how_data_are_called(tmp_path: Path) -> None:
    """Machines may have the same data under different names: the order in which parts are given says nothing."""
    text = "-DOCSTART- (a) O\n\nAda B-PER\n\n-DOCSTART- (b) O\n\nBern I-LOC\n"
    paths = [tmp_path / "here.conll", tmp_path / "there.conll"]
    for path in paths:
        path.write_text(text)
    parts = [score_part("semeval2013", path, path, f"{number}/2") for number, path in enumerate(paths, 1)]
    runs = [karat.merge(parts), karat.merge(reversed(parts))]
    assert packed_run(runs[0]) == packed_run(runs[1])
    assert runs[0].system == "here.conll"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"number": [1, 2**62]}, "parts are missing: 2, 3, 4, 5, 6, …"),
        ({"number": [1, 1], "total": 2**62}, "do not have every pair of documents once"),
        ({"number": [2, 1]}, "there is no part 2 of 1"),
        ({"number": [0, 0]}, "there is no part 0 of 0"),
        ({"total": 1}, "an index is beyond the 1 that there are"),
        ({"facts": [[[5, 1], 1]]}, "is nothing of the protocol"),
        (
            {"facts": [[["karat.protocols.spans.draft:LayerFact", 1, 2], 1]]},
            "facts or notes that are none of conll2003",
        ),
    ],
)
def test_parts_that_lie_are_refused(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    """Nobody counts to four quintillions to say what is missing."""
    path = tmp_path / "part.karat"
    path.write_bytes(forged(packed(part(1, 1, missing="skip")), lambda head, columns: (head | changes, columns)))
    with pytest.raises(InputError, match=said):
        karat.merge([path])


def test_facts_that_are_nested_deeply_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "part.karat"
    members = members_of(packed(part(1, 1, missing="skip")))
    head = json.loads(members["part.json"])
    for depth in (500, 900, 100_000):
        deep = b"[[" + b"[" * depth + b"]" * depth + b",1]]"
        written = json.dumps(head | {"facts": "deep"}).encode()
        path.write_bytes(sealed(members | {"part.json": written.replace(b'"deep"', deep)}))
        with pytest.raises(InputError, match="not laid out as it says"):
            karat.merge([path])


def test_nothing_cannot_be_merged() -> None:
    with pytest.raises(UsageError, match="nothing to merge"):
        karat.merge([])
