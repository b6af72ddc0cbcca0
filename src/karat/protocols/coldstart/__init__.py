"""TAC KBP Cold Start 2015, slot filling: fills of slots, hop by hop, against assessed equivalence classes.

Mirrors CS-Score 2.3.1 (and CS-ProjectSFScoreToLDCScores 1.2 for LDC queries), and what they were meant to be.
"""

from __future__ import annotations

from karat.protocols.base import Main, old_protocol
from karat.protocols.coldstart.book import COUNTS, FIGURES, HOPS, tally
from karat.protocols.coldstart.draft import prepare
from karat.protocols.coldstart.ledger import ledger
from karat.protocols.coldstart.options import SlotOptions
from karat.protocols.coldstart.points import REGIMES
from karat.protocols.coldstart.quirks import QUIRKS

PROTOCOLS = (
    old_protocol(
        name="tac2015-sf",
        title="TAC KBP Cold Start 2015, slot filling",
        task="slots",
        summary="Fills of slots at every hop against assessed equivalence classes; a fill needs a right parent.",
        unit="query",
        counts=COUNTS,
        figures=FIGURES,
        prepare=prepare,
        tally=tally,
        ledger=ledger,
        options=SlotOptions,
        main=Main(regimes=REGIMES, averages=("micro", "macro-query")),
        quirks=QUIRKS,
        groups=HOPS,
        reference="CS-Score.pl 2.3.1 of jamesmayfield/ColdStart (commit a119f6f)",
        docs="coldstart",
    ),
)
