"""Relations between mentions, under all definitions of a correct relation that are in use, side by side.

Mirrors no single program: which published F1 corresponds to which regime is said in the documentation.
"""

from __future__ import annotations

from karat.protocols.base import Main, Protocol, old_protocol
from karat.protocols.relations.judge import COUNTS, FIGURES, REGIMES, tally
from karat.protocols.relations.ledger import ledger
from karat.protocols.relations.options import RelationOptions
from karat.protocols.relations.prepare import prepare

PROTOCOLS = (
    old_protocol(
        name="relations",
        title="Relations and events, five definitions side by side",
        task="relations",
        summary="Strict, boundaries, last token, relaxed and entity level; labels, roles and direction as options.",
        unit="document",
        counts=COUNTS,
        figures=FIGURES,
        prepare=prepare,
        tally=tally,
        ledger=ledger,
        options=RelationOptions,
        main=Main(regimes=REGIMES, averages=("micro",)),
        docs="relations",
    ),
)
