"""Mentions that the text does not have: of a system they are false positives, whatever the protocol."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.cli import run
from karat.evaluation.registry import protocols
from karat.model import Argument, Chain, Document, Link, Mention, Relation, TokenTable

TEXT = "Anna met Bob in Bern."
COUNTING = {
    name for name, known in protocols().items() if "invented" in {option.name for option in fields(known.options)}
}
DECIDED = {
    "conll2012": "a mention is known by its words",
    "coval": "a mention is known by its words",
    "corefeval": "a mention is known by its words",
    "scorch": "a mention is known by its words",
    "corefud": "a mention that covers no word is left out, with a note",
    "universal-anaphora": "a mention that covers no word is a zero",
    "newsreader-ned": "a mention without tokens is no entity",
    "newsreader-ned-corrected": "a mention without tokens is no entity",
    "ehealthkd2021-main": "counted as spurious",
    "ehealthkd2021-entities": "counted as spurious",
    "ehealthkd2021-relations": "counted as spurious",
    "omin-seed-ner": "counted as wrong, unless the gold has the same words",
    "omin-head-ner": "counted as spurious, unless the gold has one too: the quirk lost-mentions-match",
    "omin-coref": "a mention is known by its words",
    "omin-head-nel": "phrases that the gold lacks are not counted",
    "omin-seed-nel": "phrases that the gold lacks are not counted",
    "tac2015-sf": "answers are assessed, wherever they stand",
    "triples": "ends are compared by their words, and counted as spurious",
}
"""The protocols that have decided otherwise."""
FORGIVING = {"gerbil-d2kb"}
"""Counts mentions, but only those that are given."""
RELATIONS = sorted(name for name in COUNTING if protocols()[name].task == "relations")
MENTIONS = sorted(COUNTING - FORGIVING - set(RELATIONS))


def mention(name: str, start: int, end: int, label: str, target: str) -> Mention:
    return Mention(name, ((start, end),), (label,), TEXT[start:end], links=(Link(target),))


RIGHT = [mention("m1", 0, 4, "PER", "Q1"), mention("m2", 9, 12, "PER", "Q2")]


def invented(number: int, *, target: str = "") -> Mention:
    return Mention(f"i{number}", (), ("PER",), f"Nobody {number}", links=(Link(target or f"Q9{number}"),))


def document(mentions: Sequence[Mention]) -> Document:
    relations = [
        Relation(f"r-{other.id}", "met", (Argument("head", mentions[0].id), Argument("tail", other.id)))
        for other in mentions[1:]
    ]
    chain = Chain("c1", tuple(one.id for one in mentions))
    return Document("d", TEXT, list(mentions), [chain], relations)


def main_precision(scores: karat.Scores, name: str) -> float | None:
    regime = "mentions" if name == "coref" else scores.rows[0].regime
    return scores.value("precision", regime=regime, average="micro")


def test_every_protocol_counts_them_or_says_why_not() -> None:
    assert protocols().keys() == COUNTING | DECIDED.keys()
    assert not COUNTING & DECIDED.keys()


@pytest.mark.parametrize("name", MENTIONS)
def test_two_right_and_ten_invented(name: str) -> None:
    gold = [document(RIGHT)]
    system = [document([*RIGHT, *map(invented, range(10))])]
    scores = karat.score(name, gold, system)
    assert main_precision(scores, name) == pytest.approx(2 / 12)
    assert (scores.value("f1") or 0) < 0.5, "a gate at 0.95 fails"
    assert "10 system mentions do not occur in the text (counted as false positives)" in scores.notes
    told = [entry for entry in karat.explain(name, gold, system) if entry.case == "invented"]
    shown = [entry.system for entry in told if entry.system is not None]
    assert sorted(item.text for item in shown) == sorted(f"Nobody {number}" for number in range(10))
    assert {item.span for item in shown} == {None}
    left_out = karat.score(name, gold, system, invented="skip")
    assert main_precision(left_out, name) == pytest.approx(1)
    assert "10 system mentions do not occur in the text (left out)" in left_out.notes
    assert "invented:skip" in left_out.signature
    assert "invented:" not in scores.signature


@pytest.mark.parametrize("name", sorted(COUNTING))
def test_no_item_stands_behind_the_text(name: str) -> None:
    sides = [document([*RIGHT, invented(1), invented(2)]) for _ in range(2)]
    between_chains = Relation("rc", "met", (Argument("head", "c1"), Argument("tail", "i1")))
    gold, system = ([msgspec.structs.replace(side, relations=[*side.relations, between_chains])] for side in sides)
    items = [item for entry in karat.explain(name, gold, system) for item in (entry.gold, entry.system) if item]
    offsets = [offset for item in items for end in item.ends for span in end for offset in span]
    offsets += [offset for item in items for offset in item.span or ()]
    assert max(offsets, default=0) <= len(TEXT)


@pytest.mark.parametrize("profile", ["1.2.1", "1.1.0", "0.2.0", "classic", "corrected"])
def test_nervaluate_pairs_nothing_with_what_is_invented(profile: str) -> None:
    table = TokenTable(["Anna", "met", "Bob", "in", "Bern", "."], starts=[0, 5, 9, 13, 16, 20])
    sides = [[Document("d", TEXT, [*RIGHT, invented(1)], table=table)] for _ in range(2)]
    told = [entry for entry in karat.explain("nervaluate", *sides, profile=profile) if entry.case != "exact"]
    assert [(entry.case, entry.reason) for entry in told] == [
        ("missed", "the text does not have it"),
        ("invented", "the text does not have it"),
    ]


@pytest.mark.parametrize("options", [{"nested": "remove"}, {"nested": "remove", "singletons": "remove"}])
def test_coval_takes_nested_mentions_out_beside_what_is_invented(options: dict[str, str]) -> None:
    sides = [[document([*RIGHT, invented(1)])] for _ in range(2)]
    assert karat.score("coval", *sides, **options).value("f1") == 1


@pytest.mark.parametrize("name", RELATIONS)
def test_heads_and_tails_of_relations(name: str) -> None:
    gold, system = [document(RIGHT)], [document([*RIGHT, *map(invented, range(10))])]
    scores = karat.score(name, gold, system)
    assert {row.value for row in scores.rows if (row.measure, row.average) == ("precision", "micro")} == {1 / 11}
    cases = [entry.case for entry in karat.explain(name, gold, system)]
    assert sorted(cases) == ["exact", *["invented"] * 10]
    assert karat.score(name, gold, system, invented="skip").value("precision") == 1


def test_a_relation_with_an_invented_end_comes_near_none() -> None:
    gold, system = [document(RIGHT)], [document([RIGHT[0], invented(1)])]
    entries = list(karat.explain("relations", gold, system))
    assert sorted(entry.case for entry in entries) == ["invented", "missing-mention"]


def test_given_mentions_are_given() -> None:
    gold, system = [document(RIGHT)], [document([*RIGHT, invented(1)])]
    assert karat.score("gerbil-d2kb", gold, system).value("precision", regime="strong", average="micro") == 1


def test_an_invented_mention_has_no_right_link() -> None:
    gold, system = [document(RIGHT)], [document([RIGHT[0], invented(1, target="Q2")])]
    scores = karat.score("tac-edl", gold, system)
    assert scores.value("precision", regime="entity-match", average="micro") == 1 / 2


@pytest.mark.parametrize("name", MENTIONS)
def test_what_the_gold_invents_is_missed_and_said(name: str) -> None:
    gold, system = [document([*RIGHT, invented(1)])], [document([*RIGHT, invented(1)])]
    scores = karat.score(name, gold, system)
    assert "1 gold mention does not occur in the text (counted as missed)" in scores.notes
    regime = "mentions" if name == "coref" else scores.rows[0].regime
    assert scores.value("recall", regime=regime, average="micro") == pytest.approx(2 / 3)
    skipped = karat.score(name, gold, system, invented="skip")
    assert skipped.value("recall", regime=regime, average="micro") == pytest.approx(1)


def test_the_gate_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    karat.write([Document("d", TEXT, RIGHT)], gold, "jsonl")
    named = ["Anna", "Bob", *(f"Nobody {number}" for number in range(10))]
    mentions = [{"text": name, "label": "PER"} for name in named]
    system.write_text(json.dumps({"id": "d", "text": TEXT, "mentions": mentions}))
    gate = ["score", "conll2003", str(gold), str(system), "--system-format", "llm", "--fail-under", "0.95"]
    assert run(gate) == 1
    assert "below 0.95" in capsys.readouterr().err
    assert run([*gate, "--invented", "skip"]) == 0
    capsys.readouterr()
    assert run(["explain", *gate[1:6], "--view", "jsonl"]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(entry.get("case") == "invented" for entry in entries) == 10


EHEALTHKD = ("ehealthkd2021-main", "ehealthkd2021-entities")


@pytest.mark.parametrize("profile", ["published", "corrected", "documented"])
@pytest.mark.parametrize("name", EHEALTHKD)
def test_what_both_sides_invent_is_not_right(name: str, profile: str) -> None:
    gold, system = (Document("d", TEXT, [RIGHT[0], invented(1)]) for _ in range(2))
    scores = karat.score(name, [gold], [system], profile=profile)
    assert scores.value("precision") == scores.value("recall") == 1 / 2
    told = [entry for entry in karat.explain(name, [gold], [system], profile=profile) if entry.case != "correct"]
    assert {(entry.case, entry.reason) for entry in told} == {
        ("missed", "the text does not have it"),
        ("spurious", "the text does not have it"),
    }
    assert {(item.text, item.span) for entry in told for item in (entry.gold, entry.system) if item} == {
        ("Nobody 1", None)
    }


@pytest.mark.parametrize("name", EHEALTHKD)
def test_what_is_invented_touches_nothing_and_belongs_to_a_sentence_that_is_scored(name: str) -> None:
    text = "Nothing here.\nAnna met Bob."
    anna = Mention("m1", ((14, 18),), ("PER",), "Anna")
    gold, system = Document("d", text, [anna]), Document("d", text, [invented(1), invented(2)])
    scores = karat.score(name, [gold], [system])
    assert next(iter(scores)).counts == {"correct": 0, "incorrect": 0, "partial": 0, "missed": 1, "spurious": 2}
    assert "2 mentions that the text does not have, and that pair with nothing" in scores.notes
    first = Mention("m1", ((0, 7),), ("PER",), "Nothing")
    gold = Document("d", text, [first])
    assert next(iter(karat.score(name, [gold], [system]))).counts["partial"] == 0


def test_a_relation_of_what_is_invented_is_not_right() -> None:
    sides = [document([RIGHT[0], invented(1)]) for _ in range(2)]
    scores = karat.score("ehealthkd2021-relations", [sides[0]], [sides[1]])
    assert scores.value("precision") == scores.value("recall") == 0
    (entry, *_) = [one for one in karat.explain("ehealthkd2021-relations", [sides[0]], [sides[1]]) if one.gold]
    assert entry.reason == "its target 'Nobody 1' is missed"


@given(
    name=st.sampled_from(sorted(COUNTING)),
    right=st.sampled_from([RIGHT, RIGHT[:1], RIGHT[1:]]),
    targets=st.lists(st.sampled_from(["Q1", "Q2", "Q7"]), min_size=1, max_size=4),
)
def test_removing_an_invented_mention_never_lowers_a_score(name: str, right: list[Mention], targets: list[str]) -> None:
    made_up = [invented(number, target=target) for number, target in enumerate(targets)]
    gold = [document(RIGHT)]
    more = karat.score(name, gold, [document([*right, *made_up])])
    less = karat.score(name, gold, [document([*right, *made_up[1:]])])
    without = {row.name: row.value for row in less}
    lowered = {
        row.name: (row.value, after)
        for row in more
        if row.value is not None and (after := without.get(row.name)) is not None and after < row.value
    }
    assert not lowered


@pytest.mark.parametrize("name", sorted(COUNTING))
def test_documents_are_not_changed(name: str) -> None:
    gold, system = document(RIGHT), document([*RIGHT, invented(1)])
    before = msgspec.json.encode(system)
    karat.score(name, [gold], [system])
    assert msgspec.json.encode(system) == before
