"""The OMIn protocols on any format, and that they agree with the drop-ins."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.omin.files import omin, put, row, tokens

import karat
from karat.analysis.summary import evaluate
from karat.errors import InputError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.registry import configure
from karat.model import Chain, Document, Link, Mention
from karat.protocols.omin.drop_in.tables import two_digits

A, B = "A00000000000000", "B00000000000000"
GOLD = f"""id,sample,entities,labels
{A},THE PILOT LOST THE LEFT WING.,PILOT,PER
{A},THE PILOT LOST THE LEFT WING.,LEFT WING,MISC
{B},A TREE NEAR THE TREE.,TREE,LOC
{B},A TREE NEAR THE TREE.,TREE,LOC
"""
RESULTS = f"""c5_id,c119_input,entities,labels
{A},THE PILOT LOST THE LEFT WING.,pilot,PERSON
{A},THE PILOT LOST THE LEFT WING.,WING,LOCATION
{B},A TREE NEAR THE TREE.,TREE,LOC
C00000000000000,NOTHING,NOTHING,ORG
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_phrases_agree_with_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    gold, results = put("g.csv", GOLD), put("t/r.csv", RESULTS)
    scores = karat.score("omin-seed-ner", gold, results)
    for regime, flags in (("non-strict", []), ("strict", ["-s"])):
        lines = omin(capfd, "ner", "--profile", "seed", "-g", gold, "-d", results, *flags)
        found = [scores.value(measure, regime=regime) for measure in ("precision", "recall", "f1")]
        assert [float(line[15:]) for line in lines[3:6]] == pytest.approx(found)


def test_the_ledger_of_phrases_gives_reasons() -> None:
    entries = karat.explain("omin-seed-ner", put("g.csv", GOLD), put("t/r.csv", RESULTS))
    assert [(entry.case, entry.reason) for entry in entries] == [
        ("found", "the system has the same text"),
        ("found-in-part", "the system has 'WING'"),
        ("wrong", "the gold has it only in other capitals, or taken"),
        ("right-in-part", "the gold has 'LEFT WING'"),
        ("found", "the system has the same text"),
        ("found", "the system has the same text"),
        ("right", "the gold has the same text"),
        ("wrong", "the gold has no such text"),
    ]


@pytest.mark.parametrize("typing", ["typed", "untyped"])
@pytest.mark.parametrize(("profile", "name"), [("head", "published"), ("corrected", "corrected")])
def test_spans_agree_with_the_program(typing: str, profile: str, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    unlabelled = "".join(f"{line.rpartition(',')[0]}\n" for line in GOLD.splitlines())
    gold = put("g.csv", GOLD if typing == "typed" else unlabelled)
    results = put("t/r.csv", RESULTS)
    path = put("t.conll", tokens(A="the pilot lost the left wing /.", B="a tree near the tree /."))
    words = ["-t", "conll03", "--tokens", path, "--profile", profile] + (["-u"] if typing == "untyped" else [])
    printed = row(omin(capfd, "ner", "-g", gold, "-d", results, *words))
    bound = configure("omin-head-ner", {"types": "conll03", "typing": typing, "profile": name})
    sides = load(bound, [gold, results], [Reading(options={"tokens": path})] * 2)
    scores = evaluate(bound, *sides, zero="zero")
    regimes = ("strict", "exact", "partial", "type") if typing == "typed" else ("partial", "exact")
    found = [scores.value(measure, regime=regime) for regime in regimes for measure in ("precision", "recall", "f1")]
    assert [cell.replace("--", "0.0") for cell in printed] == [two_digits(value) for value in found]


def test_the_ledger_of_spans_gives_reasons() -> None:
    entries = list(karat.explain("omin-head-ner", put("g.csv", GOLD), put("t/r.csv", RESULTS)))
    assert [(entry.case, entry.reason) for entry in entries] == [
        ("exact", "same place and same label"),
        ("wrong-both", "LOC for MISC, and characters 24-28 for 19-28"),
        ("exact", "same place and same label"),
        ("missed", "no system entity was judged by it"),
    ]
    assert [entry.system and entry.system.text for entry in entries] == ["pilot", "WING", "TREE", None]


def test_different_texts_are_refused() -> None:
    mention = Mention("m", ((0, 1),), ("PER",))
    with pytest.raises(InputError, match="document 'd': gold and system have different texts; both sides must"):
        karat.score("omin-head-ner", [Document("d", "ab", [mention])], [Document("d", "abc", [mention])])
    found = karat.score("omin-head-ner", [Document("d", "ab", [mention])], [Document("d", "abc")])
    assert found.value("recall") == 0.0


def test_links_agree_with_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    gold = put(
        "g.csv",
        "id,sample,entity,qid\n"
        "A,THE CARGO DOOR,\"['CARGO DOOR', 'DOOR', None]\",\"['Q1', 'Q2', None]\"\n"
        "A,THE CARGO DOOR,\"['LEFT WING', 'WING', None]\",\"[None, 'Q3', None]\"\n"
        "B,AN ENGINE,\"['ENGINE', None, None]\",\"['Q4', None, None]\"\n",
    )
    results = put("t/r.csv", "c5_id,mentions,qids\nA,door,Q1\nA,WING,Q9\nA,FLOOR,Q8\nB,ENGINE,Q4\nB,ENGINES,\n")
    printed = row(omin(capfd, "nel", "-g", gold, "-d", results))
    scores = karat.score("omin-head-nel", gold, results, zero="zero")
    for number, regime in enumerate(("strong", "weak", "flexible")):
        found = [scores.value(measure, regime=regime) for measure in ("precision", "recall", "f1")]
        assert printed[5 * number : 5 * number + 3] == [two_digits(value) for value in found]
    entries = list(karat.explain("omin-head-nel", gold, results))
    assert [(entry.case, entry.reason) for entry in entries] == [
        ("right", "Q1 for 'door'"),
        ("wrong", "Q9 for 'WING', not Q3"),
        ("not-counted", "no gold mention was decided by it"),
        ("right", "Q4"),
    ]
    assert [entry.verdicts for entry in entries][:2] == [
        {"strong": "missed", "weak": "correct", "flexible": "correct"},
        {"flexible": "incorrect"},
    ]
    assert row(omin(capfd, "nel", "-g", gold, "-d", results, "--profile", "seed"))[:3] == ["0.67", "0.67", "0.67"]
    assert karat.score("omin-seed-nel", gold, results).value() == pytest.approx(2 / 3)


def test_coreferent_mentions_carry_the_identifiers_of_the_longest() -> None:
    mentions = [
        Mention("m1", ((0, 12),), text="BAGGAGE CART", links=(Link("Q1"),)),
        Mention("m2", ((13, 17),), text="CART", links=(Link("Q2"),)),
    ]
    alone = Document("d", "BAGGAGE CART CART", mentions)
    chained = Document("d", "BAGGAGE CART CART", mentions, [Chain("1", ("m1", "m2"))])
    for target, found in (("Q1", (0.5, 1.0)), ("Q2", (1.0, 1.0))):
        system = [Mention("s1", ((0, 12),), text="BAGGAGE CART", links=(Link("Q1"),))]
        system.append(Mention("s2", ((13, 17),), text="CART", links=(Link(target),)))
        values = [
            karat.score("omin-seed-nel", [gold], [Document("d", gold.text, system)]).value()
            for gold in (alone, chained)
        ]
        assert tuple(values) == found


def test_chains_agree_with_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    gold = put(
        "g.csv", 'id,sample,coreferences\nA,T,"[[[0, 1], [4, 4], [6, 6]], [[2, 2], [8, 8]]]"\nB,T,"[[[3], [5, 5]]]"\n'
    )
    results = put(
        "t/r.csv", 'c5_id,corefs\nB,"[[[3], [5, 5], [9, 9]]]"\nA,"[[[0, 1], [4, 4]], [[2, 2], [6, 6]]]"\nC,[]\n'
    )
    printed = row(omin(capfd, "coref", "-g", gold, "-d", results))
    scores = karat.score("omin-coref", gold, results)
    found = [scores.value(one, regime=name) for name in ("muc", "b3", "ceafe") for one in ("precision", "recall", "f1")]
    found.append(scores.value("f1", regime="conll"))
    assert printed[:10] == [two_digits(value) for value in found]
    with pytest.raises(InputError, match="the system lacks 1 document: B"):
        karat.score("omin-coref", gold, put("t/r.csv", "c5_id,corefs\nA,[]\n"))
