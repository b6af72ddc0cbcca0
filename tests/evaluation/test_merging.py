"""Runs of shards merge in any order; what they keep comes back as it was, and brings nothing in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import karat
from karat.errors import InputError, UsageError
from karat.evaluation.notices import Notices
from karat.evaluation.plain_keys import plain, restored
from karat.evaluation.registry import protocol
from karat.evaluation.run import Run
from karat.evaluation.run_file import load as load_run
from karat.evaluation.run_file import packed
from karat.evaluation.tally import Tallies
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


def test_a_repair_of_a_whole_file_is_one_however_many_shards_were_read() -> None:
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


def shard(*names: str, **options: object) -> Run:
    gold = [Document(name, "Ada in Bern", [MENTION]) for name in names]
    run = karat.score("conll2003", gold, gold, **options).run
    assert run is not None
    return run


def test_a_run_of_shards_comes_back_as_it_was(tmp_path: Path) -> None:
    merged = karat.merge([shard("a", "b"), shard("c")])
    merged.save(tmp_path / "run.karat")
    assert load_run(tmp_path / "run.karat") == merged
    assert packed(load_run(tmp_path / "run.karat")) == packed(merged)
    assert [own.units for own in merged.shards] in ([1, 2], [2, 1])


def test_merging_is_the_same_in_any_order_and_grouping() -> None:
    one, two, three = shard("a"), shard("b", "c"), shard("d")
    whole = packed(karat.merge([one, two, three]))
    assert packed(karat.merge([three, karat.merge([two, one])])) == whole
    assert packed(karat.merge([karat.merge([three, one]), two])) == whole
    assert packed(karat.merge([one])) == packed(one)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": "0.0.1"}, "different versions of Karat"),
        ({"plug_ins": "ours==0.1"}, "different plug-ins, none and ours==0.1"),
        ({"read_as": "hipe"}, "different ways of reading, none and hipe"),
        ({"options": {"profile": "corrected"}}, "different options, profile=official"),
        ({"slices": {"length": Tallies()}}, "different slices, none and length"),
    ],
)
def test_runs_that_do_not_belong_together_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        karat.merge([shard("a"), msgspec.structs.replace(shard("b"), **changes)])


def test_a_run_that_does_not_say_its_shards_cannot_be_merged() -> None:
    with pytest.raises(InputError, match="does not say of which shards it is"):
        karat.merge([msgspec.structs.replace(shard("a"), shards=())])


def test_notes_that_no_file_can_keep_are_left_out(tmp_path: Path) -> None:
    run = shard("a")
    odd = msgspec.structs.replace(run.shards[0], noted=[(complex(1), 1)])
    msgspec.structs.replace(run, shards=(odd,)).save(tmp_path / "run.karat")
    assert not load_run(tmp_path / "run.karat").shards


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"facts": [[[5, 1], 1]]}, "facts or notes that are none of conll2003"),
        ({"noted": [[["os:system", "true"], 1]]}, "is nothing of the protocol"),
        ({"units": 2}, "its shards have 2 units"),
        ({"units": -1}, "not laid out as it says"),
        ({"facts": [[["karat.protocols.spans.draft:LayerFact", 1, 2], 1]]}, "facts or notes that are none of"),
    ],
)
def test_shards_that_lie_are_refused(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    def change(head: Any, columns: Any) -> Any:
        head["shards"][0] |= changes
        return head, columns

    path = tmp_path / "run.karat"
    path.write_bytes(forged(packed(shard("a")), change))
    with pytest.raises(InputError, match=said):
        karat.merge([path, shard("b")])


def test_facts_that_are_nested_deeply_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.karat"
    members = members_of(packed(shard("a")))
    head = json.loads(members["run.json"])
    for depth in (500, 900, 100_000):
        deep = b"[[" + b"[" * depth + b"]" * depth + b",1]]"
        head["shards"][0]["facts"] = "deep"
        written = json.dumps(head).encode().replace(b'"deep"', deep)
        path.write_bytes(sealed(members | {"run.json": written}))
        with pytest.raises(InputError, match=r"not laid out as it says|facts or notes that are none"):
            karat.merge([path, shard("b")])


def test_nothing_cannot_be_merged() -> None:
    with pytest.raises(UsageError, match="nothing to merge"):
        karat.merge([])
