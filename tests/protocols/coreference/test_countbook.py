"""The book of coreference: one look at a sheet serves all measures, and no document depends on another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.protocols.coreference.chains import document
from tests.protocols.coreference.test_draft import mixed

import karat
from karat.evaluation.registry import protocol
from karat.evaluation.tally import Group
from karat.model import Chain, Document
from karat.protocols.coreference import judgement

NAMES = ("coref", "conll2012", "coval", "corefeval", "scorch", "corefud", "universal-anaphora")


@pytest.mark.parametrize("booked", ["tally", "ledger"])
@pytest.mark.parametrize("name", NAMES)
def test_chains_are_compared_and_aligned_once(name: str, booked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counting(function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            calls.append(function.__name__)
            return function(*arguments)

        return counted

    for function in ("contingency", "aligned_by_likeness", "aligned_by_mentions"):
        monkeypatch.setattr(judgement, function, counting(getattr(judgement, function)))
    bound = protocol(name).with_options()
    (sheet,) = bound.draft(document("abc", "de"), document("ab", "cde"), None)
    getattr(bound.book, booked)(sheet)
    assert len(calls) == len(set(calls)) > 0


def test_a_document_whose_links_are_not_counted_leaves_the_others_as_they_are() -> None:
    gold = [mixed(), document("ab", id="e")]
    system = [Document("d", mentions=gold[0].mentions[:9], chains=[Chain("c", tuple(f"0-{n}" for n in (1, 3, 5)))])]
    together = karat.score("conll2012", gold, [*system, document("ab", id="e")])
    alone = karat.score("conll2012", gold[1:], [document("ab", id="e")])
    assert together.tallies.rows[1] == alone.tallies.rows[0]
    assert together.value(regime="blanc") is None
    assert alone.value(regime="blanc") == 1
    uncounted = protocol("conll2012").with_options().counts.index("blanc-uncounted")
    assert [tally[Group()][uncounted] for tally in together.tallies.rows] == [1, 0]


def test_the_last_of_several_documents_stands_where_it_stands() -> None:
    gold = [document("ab", id="d"), document("ab", id="e"), document("cd", id="d")]
    scores = karat.score("conll2012", gold, [document("cd", id="d"), document("ab", id="e")])
    assert scores.tallies.units == ["e", "d"]
    assert scores.value(regime="b3") == 1
