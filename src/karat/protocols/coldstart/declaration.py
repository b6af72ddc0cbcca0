"""TAC KBP Cold Start 2015, slot filling: fills of slots, hop by hop, against assessed equivalence classes.

Mirrors CS-Score 2.3.1 (and CS-ProjectSFScoreToLDCScores 1.2 for LDC queries), and what they were meant to be.
"""

from __future__ import annotations

from functools import partial

from karat.evaluation.protocol import Main, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.protocols.coldstart.book import HOPS, SlotBook
from karat.protocols.coldstart.draft import draft, draft_all, in_order, pairs, remarks, runs_of, together
from karat.protocols.coldstart.options import SlotOptions
from karat.protocols.coldstart.pages import REGIMES


def bind(options: SlotOptions) -> Rules:
    """Return the rules of slot filling with these options."""
    return Rules(
        SlotBook(),
        partial(draft, options=options),
        facts=runs_of,
        settle=partial(in_order, options=options),
        pairs=partial(pairs, options=options),
        whole=partial(together, options=options),
        draft_all=partial(draft_all, options=options),
        remarks=remarks,
        main=Main(regimes=REGIMES, averages=("micro", "macro-query")),
    )


PROTOCOLS = (
    Protocol(
        name="tac2015-sf",
        title="TAC KBP Cold Start 2015, slot filling",
        task="slots",
        summary="Fills of slots at every hop against assessed equivalence classes; a fill needs a right parent.",
        unit="query",
        bind=bind,
        options=SlotOptions,
        quirks=quirks_of(__package__),
        groups=HOPS,
        reference="CS-Score.pl 2.3.1 of jamesmayfield/ColdStart (commit a119f6f)",
        docs="coldstart",
    ),
)
