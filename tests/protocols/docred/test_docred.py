"""Facts between entities on any format, what the ledger says of them, and the promises of a protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.docred.build import record, result, scored, written

import karat
from karat.errors import InputError
from karat.model import Argument, Chain, Document, Mention, Relation
from karat.testing import check_protocol


def told(folder: Path, gold: list[Any], system: list[Any], **options: Any) -> list[tuple[str, str, str]]:
    """Return the ledger: case, text and reason of each entry."""
    path = written(folder, "gold.json", gold)
    read = {"records": path}
    entries = karat.explain("docred", path, written(folder, "result.json", system), read=read, **options)
    return [(entry.case, item.text, entry.reason) for entry in entries if (item := entry.gold or entry.system)]


def test_the_ledger_says_what_became_of_every_fact_and_sentence(tmp_path: Path) -> None:
    gold = [record(("P17", 0, 1, [0, 2]), ("P27", 0, 2, []), ("P26", 1, 2, []))]
    system = [result("P17", 0, 1, [0, 1]), result("P22", 0, 2, []), result("P26", 2, 1, [0]), result("P9", 0, 7, [])]
    assert told(tmp_path, gold, system) == [
        ("spurious", "Ada → Bern", "between the same entities, the gold has P27"),
        ("missed", "Ada → Bern", "between the same entities, the system has P22"),
        ("exact", "Ada → Bo", "same entities and label"),
        ("exact", "Ada → Bo in sentence 0", "evidence on both sides"),
        ("spurious", "Ada → Bo in sentence 1", "the gold does not give it as evidence of this fact"),
        ("missed", "Ada → Bo in sentence 2", "the system does not give it as evidence of this fact"),
        ("invented", "Ada → entity 7", "the text does not have it"),
        ("spurious", "Bern → Bo", "the gold has it in the opposite direction"),
        ("spurious", "Bern → Bo in sentence 0", "the gold does not have the fact that it is evidence of"),
        ("missed", "Bo → Bern", "the system has it in the opposite direction"),
    ]


def test_seen_facts_are_told_apart(tmp_path: Path) -> None:
    path = written(tmp_path, "gold.json", [record(("P17", 0, 1, []))])
    train = written(tmp_path, "train.json", [record(("P17", 0, 1, []))])
    (entry,) = karat.explain("docred", path, path, train=train)
    assert entry.verdicts == {"facts": "correct", "ign-annotated": "correct", "intra": "correct"}
    assert entry.reason == "same entities and label; the training data have it, too"


def test_any_format_with_chains_can_be_scored(tmp_path: Path) -> None:
    gold = karat.read(written(tmp_path, "gold.json", [record(("P17", 0, 1, [0]), ("P27", 0, 2, [1]))]), "docred")
    system = karat.read(written(tmp_path, "system.json", [record(("P17", 0, 1, [0]), ("P27", 1, 2, [1]))]), "docred")
    for side, name in ((gold, "gold.jsonl"), (system, "system.jsonl")):
        karat.write(side, tmp_path / name, "jsonl")
    scores = karat.score("docred", tmp_path / "gold.jsonl", tmp_path / "system.jsonl")
    assert [scores.value("f1", regime=name) for name in ("facts", "evidence", "intra", "inter")] == [0.5, 0.5, 2 / 3, 0]
    assert scores.notes == ("no ign-annotated and ign-distant: name the training data with train= and distant=",)


def test_a_system_may_have_its_own_chains() -> None:
    text = "Ada met Bo . She left ."
    mentions = [Mention("a", ((0, 3),)), Mention("b", ((8, 10),)), Mention("s", ((13, 16),))]
    ends = {name: (Argument("head", name), Argument("tail", "b")) for name in ("A", "s")}
    gold = Document("d", text, mentions, [Chain("A", ("a", "s"))], [Relation("r", "met", ends["A"])])
    system = Document("d", text, mentions[1:], relations=[Relation("r", "met", ends["s"])])
    assert karat.score("docred", [gold], [system]).value("f1") == 1


FACTS = st.lists(
    st.tuples(
        st.sampled_from(("P17", "P569", "PX")),
        st.integers(0, 2),
        st.integers(0, 2),
        st.lists(st.integers(0, 2), max_size=3),
    ),
    min_size=1,
    max_size=6,
)


@given(FACTS, FACTS)
def test_the_first_number_is_that_of_relations_by_entities(gold: list[Any], system: list[Any]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = [result(*fact) for fact in system]
        first = scored(folder, [record(*gold)], results)
        path = written(folder, "gold.json", [record(*gold)])
        second = karat.score("relations", path, written(folder, "r.json", results), read={"records": path})
    for measure in ("precision", "recall", "f1"):
        assert first.value(measure, regime="facts") == second.value(measure, regime="entity")


OUTSIDE = '[{"vertexSet": [[]], "labels": [{"r": "a", "h": 0, "t": 3}]}]'


@pytest.mark.parametrize("content", ["{", "[1]", OUTSIDE, "[[1]]"])
def test_training_data_that_are_none_are_refused(content: str, tmp_path: Path) -> None:
    path = written(tmp_path, "gold.json", [record()])
    (tmp_path / "train.json").write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"train\.json"):
        karat.score("docred", path, path, train=tmp_path / "train.json")


@pytest.mark.parametrize("name", ["docred", "redocred"])
def test_the_promises_of_a_protocol(name: str) -> None:
    check_protocol(name, profile="corrected")
