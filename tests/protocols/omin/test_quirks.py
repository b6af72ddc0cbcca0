"""Every named quirk of the OMIn programs, with the number it gives and the one that it should give."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.protocols.omin.files import omin, put, refused, row, tokens

import karat
from karat.cli import run
from karat.evaluation.registry import protocol
from karat.model import Chain, Document, Link, Mention
from karat.protocols.omin.declaration import PROTOCOLS

PROFILES = ("published", "corrected")
SHOWN: dict[str, str] = {}
A = "A00000000000000"


def shows(name: str) -> Callable[[Any], Any]:
    def note(test: Any) -> Any:
        SHOWN[name] = test.__name__
        return test

    return note


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def texts(*given: str, id: str = "d") -> Document:  # noqa: A002
    """Return a document whose mentions are these texts, one after the other."""
    text, mentions = "", []
    for number, one in enumerate(given, 1):
        mentions.append(Mention(f"m{number}", ((len(text), len(text) + len(one)),), text=one))
        text += f"{one} "
    return Document(id, text, mentions)


def spans(*given: tuple[int, int, str]) -> Document:
    mentions = [Mention(f"m{number}", ((start, end),), (label,)) for number, (start, end, label) in enumerate(given)]
    return Document("d", "abcdefghij", mentions)


def linked(*given: tuple[str, str], id: str = "d", **attributes: str) -> Document:  # noqa: A002
    document = texts(*(phrase for phrase, _ in given), id=id)
    document.mentions = [
        Mention(one.id, one.spans, text=one.text, links=tuple(map(Link, targets.split("|"))), attributes=attributes)
        for one, (_, targets) in zip(document.mentions, given, strict=True)
    ]
    return document


def both(name: str, gold: list[Document], system: list[Document], measure: str, regime: str, **options: str) -> list:
    return [
        karat.score(name, gold, system, profile=profile, **options).value(measure, regime=regime)
        for profile in PROFILES
    ]


def ner(gold: str, results: str, capfd: pytest.CaptureFixture[str], *words: str) -> list[list[str]]:
    """Return precision, recall and F1 of both profiles of the first program."""
    paths = ["-g", put("g.csv", f"id,sample,entities\n{gold}"), "-d", put("t/r.csv", f"c5_id,entities\n{results}")]
    return [
        [line[15:] for line in omin(capfd, "ner", "--profile", profile, *paths, *words)[3:6]]
        for profile in ("seed", "corrected")
    ]


def head(gold: str, results: str, text: str, capfd: pytest.CaptureFixture[str], *words: str) -> list[list[str]]:
    """Return the row of both profiles of the later program."""
    paths = ["-g", put("g.csv", f"id,sample,entities,labels\n{gold}")]
    paths += ["-d", put("t/r.csv", f"c5_id,entities,labels\n{results}"), "--tokens", put("t.conll", tokens(A=text))]
    found = []
    for profile in ("head", "corrected"):
        assert run(["omin", "ner", "-t", "conll03", "--profile", profile, *paths, *words]) == 0
        found.append(row(capfd.readouterr().out.splitlines()))
    return found


@shows("all-documents-count")
def test_all_documents_count(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [texts("WING")], [texts("WING"), texts("DOOR", id="e")]
    assert both("omin-seed-ner", gold, system, "precision", "strict") == [0.5, 1.0]
    assert karat.score("omin-seed-ner", gold, system).notes == (
        "counted as wrong 1 system document that the gold lacks: e",
    )
    assert [one[0] for one in ner("A,T,WING\n", "A,WING\nB,DOOR\n", capfd)] == ["0.5", "1.0"]


@shows("matches-are-not-used-up")
def test_matches_are_not_used_up(capfd: pytest.CaptureFixture[str]) -> None:
    assert both("omin-seed-ner", [texts("WING", "WING")], [texts("WING")], "recall", "strict") == [1.0, 0.5]
    assert [one[1] for one in ner("A,T,WING\nA,T,WING\n", "A,WING\n", capfd)] == ["1.0", "0.5"]


@shows("counted-on-two-sides")
def test_counted_on_two_sides() -> None:
    gold, system = [texts("WING", "WING", "WING")], [texts("WING", "DOOR")]
    assert both("omin-seed-ner", gold, system, "precision", "strict") == [0.75, 0.5]


@shows("capitals-only-once")
def test_capitals_only_once(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [texts("WING")], [texts("wing")]
    assert both("omin-seed-ner", gold, system, "precision", "strict") == [0.5, 1.0]
    assert both("omin-seed-ner", gold, system, "recall", "strict") == [1.0, 1.0]
    assert [one[:2] for one in ner("A,T,WING\n", "A,wing\n", capfd)] == [["0.5", "1.0"], ["1.0", "1.0"]]


@shows("characters-not-words")
def test_characters_not_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert both("omin-seed-ner", [texts("CARGO DOOR")], [texts("CAR")], "f1", "non-strict") == [1.0, 1.0]
    assert [one[2] for one in ner("A,T,CARGO DOOR\n", "A,CAR\n", capfd)] == ["1.0", "1.0"]


@shows("na-is-missing")
def test_na_is_missing(capfd: pytest.CaptureFixture[str]) -> None:
    paths = ["-g", put("g.csv", "id,sample,entities\nA,T,WING\n"), "-d", put("t/r.csv", "c5_id,entities\nA,NA\n")]
    said = refused(capfd, "ner", "--profile", "seed", *paths)
    assert "t/r.csv:2: the entity is missing, where the published program stops; fill it in" in said
    assert omin(capfd, "ner", "--profile", "corrected", *paths)[3:5] == ["Precision      0", "Recall         0.0"]


@shows("gold-is-not-used-up")
def test_gold_is_not_used_up(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [spans((0, 4, "PER"))], [spans((0, 2, "PER"), (2, 4, "PER"))]
    assert both("omin-head-ner", gold, system, "precision", "type") == [1.0, 0.5]
    counts = karat.score("omin-head-ner", gold, system).rows[0].counts
    assert counts == dict(zip(protocol("omin-head-ner").with_options().counts, (0, 0, 2, 0, 0, 0), strict=True))
    found = head(f"{A},T,THE WING,PER\n", f"{A},THE,PER\n{A},WING,PER\n", "the wing", capfd)
    assert [one[9] for one in found] == ["1.0", "0.5"]


@shows("first-overlap-decides")
def test_first_overlap_decides() -> None:
    gold, system = [spans((0, 2, "PER"), (2, 5, "LOC"))], [spans((1, 5, "LOC"))]
    assert both("omin-head-ner", gold, system, "precision", "type") == [0.0, 1.0]


@shows("gold-repeats-collapse")
def test_gold_repeats_collapse() -> None:
    gold, system = [spans((0, 2, "PER"), (0, 2, "PER"))], [spans((0, 2, "PER"))]
    assert both("omin-head-ner", gold, system, "recall", "strict") == [1.0, 0.5]


@shows("lost-mentions-match")
def test_lost_mentions_match(capfd: pytest.CaptureFixture[str]) -> None:
    lost = [Document("d", "a", [Mention(one, (), ("PER",))]) for one in "xy"]
    assert both("omin-head-ner", lost[:1], lost[1:], "f1", "strict") == [1.0, 0.0]
    reasons = [entry.reason for entry in karat.explain("omin-head-ner", lost[:1], lost[1:])]
    assert reasons == ["neither is in the text and same label"]
    found = head(f"{A},T,FOREST,PER\n", f"{A},JUNGLE,PER\n", "the wing", capfd)
    assert [one[0] for one in found] == ["1.0", "0.0"]


@shows("untyped-has-labels")
def test_untyped_has_labels(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [spans((0, 2, "x"), (1, 3, "y"))], [spans((1, 3, "PER"))]
    options = {"typing": "untyped", "types": "conll03"}
    assert both("omin-head-ner", gold, system, "precision", "exact", **options) == [0.0, 1.0]
    assert both("omin-head-ner", gold, [spans((1, 3, "DATE"))], "recall", "exact", **options) == [0.0, 0.5]
    assert karat.score("omin-head-ner", gold, system, typing="untyped").value("precision", regime="exact") == 1.0
    paths = ["-g", put("g.csv", f"id,sample,entities\n{A},T,WING\n"), "--tokens", put("t.conll", tokens(A="the wing"))]
    paths += ["-d", put("t/r.csv", f"c5_id,entities,labels\n{A},WING,DATE\n"), "-t", "conll03", "-u"]
    found = [row(omin(capfd, "ner", *paths, "--profile", profile))[4] for profile in ("head", "corrected")]
    assert found == ["0.0", "1.0"]


@shows("one-possessive")
def test_one_possessive(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-g", put("g.csv", f"id,sample,entities,labels\n{A},T,CREW'S,PER\n"), "-t", "conll03"]
    words += ["-d", put("t/r.csv", f"c5_id,entities,labels\n{A},CREW'S,PER\n")]
    words += ["--tokens", put("t.conll", tokens(A="the pilot 's crew 's engine"))]
    said = refused(capfd, "ner", *words)
    assert f"document '{A}' has an 'S that the published program cannot join to the token before it" in said
    assert row(omin(capfd, "ner", *words, "--profile", "corrected"))[:3] == ["1.0", "1.0", "1.0"]


@shows("incomplete-rows-vanish")
def test_incomplete_rows_vanish(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-g", put("g.csv", f"id,sample,entities,labels\n{A},T,WING,LOC\n"), "-t", "conll03"]
    words += ["-d", put("t/r.csv", f"c5_id,entities,labels,confidence\n{A},WING,LOC,\n")]
    words += ["--tokens", put("t.conll", tokens(A="the wing"))]
    found = [row(omin(capfd, "ner", *words, "--profile", profile))[1] for profile in ("head", "corrected")]
    assert found == ["0.0", "1.0"]


@shows("warning-names-another")
def test_warning_names_another(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-g", put("g.csv", f"id,sample,entities,labels\n{A},T,THE WING,LOC\n{A},T,FOREST,LOC\n{A},T,WING,LOC\n")]
    words += ["-t", "conll03", "-d", put("t/r.csv", "c5_id,entities,labels\n")]
    words += ["--tokens", put("t.conll", tokens(A="the wing"))]
    assert omin(capfd, "ner", *words)[0].endswith("Ignore if none of these are present in GS: ['THE WING']")
    assert run(["omin", "ner", *words, "--profile", "corrected"]) == 0
    assert capfd.readouterr().err == "karat: 1 mention not in the tokens\n"


def chain(*clusters: list[tuple[int, int]], written: str = "") -> Document:
    """Return a document of chains; ``written`` says how the first mention was written."""
    document = Document("d")
    for cluster in clusters:
        ids = [f"m{len(document.mentions) + at}" for at in range(len(cluster))]
        attributes = {"offset": written} if written and not document.mentions else {}
        document.mentions += [
            Mention(one, (span,), attributes=attributes) for one, span in zip(ids, cluster, strict=True)
        ]
        document.chains.append(Chain(str(len(document.chains)), tuple(ids)))
    return document


def coref(gold: str, results: str, capfd: pytest.CaptureFixture[str]) -> list[list[str]]:
    paths = ["-g", put("g.csv", f'id,sample,coreferences\nA,T,"{gold}"\n')]
    paths += ["-d", put("t/r.csv", f'c5_id,corefs\nA,"{results}"\n')]
    return [row(omin(capfd, "coref", *paths, "--profile", profile)) for profile in ("head", "corrected")]


@shows("repeats-are-shared-again")
def test_repeats_are_shared_again(capfd: pytest.CaptureFixture[str]) -> None:
    gold, results = "[[[0, 0], [1, 1], [1, 1], [1, 1]]]", "[[[0, 0], [1, 1]]]"
    assert [one[7] for one in coref(gold, results, capfd)] == ["1.3", "1.0"]


@shows("ceafe-drops-system-singletons")
def test_ceafe_drops_system_singletons(capfd: pytest.CaptureFixture[str]) -> None:
    both_sides = [chain([(0, 1), (1, 2)], [(5, 6)])]
    assert karat.score("omin-coref", both_sides, both_sides).value("recall", regime="ceafe") == 0.5
    assert karat.score("coref", both_sides, both_sides).value("recall", regime="ceafe") == 1.0
    chains = "[[[0, 0], [1, 1]], [[5, 5]]]"
    assert [one[7] for one in coref(chains, chains, capfd)] == ["0.5", "1.0"]


@shows("b3-and-lea-skip-singletons")
def test_b3_and_lea_skip_singletons(capfd: pytest.CaptureFixture[str]) -> None:
    found = coref("[[[0, 0], [1, 1]], [[5, 5]]]", "[[[0, 0], [1, 1]]]", capfd)
    assert [(one[4], one[11]) for one in found] == [("1.0", "1.0"), ("0.67", "0.67")]


@shows("one-number-is-another-mention")
def test_one_number_is_another_mention(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [chain([(10, 11), (1, 2)], written="10")], [chain([(10, 11), (1, 2)])]
    assert karat.score("omin-coref", gold, system).value("f1", regime="muc") == 0.0
    assert karat.score("coref", gold, system).value("f1", regime="muc") == 1.0
    assert [one[2] for one in coref("[[[10], [1, 1]]]", "[[[10, 10], [1, 1]]]", capfd)] == ["0.0", "1.0"]


@shows("first-row-counts")
def test_first_row_counts(capfd: pytest.CaptureFixture[str]) -> None:
    gold = put("g.csv", 'id,sample,coreferences\nA,T,"[[[0, 0], [1, 1]]]"\nB,T,[]\n')
    results = put("t/r.csv", 'c5_id,corefs\nA,[]\nA,"[[[0, 0], [1, 1]]]"\nB,[]\nC,[]\n')
    assert row(omin(capfd, "coref", "-g", gold, "-d", results))[2] == "0.0"
    assert karat.score("omin-coref", gold, results).value("f1", regime="muc") == 0.0
    results = put("t/r.csv", 'c5_id,corefs\nA,"[[[0, 0], [1, 1]]]"\n')
    assert "there is no row for document 'B'" in refused(capfd, "coref", "-g", gold, "-d", results)
    assert run(["omin", "coref", "-g", gold, "-d", results, "--profile", "corrected"]) == 0
    assert capfd.readouterr().err == "karat: 1 gold document without a result row counted as having no chains\n"
    assert karat.score("omin-coref", gold, results, missing="empty").value("f1", regime="muc") == 1.0


def nel(levels: str, results: str, capfd: pytest.CaptureFixture[str], *words: str) -> list[list[str]]:
    paths = [
        "-g",
        put("g.csv", f"id,sample,entity,qid\n{levels}"),
        "-d",
        put("t/r.csv", f"c5_id,mentions,qids\n{results}"),
    ]
    return [row(omin(capfd, "nel", *paths, *words, "--profile", profile)) for profile in ("head", "corrected")]


DOOR = "A,T,\"['DOOR', None, None]\",\"['Q1', None, None]\"\n"


@shows("first-candidate-decides")
def test_first_candidate_decides(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [linked(("DOOR", "Q1"))], [linked(("DOOR", "Q9"), ("DOOR", "Q1"))]
    assert both("omin-head-nel", gold, system, "f1", "strong") == [0.0, 1.0]
    assert [one[2] for one in nel(DOOR, "A,DOOR,Q9\nA,DOOR,Q1\n", capfd)] == ["0.0", "1.0"]


@shows("wrong-is-not-missed")
def test_wrong_is_not_missed(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [linked(("DOOR", "Q1"), ("WING", "Q2"))], [linked(("DOOR", "Q1"), ("WING", "Q9"))]
    assert both("omin-head-nel", gold, system, "recall", "strong") == [1.0, 0.5]
    wing = DOOR.replace("DOOR", "WING")
    assert [one[1] for one in nel(DOOR + wing, "A,DOOR,Q1\nA,WING,Q9\n", capfd)] == ["1.0", "0.5"]


@shows("equal-levels-hide")
def test_equal_levels_hide(capfd: pytest.CaptureFixture[str]) -> None:
    gold, system = [linked(("CART", "Q1|Q2"), secondary="CART")], [linked(("CART", "Q2"))]
    assert both("omin-head-nel", gold, system, "f1", "flexible") == [0.0, 1.0]
    assert karat.score("omin-seed-nel", gold, system).value() == 1.0
    cart = "A,T,\"['CART', 'CART', None]\",\"['Q1', 'Q2', None]\"\n"
    assert [one[12] for one in nel(cart, "A,CART,Q2\n", capfd)] == ["0.0", "1.0"]


@shows("likeness-of-one-level")
def test_likeness_of_one_level(capfd: pytest.CaptureFixture[str]) -> None:
    levels = "A,T,\"['CARGO DOOR', 'DOOR', None]\",\"['Q1', 'Q2', None]\"\n"
    scores = put("s.csv", "q1,q2,class,jc\nQ1,Q1,1,1\nQ2,Q1,0.25,0.5\n")
    found = nel(levels, "A,DOOR,Q1\n", capfd, "--similarity-table", scores)
    assert [one[13:] for one in found] == [["0.5", "0.25"], ["1.0", "1.0"]]


@shows("numbers-are-not-identifiers")
def test_numbers_are_not_identifiers(capfd: pytest.CaptureFixture[str]) -> None:
    one = DOOR.replace("Q1", "1")
    assert [found[0] for found in nel(one, "A,DOOR,1\n", capfd)] == ["0.0", "0.0"]
    assert [found[0] for found in nel(one, "A,DOOR,1\nB,DOOR,x\n", capfd)] == ["1.0", "1.0"]


@shows("gold-keeps-small-letters")
def test_gold_keeps_small_letters(capfd: pytest.CaptureFixture[str]) -> None:
    gold, results = put("g.csv", f"id,sample,entities\n{A},T,Wing\n"), put("t/r.csv", f"c5_id,entities\n{A},Wing\n")
    published, corrected = (karat.score("omin-seed-ner", gold, results, profile=one) for one in PROFILES)
    assert (published.value("recall"), corrected.value("recall")) == (0.0, 1.0)
    assert [one[1] for one in nel(DOOR.replace("DOOR", "Door"), "A,Door,Q1\n", capfd)] == ["0.0", "0.0"]
    gold = put("g.csv", f"id,sample,entities,labels\n{A},T,Wing,LOC\n")
    words = ["-g", gold, "-d", put("t/r.csv", f"c5_id,entities,labels\n{A},Wing,LOC\n"), "-t", "conll03"]
    words += ["--tokens", put("t.conll", tokens(A="the wing"))]
    assert [row(omin(capfd, "ner", *words, "--profile", profile))[1] for profile in ("head", "corrected")] == [
        "0.0"
    ] * 2


@shows("full-stops-are-marked")
def test_full_stops_are_marked(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-g", put("g.csv", f"id,sample,entities,labels\n{A},T,CO /.,ORG\n"), "-t", "conll03"]
    words += ["-d", put("t/r.csv", f"c5_id,entities,labels\n{A},CO .,ORG\n")]
    words += ["--tokens", put("t.conll", tokens(A="the co /."))]
    assert row(omin(capfd, "ner", *words))[:2] == ["0.0", "0.0"]
    put("g.csv", f"id,sample,entities,labels\n{A},T,CO .,ORG\n")
    assert row(omin(capfd, "ner", *words, "--profile", "corrected"))[:2] == ["1.0", "1.0"]


def test_no_quirk_is_forgotten() -> None:
    names = dict.fromkeys(quirk.name for one in PROTOCOLS for quirk in one.quirks)
    assert set(SHOWN) == set(names)
    page = (Path(__file__).parents[3] / "docs" / "protocols" / "omin.md").read_text("utf-8").split("## Quirks")[1]
    assert dict.fromkeys(re.findall(r"^\| `([\w-]+)` \| \S.* \|$", page, re.MULTILINE)) == names
