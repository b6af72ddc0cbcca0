"""The corrected pairing: as many right links as there can be, whatever the order of lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.cli import run
from karat.evaluation.tally import Group
from karat.protocols.newsreader.corrected import judge_corrected
from karat.protocols.newsreader.drop_in.evaluate import evaluate_corrected
from karat.protocols.newsreader.judge import Page, TokenLink
from karat.protocols.newsreader.spans import ids_of

SPANS = st.tuples(st.integers(8, 12), st.integers(1, 3)).map(
    lambda pair: "-".join(str(at) for at in range(pair[0], sum(pair)))
)
MARKS = st.lists(st.builds(TokenLink, SPANS, st.sampled_from("AB")), max_size=4)


def hits(gold: list[TokenLink], system: list[TokenLink]) -> tuple[int, int]:
    """Return how many verdicts are exact, and how many are right under fuzzy."""
    cases = Counter(verdict.case for verdict in judge_corrected(Page(Group(), gold, system)))
    return cases["exact"], cases["exact"] + cases["overlap"]


def best(gold: list[TokenLink], system: list[TokenLink]) -> tuple[int, int]:
    """Return the same of the best of all pairings, one after the other: the most exact pairs, then the most hits."""
    padded: list[TokenLink | None] = [*gold, *([None] * len(system))]
    found = (0, 0)
    for chosen in permutations(padded, len(system)):
        pairs = [
            (one, two) for one, two in zip(chosen, system, strict=True) if one is not None and one.label == two.label
        ]
        exact = sum(one.span == two.span for one, two in pairs)
        found = max(found, (exact, sum(not set(ids_of(one.span)).isdisjoint(ids_of(two.span)) for one, two in pairs)))
    return found


@given(
    st.lists(st.builds(TokenLink, SPANS, st.sampled_from("AB")), max_size=3), MARKS.filter(lambda marks: len(marks) < 4)
)
def test_no_pairing_is_better(gold: list[TokenLink], system: list[TokenLink]) -> None:
    assert hits(gold, system) == best(gold, system)


@given(MARKS, MARKS, st.data())
def test_the_order_of_lines_makes_no_difference(
    gold: list[TokenLink], system: list[TokenLink], data: st.DataObject
) -> None:
    def result(golds: list[TokenLink], systems: list[TokenLink]) -> tuple[Sequence[str], Counter[str]]:
        lines = ([("d", mark) for mark in side] for side in (golds, systems))
        evaluation = evaluate_corrected(*lines)
        return evaluation.printed, Counter(evaluation.results)

    assert result(data.draw(st.permutations(gold)), data.draw(st.permutations(system))) == result(gold, system)


@given(MARKS, MARKS)
def test_every_link_has_one_verdict(gold: list[TokenLink], system: list[TokenLink]) -> None:
    verdicts = list(judge_corrected(Page(Group(), gold, system)))
    assert sorted(verdict.gold for verdict in verdicts if verdict.gold is not None) == list(range(len(gold)))
    assert sorted(verdict.system for verdict in verdicts if verdict.system is not None) == list(range(len(system)))


@pytest.mark.parametrize("lines", [("d\t2-3-4\tB", "d\t2-3\tB"), ("d\t2-3\tB", "d\t2-3-4\tB")])
def test_a_link_leaves_its_best_partner_to_one_without_another(
    lines: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.tsv").write_text("d\t1-2\tB\nd\t4\tB\n")
    Path("s.tsv").write_text("".join(f"{line}\n" for line in lines))
    assert run(["newsreader", "evaluate", "g.tsv", "s.tsv", "r.tsv", "--profile", "corrected"]) == 0
    assert "FUZZY\t2" in capfd.readouterr().out.splitlines()


def test_an_exact_pair_is_never_given_up() -> None:
    gold = [TokenLink("1-2", "A"), TokenLink("2-3", "A")]
    assert hits(gold, [TokenLink("1", "A"), TokenLink("1-2", "A")]) == (1, 1)
