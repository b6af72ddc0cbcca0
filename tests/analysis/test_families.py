"""All protocols of a task side by side: the numbers of each alone, and the items on which they disagree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.analysis.families import FAMILIES
from karat.cli import run
from karat.display.views.family import render_family
from karat.errors import InputError, UsageError
from karat.evaluation.registry import protocols
from karat.io.tables import table_of
from karat.io.terminal import width
from karat.model import Argument, Chain, Document, Link, Mention, Relation

VIEWS = ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex", "html")
GOLD = [["B-PER", "I-PER", "O", "B-LOC", "O"], ["B-ORG", "O", "B-LOC"]]
ADA = Mention("m", ((0, 3),), ("PER",))
SYSTEM = [["O", "B-PER", "O", "B-LOC", "O"], ["B-LOC", "O", "O"]]


def test_numbers_are_those_of_each_protocol_alone() -> None:
    found = karat.family("entities", GOLD, SYSTEM, everything=True)
    assert {figure.protocol for figure in found.figures} >= {"conll2003", "seqeval", "semeval2013", "overlap"}
    for figure in found.figures:
        scores = karat.score(figure.protocol, GOLD, SYSTEM)
        for measure in ("precision", "recall", "f1"):
            value = scores.value(measure, regime=figure.regime, average=figure.average, layer=figure.layer)
            assert getattr(figure, measure) == value


def test_items_are_told_apart_by_verdicts() -> None:
    found = karat.family("entities", GOLD, SYSTEM)
    by_name = {
        name: divergence
        for divergence in found.divergences
        for name in ("semeval2013 type",)
        if divergence.standings[name] == "right"
    }
    (shorter,) = by_name.values()
    assert shorter.items == 2, "a gold and a system item that overlap"
    assert (shorter.standings["conll2003"], shorter.standings["semeval2013 partial"]) == ("wrong", "partly")
    assert shorter.example.gold is not None
    assert shorter.example.system is not None
    assert found.items == 7


def test_protocols_that_agree_say_so() -> None:
    found = karat.family("entities", GOLD, GOLD)
    assert found.divergences == []
    assert "F1 is 1.000 under all of them" in str(found)
    assert "they agree on 8 items of gold and system" in str(found)


def test_who_cannot_judge_says_why() -> None:
    documents = [Document(name, "Ada", [ADA]) for name in "ab"]
    found = karat.family("entities", documents, documents[:1])
    why = {member.name: member.why for member in found.members}
    assert why["conll2003"].startswith("the system lacks 1 document: b")
    (line,) = [line for line in render_family("tsv", [found]).splitlines() if "cannot judge this" in line]
    assert line.startswith("# hipe2020-nerc-coarse, ")
    assert "conll2003, " in line
    assert "cannot judge this: the system lacks 1 document: b" in line
    with pytest.raises(InputError, match="none of the protocols of entities can judge this: "):
        karat.family("entities", documents[:1] * 2, documents)


def test_numbers_of_nothing_are_none() -> None:
    """PURE and TACRED have 0 for no relation on either side, and SCORCH a BLANC of 1 for no chain."""
    documents = [Document("a", "Ada", [ADA])]
    found = karat.family("relations", documents, documents)
    assert [member.name for member in found.members if member.figures] == ["ehealthkd2021-main"]
    assert "relations: <list>, by 1 of 12 protocols\n" in str(found).replace(found.system, "<list>")
    assert "note: the gold has no relations; it has 1 mention (ehealthkd2021-main)\n" in str(found)
    with pytest.raises(
        InputError, match="neither side has anything that it scores; the gold has no chains; it has 1 mention"
    ):
        karat.family("coreference", documents, documents)


def test_both_sides_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from karat.evaluation import corpora, corpus

    read: list[str] = []
    recognised: list[str] = []

    def counting(done: list[str], original: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Any, *arguments: Any, **options: Any) -> Any:
            done.append(Path(path).name)
            return original(path, *arguments, **options)

        return counted

    monkeypatch.setattr(corpus, "read", counting(read, corpus.read))
    monkeypatch.setattr(corpora, "sniff", counting(recognised, corpora.sniff))
    for name in ("gold.jsonl", "system.jsonl"):
        karat.write([Document("a", "Ada", [ADA])], tmp_path / name, "jsonl")
    karat.family("entities", tmp_path / "gold.jsonl", tmp_path / "system.jsonl")
    assert sorted(read) == ["gold.jsonl", "system.jsonl"]
    assert sorted(recognised) == ["gold.jsonl", "gold.jsonl", "system.jsonl", "system.jsonl"], "for all, and to read"


TAGS = st.lists(st.sampled_from(("O", "B-PER", "B-LOC", "I-LOC")), min_size=4, max_size=4)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=3))
def test_items_and_their_order(pairs: list[tuple[list[str], list[str]]]) -> None:
    gold, system = [one for one, _ in pairs], [two for _, two in pairs]
    try:
        found = karat.family("entities", gold, system)
    except InputError:
        return
    assert sum(divergence.items for divergence in found.divergences) + found.partly_judged <= found.items
    counts = [divergence.items for divergence in found.divergences]
    assert counts == sorted(counts, reverse=True)
    for divergence in found.divergences:
        assert len(set(divergence.standings.values()) - {"unjudged"}) > 1


@pytest.mark.parametrize("view", VIEWS)
def test_views(view: str) -> None:
    text = "Ada \x1b[2J B"
    gold = [Document("a|<b>", text, [Mention("m", ((0, 9),), ("PER",))])]
    system = [Document("a|<b>", text, [ADA])]
    text = render_family(view, [karat.family("entities", gold, system)])
    assert text.endswith("\n")
    assert "\x1b" not in text
    if view == "table":
        assert max(map(width, text.splitlines()[:-1])) <= 80
    if view == "json":
        assert json.loads(text)["families"][0]["task"] == "entities"
    if view == "html":
        assert "<b>" not in text


def test_an_unknown_family_or_view_is_an_error_with_suggestions() -> None:
    with pytest.raises(UsageError, match="unknown family of protocols 'entity'; did you mean 'entities'"):
        karat.family("entity", GOLD, SYSTEM)
    with pytest.raises(UsageError, match="unknown view 'tab'"):
        render_family("tab", [karat.family("entities", GOLD, SYSTEM)])


@pytest.mark.parametrize("task", FAMILIES)
def test_every_family_has_protocols_that_judge_its_examples(task: str) -> None:
    mentions = [
        Mention("m1", ((0, 3),), ("PER",), links=(Link("Q1"),)),
        Mention("m2", ((7, 11),), ("LOC",), links=(Link("Q2"),)),
    ]
    relation = Relation("r1", "in", (Argument("head", "m1"), Argument("tail", "m2")))
    documents = [Document("a", "Ada in Bern", mentions, [Chain("c1", ("m1", "m2"))], [relation])]
    found = karat.family(task, documents, documents)
    assert [figure.f1 for figure in found.figures] == pytest.approx([1.0] * len(found.figures))
    assert len(found.members) > 1


def test_papers_are_of_protocols() -> None:
    assert table_of("karat.protocols", "papers.toml").keys() <= protocols().keys()


def test_on_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    gold.write_text("Ada B-PER\nLovelace I-PER\nsaw O\nBern B-LOC\n")
    system.write_text("Ada O\nLovelace B-PER\nsaw O\nBern B-LOC\n")
    words = ["score", "--family", "entities", str(gold), str(system)]
    assert run([*words, "--view", "table"]) == 0
    assert "conll2003" in capfd.readouterr().out
    assert run([*words, "-o", str(tmp_path / "out.md")]) == 0
    assert "\n\nF1 ranges from 0.500" in (tmp_path / "out.md").read_text()
    assert run([*words, "-o", str(gold)]) == 3
    assert "would replace this input" in capfd.readouterr().err
    assert run([*words, "--by", "label"]) == 2
    assert "--by needs one protocol" in capfd.readouterr().err
    for flag in ("--workers=2", "--cluster=127.0.0.1:8786"):
        assert run([*words, flag]) == 2
        assert f"{flag.partition('=')[0]} needs one protocol; name it" in capfd.readouterr().err
    assert run(["score", "--family=nothing", str(gold), str(system)]) == 2


def test_strict_is_an_error_if_no_protocol_finds_anything_on_a_side(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    gold.write_text("Ada B-PER\nsaw O\n")
    system.write_text("Ada O\nsaw O\n")
    words = ["score", "--family", "entities", str(gold)]
    assert run([*words, str(system)]) == 0
    capfd.readouterr()
    assert run([*words, str(system), "--strict"]) == 3
    assert "system.conll: the system has no mentions; without --strict this is a note" in capfd.readouterr().err
    assert run([*words, str(gold), "--strict"]) == 0
