"""Relation triples of any tool against a gold of any shape: strings or spans, own or foreign predicates.

Mirrors no program: OMIn, whose texts ask for such a comparison, has none. The regimes up to ``soft`` are defined by the
documentation.
"""

from __future__ import annotations

from karat.protocols.base import Main, Protocol, old_protocol
from karat.protocols.triples.counting import COUNTS, FIGURES, tally
from karat.protocols.triples.judge import REGIMES
from karat.protocols.triples.ledger import ledger
from karat.protocols.triples.options import TripleOptions
from karat.protocols.triples.prepare import prepare

PROTOCOLS = (
    old_protocol(
        name="triples",
        title="Relation triples, eight definitions side by side",
        task="relations",
        summary="Exact, normalised, arguments, overlap, mapped predicates, cleaned graph, soft (semantic as an extra).",
        unit="document",
        counts=COUNTS,
        figures=FIGURES,
        prepare=prepare,
        tally=tally,
        ledger=ledger,
        options=TripleOptions,
        main=Main(regimes=REGIMES, averages=("micro",)),
        docs="triples",
    ),
)
