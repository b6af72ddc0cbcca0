"""NewsReader: disambiguation of named entities against DBpedia, in the first sentences of news.

Mirrors ``evaluate.pl`` of newsreader/evaluation (commit 212f7c6), and beside it what its documentation promises.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from karat.measures.ratios import Formula, f1, precision, recall
from karat.protocols.base import Figure, Main, Protocol, old_protocol
from karat.protocols.likeness import with_likeness
from karat.protocols.newsreader.judge import CORRECTED, PUBLISHED, REGIMES, ledger, tally
from karat.protocols.newsreader.options import CorrectedOptions, PublishedOptions
from karat.protocols.newsreader.prepare import prepare
from karat.protocols.newsreader.quirks import QUIRKS

_NO_GOLD = ("spurious", "repeated", "gold-again", "both-again")
"""Cases that are about no gold link, or about one that is counted already."""
_NO_SYSTEM = ("missed", "system-again", "both-again")
"""Cases that are about no system link, or about one that is counted already."""


def _formula(cases: tuple[str, ...], regime: str, ratio: Any) -> Formula:
    right = [place for place, case in enumerate(cases) if case in REGIMES[regime]]
    system = [place for place, case in enumerate(cases) if case not in _NO_SYSTEM]
    gold = [place for place, case in enumerate(cases) if case not in _NO_GOLD]

    def formula(counts: Sequence[Any]) -> tuple[Any, Any]:
        correct, actual, possible = (sum(counts[place] for place in places) for places in (right, system, gold))
        return ratio(correct, actual, possible)  # type: ignore[no-any-return]

    return formula


def _figures(cases: tuple[str, ...]) -> tuple[Figure, ...]:
    return tuple(
        Figure(measure, regime, "micro", _formula(cases, regime, ratio))
        for regime in REGIMES
        for measure, ratio in (("precision", precision), ("recall", recall), ("f1", f1))
    )


def _protocol(name: str, title: str, summary: str, *, published: bool) -> Protocol:
    cases = PUBLISHED if published else CORRECTED
    protocol = old_protocol(
        name=name,
        title=title,
        task="linking",
        summary=summary,
        unit="document",
        counts=cases,
        figures=_figures(cases),
        prepare=partial(prepare, published=published),
        tally=tally,
        ledger=ledger,
        options=PublishedOptions if published else CorrectedOptions,
        main=Main(regimes=tuple(REGIMES), averages=("micro",)),
        quirks=QUIRKS,
        reference="evaluate.pl of newsreader/evaluation",
        docs="newsreader",
    )
    return with_likeness(protocol, {"strict": "same", "fuzzy": "any"})


PROTOCOLS = (
    _protocol(
        "newsreader-ned",
        "NewsReader entity disambiguation, as published",
        "Links in the sentences up to number six; same span (strict), or one span a run of the other (fuzzy).",
        published=True,
    ),
    _protocol(
        "newsreader-ned-corrected",
        "NewsReader entity disambiguation, as documented",
        "Links in the first five sentences; same span (strict), or any shared token (fuzzy); each counts once.",
        published=False,
    ),
)
