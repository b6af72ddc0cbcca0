"""CorefUD: coreference in dependency treebanks, with heads, discontinuous mentions and zeros.

Mirrors ``corefud-scorer.py`` 1.2 of ufal/corefud-scorer (commit 4fd7b0e), which scores the CRAC shared tasks.
"""

from __future__ import annotations

from karat.protocols.base import Main, Protocol, old_protocol
from karat.protocols.coreference.corefud.counting import MEASURES
from karat.protocols.coreference.corefud.judge import ledger, tally
from karat.protocols.coreference.corefud.options import CorefudOptions
from karat.protocols.coreference.corefud.prepare import prepare
from karat.protocols.coreference.corefud.quirks import QUIRKS
from karat.protocols.coreference.figures import figures, names
from karat.tally import Group

PROTOCOLS = (
    old_protocol(
        name="corefud",
        title="CorefUD coreference, scorer 1.2",
        task="coreference",
        summary="MUC, B³, CEAF, BLANC, LEA, MOR, zero anaphors and the CoNLL average; mentions match by their heads.",
        unit="document",
        counts=names(MEASURES),
        figures=figures(MEASURES, blanc="either"),
        prepare=prepare,
        tally=tally,
        ledger=ledger,
        options=CorefudOptions,
        main=Main(regimes=("conll", *MEASURES), averages=("micro",)),
        quirks=QUIRKS,
        groups=(Group(),),
        reference="corefud-scorer.py 1.2 of ufal/corefud-scorer",
        docs="corefud",
    ),
)
