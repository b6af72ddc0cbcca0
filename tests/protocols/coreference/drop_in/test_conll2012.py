"""The program beyond the conformance pack: where it stops, what is printed before, and what ``corrected`` corrects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.work import growth

from karat.errors import InputError
from karat.measures.published import as_perl_shows, rounded_percent, truncated_percent
from karat.protocols.coreference.countbook import Countbook
from karat.protocols.coreference.drop_in.conll2012 import METRICS, ScorerLines, ScorerRun, evaluate, read
from karat.protocols.coreference.judgement import CONLL2012


def document(*cells: str, name: str = "d") -> str:
    return f"#begin document {name}\n" + "".join(f"w\t{cell}\n" for cell in cells) + "#end document\n"


class Run:
    """Two files and what the program prints about them."""

    def __init__(self, folder: Path) -> None:
        self.gold, self.system = folder / "gold.conll", folder / "system.conll"

    def __call__(self, metric: str, gold: str, system: str, name: str | None = None, **options: bool) -> ScorerRun:
        self.gold.write_text(gold, encoding="latin-1")
        self.system.write_text(system, encoding="latin-1")
        self.run = evaluate(read(str(self.gold), str(self.system)), metric, name, **options)
        if self.run.failure is not None:
            raise self.run.failure
        return self.run

    @property
    def printed(self) -> str:
        return "".join(self.run.lines)


@pytest.fixture
def scored(tmp_path: Path) -> Run:
    return Run(tmp_path)


def last(run: Run) -> str:
    return run.printed.strip().split("\n")[-2]


def test_what_was_printed_stays_when_it_stops(scored: Run) -> None:
    with pytest.raises(InputError, match=r"system\.conll:3: Detected the end of a mention \[2\]\(0\) without begin"):
        scored("muc", document("(1)", "(1)"), document("(4+1)", "2)"))
    assert scored.printed.endswith("Entity 0: (0,0) (1,1)\n====> d:\nDiscarded (4+1)\n")


def test_the_files_are_opened_as_late_as_in_the_program(scored: Run, tmp_path: Path) -> None:
    scored("muc", document("(1)"), document("(1)"))
    files = read(str(scored.gold), str(tmp_path / "absent"))
    run = evaluate(files, "muc", "d")
    assert "no such file" in str(run.failure)
    assert run.lines[-1] == "Entity 0: (0,0)\n"
    run = evaluate(files, "all")
    assert "no such file" in str(run.failure)
    assert "".join(run.lines).endswith("\n\nMETRIC muc:\n")


def test_names_are_bytes(scored: Run) -> None:
    name = "\xc3\xa9\xff"
    scored("muc", document("(1)", name=name), document("(1)", name=name), name)
    assert f"====> {name}:\n" in scored.printed


def test_the_first_of_two_documents_if_it_is_asked_for_by_name_otherwise_the_last(scored: Run) -> None:
    twice = document("(1)", "(1)") + document("(1)")
    scored("muc", twice, twice, "d")
    assert "Total key mentions: 2" in scored.printed
    scored("muc", twice, twice)
    assert "Total key mentions: 1" in scored.printed


def test_blanc_stops_at_an_entity_without_mentions(scored: Run) -> None:
    unclosed = "#begin document d\nx\t(1\ny\t(2)\n"
    scored("ceafe", unclosed, unclosed)
    assert "Entity 0:\nEntity 1: (1,1)\n" in scored.printed
    with pytest.raises(InputError, match="without any mention that ends"):
        scored("blanc", unclosed, unclosed)
    assert scored.printed.endswith("Invented: 0\n")


class TestCorrected:
    """What the corrected profile does otherwise."""

    def test_percentages_are_rounded(self, scored: Run) -> None:
        gold = document(*["(1)"] * 58)
        system = document(*["(1)"] * 58, *["(1)"] * 43)
        scored("muc", gold, system)
        assert "(57 / 100) 56.99%" in last(scored)
        scored("muc", gold, system, corrected=True)
        assert "(57 / 100) 57%" in last(scored)

    def test_invented_mentions_count_once(self, scored: Run) -> None:
        gold, system = document("(1)", "(1)", "-"), document("(1)", "(1)", "(2)|(2)")
        scored("bcub", gold, system)
        assert "Precision: (2 / 4)" in last(scored)
        scored("bcub", gold, system, corrected=True)
        assert "Precision: (2 / 3)" in last(scored)

    def test_a_repeated_gold_mention_counts_once(self, scored: Run) -> None:
        twice = document("(1)|(1)", "(1)")
        scored("ceafm", twice, twice)
        assert "Precision: (3 / 2) 150%" in last(scored)
        scored("ceafm", twice, twice, corrected=True)
        assert "Precision: (2 / 2) 100%" in last(scored)

    def test_repeats_are_counted_for_each_metric(self, scored: Run) -> None:
        gold, system = document(*["(1)"] * 4), document(*["(1)|(2)"] * 3, "(1)|(2)")
        with pytest.raises(InputError, match="too many repeated mentions"):
            scored("all", gold, system)
        assert scored.printed.count("Repeated mention in the response") == 11
        scored("all", gold, system, corrected=True)
        assert scored.printed.count("TOTALS") == 5

    def test_missing_documents_are_named(self, scored: Run) -> None:
        gold = document("(1)", name="a") + document("(1)", name="b")
        program = scored("all", gold, document("(1)", name="b") + document("-", name="c"), corrected=True)
        assert [remark.split(": ", 1)[1] for remark in program.remarks] == [
            "lacks document 'a'; it is empty",
            "lacks document 'c'; it is left out",
        ]


@pytest.mark.parametrize("metric", METRICS)
def test_work_grows_with_the_chains(metric: str, scored: Run) -> None:
    def work(chains: int) -> Callable[[], object]:
        gold = document(*(f"({at % chains})" for at in range(5 * chains)))
        system = document(*(f"({at % chains if at % 5 else at % (chains + 3)})" for at in range(5 * chains)))
        return lambda: scored(metric, gold, system, "none")

    assert growth(work, 100) < 3
    assert "TOTALS" in scored.printed


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\xff\xfe#begin document x\n",
        b"#begin document x\n" * 30_000,
        b"(" * 1_000_000,
        b"x\n" + b"(1)" * 6_000_000,
    ],
)
def test_hostile_input_is_scored_or_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd"
    path.write_bytes(data)
    run = evaluate(read(str(path), str(path)), "all", "none")
    if run.failure is None:
        assert run.lines[-1].endswith("-\n")
    else:
        assert isinstance(run.failure, InputError)
        assert "odd" in str(run.failure)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.0, "0"), (2.2, "2.2"), (1 / 3, "0.333333333333333"), (10**16, "10000000000000000"), (1e-5, "1e-05")],
)
def test_numbers_have_15_digits(value: float, shown: str) -> None:
    assert as_perl_shows(value) == shown


@pytest.mark.parametrize(("part", "whole"), [(57, 100), (69, 100), (43, 125), (51, 125), (71, 125), (86, 125)])
def test_percentages_cut_off_a_unit_of_exact_ratios(part: int, whole: int) -> None:
    exact = part * 100 / whole
    assert truncated_percent(part / whole) == pytest.approx(exact - 0.01)
    assert rounded_percent(part / whole) == exact


def test_nothing_of_nothing_is_zero() -> None:
    lines = ScorerLines(Countbook({"muc": CONLL2012["muc"]}))
    assert lines.ratios("muc", (0, 0, 0, 0)).startswith("Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%\n---")


@pytest.mark.parametrize(
    ("together", "apart", "shown"),
    [
        ((1, 2, 1, 1), (1, 1, 1, 4), "Recall: (0.75 / 1) 75%\tPrecision: (0.625 / 1) 62.5%\tF1: 53.33%"),
        ((0, 0, 0, 3), (1, 2, 1, 1), "Recall: (0.5 / 1) 50%\tPrecision: (1 / 1) 100%\tF1: 66.66%"),
        ((1, 2, 1, 0), (0, 0, 0, 3), "Recall: (0.5 / 1) 50%\tPrecision: (0 / 1) 0%\tF1: 0%"),
        ((0, 0, 0, 1), (0, 0, 0, 1), "Recall: (0 / 1) 0%\tPrecision: (0 / 1) 0%\tF1: 0%"),
    ],
)
def test_blanc_counts_the_kinds_of_links_that_the_gold_has(
    together: tuple[int, ...], apart: tuple[int, ...], shown: str
) -> None:
    lines = ScorerLines(Countbook({"blanc": CONLL2012["blanc"]}, bounded=True))
    assert lines.blanc((*together, *apart, 0)).split("BLANC: ")[1].startswith(shown)
