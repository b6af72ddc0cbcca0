"""Relation triples of any tool against a gold of any shape: strings or spans, own or foreign predicates.

Mirrors no program: OMIn, whose texts ask for such a comparison, has none. The regimes up to ``soft`` are defined by the
documentation.
"""

from __future__ import annotations

from functools import partial

from karat.evaluation.casebook import Casebook, RegimeCounts, prf
from karat.evaluation.protocol import Main, Protocol, Rules
from karat.protocols.triples.draft import directions, draft, remarks
from karat.protocols.triples.judge import CASES, CHECKS, LABELLED, REGIMES, beside, judge
from karat.protocols.triples.options import TripleOptions
from karat.protocols.triples.reasons import item, reason

_BOOK = Casebook(
    CASES,
    judge,
    item=item,
    reason=reason,
    counting=partial(RegimeCounts, columns=CHECKS, labelled=LABELLED, optional=("semantic",)),
    figures=partial(prf, averages=("micro", "macro-unit", "macro-label")),
    regimes=(*REGIMES, *CHECKS),
    beside=beside,
)


def bind(options: TripleOptions) -> Rules:
    """Return the rules for triples with these options."""
    return Rules(
        _BOOK,
        partial(draft, options=options),
        settle=partial(directions, options=options),
        remarks=partial(remarks, options=options),
        main=Main(regimes=REGIMES, averages=("micro",)),
    )


PROTOCOLS = (
    Protocol(
        name="triples",
        title="Relation triples, eight definitions side by side",
        task="relations",
        summary="Exact, normalised, arguments, overlap, mapped predicates, cleaned graph, soft (semantic as an extra).",
        unit="document",
        bind=bind,
        options=TripleOptions,
        docs="triples",
    ),
)
