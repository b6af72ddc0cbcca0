"""What can be set, what is left out for it, and what the notes say about it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest
from tests.protocols.linking.build import TEXT, documents

import karat
from karat.cli import run
from karat.errors import InputError, UsageError
from karat.model import Chain, Document, Link, Mention

GOLD = "d 0 12 Q7259 PER\nd 23 27 Q70 LOC\nd 35 39 NIL1 LOC"


def test_end_to_end_and_given_the_gold_mentions() -> None:
    gold, system = documents(GOLD), documents("d 0 12 Q7259 PER\nd 0 3 Q1 PER\nd 23 27 Q71 LOC\nd 45 49 Q9 LOC")
    whole = karat.score("tac-edl", gold, system)
    given = karat.score("tac-edl", gold, system, mentions="gold")
    assert [one.value("precision", regime="strong-all-match") for one in (whole, given)] == [1 / 4, 1 / 2]
    assert [one.value("recall", regime="strong-all-match") for one in (whole, given)] == [1 / 3, 1 / 3]
    assert given.notes == ("left out 2 mentions of the system that no gold mention has the place of",)
    assert "|mentions:gold|" in given.signature
    assert karat.score("gerbil-d2kb", gold, system).value("precision") == 1 / 2


def test_redirects_and_classes_treat_both_sides_alike() -> None:
    gold, system = documents("d 0 12 Q1 PER\nd 23 27 Q70 LOC"), documents("d 0 12 Q2 PER\nd 23 27 dbr:Bern LOC")
    rules = {"redirects": {"Q1": "Q3", "Q2": "Q3"}, "same_as": {"dbr:Bern": "Q70"}}
    assert karat.score("tac-edl", gold, system).value(regime="strong-link-match") == 0
    for sides in ((gold, system), (system, gold)):
        scores = karat.score("tac-edl", *sides, **rules)
        assert scores.value(regime="strong-link-match") == 1
        assert "|redirects:" in scores.signature
        assert "|same_as:" in scores.signature
    assert set(scores.notes) == {
        "followed redirects from the links of 1 mention of the gold",
        "followed redirects from the links of 1 mention of the system",
        "read the links of 1 mention of the gold as others that mean the same",
    }


def test_forms_treat_both_sides_alike() -> None:
    gold, system = documents("d 0 12 Q1"), documents("d 0 12 https://www.wikidata.org/wiki/Q1")
    assert karat.score("gerbil-a2kb", gold, system).value() == 0
    scores = karat.score("gerbil-a2kb", gold, system, forms="wikidata")
    assert scores.value() == 1
    assert "|forms:wikidata|" in scores.signature


def test_a_circle_of_redirects_is_noted() -> None:
    gold, system = documents("d 0 12 Q1"), documents("d 0 12 Q2")
    scores = karat.score("tac-edl", gold, system, redirects={"Q1": "Q2", "Q2": "Q1"})
    assert scores.value(regime="strong-link-match") == 1
    assert scores.notes[0] == "the redirects run in a circle, read as Q1: Q1 → Q2 → Q1"


def test_gold_alternatives() -> None:
    gold = documents("d 0 12 Q1|Q2\nd 23 27 Q70|NIL\nd 35 39 Q5|Q6")
    system = documents("d 0 12 Q2\nd 23 27 NIL\nd 34 39 Q6")
    found = {
        name: [
            karat.score(name, gold, system, alternatives=choice).value("recall", regime=regime)
            for choice in ("first", "any")
            for regime in regimes
        ]
        for name, regimes in {
            "tac-edl": ("strong-all-match", "weak-all-match"),
            "gerbil-a2kb": ("strong", "weak"),
        }.items()
    }
    assert found == {"tac-edl": [0, 0, 2 / 3, 1], "gerbil-a2kb": [0, 0, 2 / 3, 1]}


def test_mentions_without_a_link() -> None:
    gold, system = documents("d 0 12 NIL\nd 23 27 Q70"), documents("d 0 12 -\nd 23 27 Q70")
    assert karat.score("gerbil-a2kb", gold, system).value() == 1
    scores = karat.score("gerbil-a2kb", gold, system, unlinked="leave-out")
    assert scores.value("recall") == 0.5
    assert scores.notes == (
        "left out 1 mention of the system without a link",
        "1 of 2 mentions of the system have no link",
    )


def test_links_shared_by_a_chain() -> None:
    gold = documents("d 0 12 Q7259\nd 17 19 Q7259")
    (linked,) = documents("d 0 12 Q7259\nd 17 19 -")
    system = [msgspec.structs.replace(linked, chains=[Chain("c", ("m0", "m1"))])]
    assert karat.score("gerbil-a2kb", gold, system).value("recall") == 0.5
    assert karat.score("gerbil-a2kb", gold, system, share_links=True).value("recall") == 1


def test_layers_without_links_are_left_out() -> None:
    linked = Mention("m1", ((23, 27),), ("LOC",), layer="coarse", links=(Link("Q70"),))
    fine = Mention("m2", ((23, 27),), ("LOC.city",), layer="fine")
    gold = [Document("d", TEXT, [linked, fine])]
    scores = karat.score("tac-edl", gold, gold)
    assert {row.layer for row in scores} == {"coarse"}
    assert scores.notes == ("left out the layers without any link: fine",)


def test_layers_together() -> None:
    def one(layer: str) -> list[Document]:
        return [Document("d", TEXT, [Mention("m", ((23, 27),), layer=layer, links=(Link("Q70"),))])]

    assert karat.score("gerbil-a2kb", one("a"), one("b")).value("recall") == 0
    assert karat.score("gerbil-a2kb", one("a"), one("b"), layers="ignore").value("recall") == 1


def test_the_same_mention_counts_once() -> None:
    gold, system = documents("d 0 12 Q1 PER"), documents("d 0 12 Q1 PER\nd 0 12 Q1 PER")
    scores = karat.score("gerbil-a2kb", gold, system)
    assert scores.value() == 1
    assert scores.notes == ("left out 1 mention of the system with the place, type and link of another one",)


def test_texts_must_be_the_same() -> None:
    gold = documents("d 0 3 Q1")
    system = [Document("d", TEXT.replace("Bern", "Biel"), gold[0].mentions)]
    with pytest.raises(InputError, match="document 'd': the texts differ from character 24 on: 'iel on the"):
        karat.score("tac-edl", gold, system)


def test_files_on_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    paths = []
    for side, target in (("gold", "Q1"), ("system", "Q2")):
        paths.append(tmp_path / f"{side}.jsonl")
        mention = {"id": "m", "spans": [[0, 3]], "labels": ["PER"], "links": [{"target": target}]}
        paths[-1].write_bytes(msgspec.json.encode({"id": "d", "text": "Ada", "mentions": [mention]}))
    redirects = tmp_path / "redirects.tsv"
    redirects.write_text("Q2\tQ1\n", "utf-8")
    arguments = ["score", "gerbil-a2kb", *map(str, paths), "--redirects", str(redirects)]
    assert run([*arguments, "--fail-under", "1"]) == 0
    redirects.write_text("Q2\n", "utf-8")
    assert run(arguments) == 3
    assert "redirects.tsv:1: only one column; expected" in capfd.readouterr().err


def test_unknown_values_are_refused() -> None:
    with pytest.raises(UsageError, match="forms is 'qid'; expected literal, wikidata or titles"):
        karat.score("tac-edl", [], [], forms="qid")


def test_a_large_document_is_judged_in_linear_time() -> None:
    def corpus(number: int, step: int) -> list[Document]:
        mentions = [
            Mention(f"m{at}", ((7 * at, 7 * at + 5 + at % step),), ("PER",), links=(Link(f"Q{at % 997}"),))
            for at in range(number)
        ]
        return [Document("d", "x" * (7 * number + 20), mentions)]

    def steps(number: int) -> int:
        """Return how many lines of judging and pairing are run."""
        count = 0

        def counted(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal count
            count += event == "line"
            return counted if {"matching", "linking"} & set(Path(frame.f_code.co_filename).parts) else None

        gold, system = corpus(number, 2), corpus(number, 3)
        before = sys.gettrace()
        sys.settrace(counted)
        try:
            karat.score("tac-edl", gold, system)
        finally:
            sys.settrace(before)
        return count

    assert steps(200) < 12 * steps(25)  # 64 times as many if it were quadratic
