"""CoVal's options that need the parse of the gold, NP_only and min_spans: numbers of the program, and its surprises.

The counts in ``CASES`` are those that ``scorer.py`` of ns-moosavi/coval (commit 87071a6) has for the same files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.protocols.coreference.chains import columns, value

import karat
from karat.cli import run
from karat.errors import InputError
from karat.protocols.coreference.declaration import PROTOCOLS

Sides = tuple[Path, Path]
REGIMES = ("mentions", "muc", "b3", "ceafe", "lea")
BRIDGE = """
Ada      NNP (TOP(S(NP*)    (0)      (0)
crossed  VBD (VP*           (1)      (1)
the      DT  (NP(NP*        (2       (2
old      JJ  *              -        -
bridge   NN  *)             -        2)
over     IN  (PP*           -        -
the      DT  (NP*           (3       (3
Aare     NNP *))))          2)|3)    3)
.        .   *))            -        -

It       PRP (TOP(S(NP*)    (2)      (2)
swayed   VBD (VP*)          (1)      -
when     WRB (SBAR*         -        -
she      PRP (S(NP*)        (0)      (0)
did      VBD (VP*)))        -        (1)
.        .   *))            -        -
"""
WINS = """
Her      PRP$ (TOP(S(NP*    (0|(1)   (0|(1)
win      NN   *)            0)       0)
pleased  VBD  (VP*          (2)      (2)
the      DT   (NP(NP*       (3       (3|(3
coach    NN   *)            -        3)
who      WP   (SBAR(WHNP*)  (3)      -
had      VBD  (S(VP*        -        -
trained  VBN  (VP*          (2)      (2)
her      PRP  (NP*)))))))   3)|(1)   3)|(1)
.        .    *))           -        -
"""
TWICE = """
this     DT  (TOP(S(NP*)    (0)      -
and      CC  *              -        -
this     DT  (NP*)          -        (0)
are      VBP (VP*           -        -
U.S.     NNP (NP*           (1       -
10-year  JJ  *              -        -
bonds    NNS (NX*)          1)       (1)
,        ,   *              -        -
1998     CD  (NP*)))        (0)|(1)  (0)|(1)
.        .   *))            -        -
"""


def sides(folder: Path, rows: str) -> Sides:
    """Write rows of word, part of speech, parse, gold cell and system cell as two files."""
    for side, column in (("gold", 3), ("system", 4)):
        cells = [row.split() for row in rows.strip().split("\n")]
        lines = ["\t".join(["d", "0", "0", *row[:3], "-", row[column]]) if row else "" for row in cells]
        text = "\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""])
        (folder / f"{side}.conll").write_text(text, encoding="utf-8")
    return folder / "gold.conll", folder / "system.conll"


def counts(found: Sides, **options: Any) -> list[tuple[float, ...]]:
    """Return the counts of every measure: found, gold, given, system."""
    rows = {row.regime: row.counts for row in karat.score("coval", *found, **options).rows if row.measure == "f1"}
    return [tuple(rows[regime].get(part, 0) for part in ("found", "gold", "given", "system")) for regime in REGIMES]


NP, MIN, FLAT, MORE = {"np_only": "yes"}, {"min_spans": "yes"}, {"nested": "remove"}, {"singletons": "remove"}
CASES: list[Any] = [
    (BRIDGE, {}, [(5, 7, 5, 7), (1, 3, 1, 3), (4, 7, 4, 7), (3, 4, 3, 4), (3, 7, 3, 7)]),
    (BRIDGE, MIN, [(6, 7, 6, 7), (2, 3, 2, 3), (5.5, 7, 5.5, 7), (3.5, 4, 3.5, 4), (5, 7, 5, 7)]),
    (BRIDGE, NP, [(4, 5, 4, 5), (1, 2, 1, 2), (3.5, 5, 3.5, 5), (2.5, 3, 2.5, 3), (3, 5, 3, 5)]),
    (BRIDGE, NP | MIN | MORE, [(4, 4, 4, 4), (2, 2, 2, 2), (4, 4, 4, 4), (2, 2, 2, 2), (4, 4, 4, 4)]),
    (WINS, FLAT | MORE, [(4, 4, 4, 4), (2, 2, 2, 2), (4, 4, 4, 4), (2, 2, 2, 2), (4, 4, 4, 4)]),
    (WINS, MIN | FLAT, [(6, 7, 6, 6), (2, 3, 3, 3), (5.5, 7, 7, 7), (3.5, 4, 3.5, 4), (5, 7, 7, 7)]),
    (WINS, MIN | FLAT | MORE, [(4, 4, 4, 5), (2, 2, 2, 3), (4, 4, 4, 6), (2, 2, 2, 3), (4, 4, 4, 6)]),
    (WINS, NP | MORE, [(3, 4, 3, 4), (1, 2, 1, 2), (2.5, 4, 2.5, 4), (1.5, 2, 1.5, 2), (2, 4, 2, 4)]),
    (WINS, NP | MIN | FLAT, [(4, 5, 4, 4), (1, 2, 2, 2), (3.5, 5, 5, 5), (2.5, 3, 2.5, 3), (3, 5, 5, 5)]),
    (WINS, NP | MIN | FLAT | MORE, [(2, 2, 2, 3), (1, 1, 1, 2), (2, 2, 2, 4), (1, 1, 1, 2), (2, 2, 2, 4)]),
    (TWICE, {}, [(1, 3, 1, 3), (0, 2, 0, 2), (1, 4, 1, 4), (1, 2, 1, 2), (0, 4, 0, 4)]),
    (TWICE, MIN, [(3, 3, 3, 3), (1, 2, 1, 2), (3, 4, 3, 4), (2, 2, 2, 2), (2, 4, 2, 4)]),
]


@pytest.mark.parametrize(("rows", "options", "expected"), CASES)
def test_counts_are_those_of_the_program(
    rows: str, options: dict[str, str], expected: list[tuple[float, ...]], tmp_path: Path
) -> None:
    found = counts(sides(tmp_path, rows), **options)
    assert found == [pytest.approx(one, rel=1e-9) for one in expected]


def mentions_found(rows: str, folder: Path, **options: Any) -> float:
    """Return the F1 of mentions."""
    return value("coval", *sides(folder, rows), regime="mentions", **options) or 0.0


def notes(rows: str, folder: Path, **options: Any) -> tuple[str, ...]:
    return karat.score("coval", *sides(folder, rows), **options).notes


class TestQuirks:
    """What the options do that their users may not expect."""

    def test_np_only_by_the_outermost_bracket(self, tmp_path: Path) -> None:
        rows = """
            Rain   NN  (TOP(S(NP*)   (1)  (1)
            may    MD  (VP*          -    -
            stop   VB  {}            (1)  (1)
            soon   RB  (ADVP*)))     (1)  (1)
        """
        went = ("left out 1 gold verb phrase", "left out 1 system verb phrase")
        for cell, expected in (("(VP*)", went), ("(VP*", went), ("*", ()), ("(S(VP*))", ()), ("(VPX*)", ())):
            assert notes(rows.format(cell), tmp_path, np_only="yes") == expected

    def test_np_only_drops_lone_mentions(self, tmp_path: Path) -> None:
        rows = """
            Rain   NN  (TOP(S(NP*)  (1)  (1)
            fell   VBD (VP*)        (2)  (2)
            and    CC  *            -    -
            it     PRP (NP*)        (2)  (2)
            stayed VBD (VP*)))      -    -
        """
        went = [(1, 1, 1, 1), (0, 0, 0, 0), (1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)]
        assert counts(sides(tmp_path, rows), np_only="yes", singletons="keep") == went
        assert "left out 1 lone gold mention" in notes(rows, tmp_path, np_only="yes")

    def test_minimum_span_ends_at_the_bracket(self, tmp_path: Path) -> None:
        flat = """
            the    DT  (TOP(NP*  (1  (1
            man    NN  *         -   1)
            in     IN  (PP*      -   -
            May    NNP (NP*))))  1)  -
        """
        assert mentions_found(flat, tmp_path, min_spans="yes") == 0.0
        deep = flat.replace("(TOP(NP*", "(TOP(NP(NP*").replace("man    NN  *  ", "man    NN  *)")
        assert [mentions_found(deep, tmp_path, min_spans=one) for one in ("yes", "no")] == [1.0, 0.0]

    def test_minimum_span_passes_over_words(self, tmp_path: Path) -> None:
        rows = """
            {}     NNP (TOP(NP*  (1  -
            bonds  NNS (NX*)))   1)  (1)
        """
        for word, expected in (("U.S.", 1.0), ("10-year", 1.0), ("Swiss", 0.0), ("1998", 0.0)):
            assert mentions_found(rows.format(word), tmp_path, min_spans="yes") == expected

    def test_minimum_span_without_content(self, tmp_path: Path) -> None:
        rows = """
            {0}    {1} (TOP(S(NP*)  (1)  -
            and    CC  *            -    -
            {0}    {1} (NP*)))      -    (1)
        """
        assert mentions_found(rows.format("this", "DT"), tmp_path, min_spans="yes") == 1.0
        assert mentions_found(rows.format("she", "PRP"), tmp_path, min_spans="yes") == 0.0

    def test_nested_by_minimum_span(self, tmp_path: Path) -> None:
        """*Bern* and *old Bern* lie in others; the whole has the minimum span of *Bern*, and goes with it."""
        rows = """
            very    RB  (TOP(S(NP(ADJP*  (1      (1
            old     JJ  *)               (1      (1
            Bern    NNP (NP*)            (1)|1)  (1)|1)
            in      IN  (PP*             -       -
            May     NNP (NP*)))          1)      1)
            changed VBD (VP*             -       -
            it      PRP (NP*))))         (1)     (1)
        """
        went = ("left out 3 nested gold mentions", "left out 3 nested system mentions")
        assert notes(rows, tmp_path, nested="remove", min_spans="yes") == went
        assert notes(rows, tmp_path, nested="remove") == ()

    def test_parse_is_needed(self, tmp_path: Path) -> None:
        """The program starts a parser for min_spans, and leaves out nothing for NP_only."""
        rows = "Ada NNP - (1) (1)\nsmiled VBD - - -\n. . - - -"
        for options in (NP, MIN):
            with pytest.raises(InputError, match=r"has a column PARSE without any parse; .* need the parse"):
                notes(rows, tmp_path, **options)
        assert notes(rows, tmp_path) == ()


SHOWN = [name.removeprefix("test_").replace("_", "-") for name in vars(TestQuirks) if name.startswith("test_")]


def test_quirks_are_declared() -> None:
    declared = [quirk.name for protocol in PROTOCOLS if protocol.name == "coval" for quirk in protocol.quirks]
    assert declared[-len(SHOWN) :] == SHOWN


class TestRefusals:
    """What cannot be scored, in a sentence."""

    def test_no_column(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        gold = columns(tmp_path / "gold.conll", "Ada (1)", "and -", "she (1)")
        for flag in ("--np-only", "--min-spans"):
            assert run(["score", "coval", str(gold), str(gold), flag, "yes"]) == 3
            assert "document '(d); part 000' has no column PARSE; np_only and min_spans need" in capsys.readouterr().err

    def test_documents_without_mentions_need_none(self, tmp_path: Path) -> None:
        empty = columns(tmp_path / "gold.conll", "Ada -")
        assert value("coval", empty, empty, min_spans="yes") is None

    @pytest.mark.parametrize("cell", ["NP*", "(NP", "*(NP*)", "(NP*)*"])
    def test_odd_cell(self, cell: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"of 'Ada' is no cell of a parse; expected brackets"):
            notes(f"Ada NNP {cell} (1) -\nsmiled VBD (VP*) - -", tmp_path, np_only="yes")

    def test_sentence_that_the_gold_lacks(self, tmp_path: Path) -> None:
        gold, system = sides(tmp_path, "Ada NNP (NP*) (1) (1)\nsmiled VBD (VP*) - -\nshe PRP (NP*) (1) (1)")
        system.write_text(system.read_text("utf-8").replace("\nd\t0\t0\tshe", "\n\nd\t0\t0\tshe"), encoding="utf-8")
        with pytest.raises(InputError, match="has no sentence 2, where the system has a mention"):
            karat.score("coval", gold, system, min_spans="yes")

    def test_chain_of_nested_mentions(self, tmp_path: Path) -> None:
        """As in :meth:`TestQuirks.test_nested_by_minimum_span`, where a mention outside was left."""
        rows = """
            very  RB  (TOP(S(NP(ADJP*  (1      (1
            old   JJ  *)               (1|(1   (1|(1
            Bern  NNP (NP*)            (1)|1)  (1)|1)
            in    IN  (PP*             -       -
            May   NNP (NP*)))          1)|1)   1)|1)
            came  VBD (VP*)))          -       -
        """
        with pytest.raises(InputError, match="every mention of chain '1' is nested, or has the minimum span"):
            notes(rows, tmp_path, nested="remove", min_spans="yes")

    def test_mention_without_words_in_its_sentence(self, tmp_path: Path) -> None:
        rows = "Ada NNP (NP*) - -\nsmiled VBD (VP*) (1 (1\n\nshe PRP (NP*) 1) 1)"
        with pytest.raises(InputError, match="no words in the sentence where it ends"):
            notes(rows, tmp_path, np_only="yes")


class TestOtherFormats:
    """A system may be of any format: the parse is the gold's."""

    @pytest.mark.parametrize("more", [{}, {"sentences": [["Ada", "crossed"]]}])
    def test_json_lines(self, tmp_path: Path, more: dict[str, Any]) -> None:
        gold, _ = sides(tmp_path, BRIDGE)
        system = tmp_path / "system.jsonlines"
        forms = [row.split()[0] for row in BRIDGE.strip().split("\n") if row]
        if more:
            more = {"sentences": [forms[:9], forms[9:]]}
        found = {"doc_key": "(d); part 000", "clusters": [[[2, 4], [9, 9]], [[0, 0], [12, 12]]]} | more
        system.write_text(json.dumps(found), encoding="utf-8")
        assert value("coval", gold, system, "precision", "mentions") == 0.75
        assert value("coval", gold, system, "precision", "mentions", min_spans="yes") == 1.0

    def test_characters(self, tmp_path: Path) -> None:
        gold = list(karat.read(sides(tmp_path, BRIDGE)[0]))
        at = gold[0].text.index("the old bridge")
        spans = [[at, at + len("the old bridge")], [at, at + len("the old bridge over")]]
        mentions = [{"id": f"m{n}", "spans": [span]} for n, span in enumerate(spans)]
        chains = [{"id": "1", "mentions": ["m0", "m1"]}]
        system = [{"id": gold[0].id, "text": gold[0].text, "mentions": mentions, "chains": chains}]
        assert value("coval", gold, system, "precision", "mentions") == 0.0
        assert value("coval", gold, system, "precision", "mentions", min_spans="yes") == 1.0


def test_ledger_agrees(tmp_path: Path) -> None:
    found = sides(tmp_path, BRIDGE)
    cases = [one.case for one in karat.explain("coval", *found, min_spans="yes") if one.layer == "mentions"]
    assert (cases.count("missed"), cases.count("invented"), len(cases)) == (1, 1, 8)


def test_options_are_in_the_signature(tmp_path: Path) -> None:
    signature = str(karat.score("coval", *sides(tmp_path, BRIDGE), np_only="yes", min_spans="yes").signature)
    assert "|np_only:yes|min_spans:yes|" in signature
