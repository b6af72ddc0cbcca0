"""CorefUD: coreference in dependency treebanks, with heads, discontinuous mentions and zeros.

Mirrors ``corefud-scorer.py`` 1.2 of ufal/corefud-scorer (commit 4fd7b0e), which scores the CRAC shared tasks.
"""

from __future__ import annotations

from karat.evaluation.protocol import Main, Protocol
from karat.evaluation.quirks import quirks_of
from karat.evaluation.tally import Group
from karat.protocols.coreference.corefud.draft import CorefudOptions, draft, left_out_by_side, pairs
from karat.protocols.coreference.corefud.measured import MEASURES, MatchedJudgement
from karat.protocols.coreference.countbook import Countbook

PROTOCOLS = (
    Protocol(
        name="corefud",
        title="CorefUD coreference, scorer 1.2",
        task="coreference",
        summary="MUC, B³, CEAF, BLANC, LEA, MOR, zero anaphors and the CoNLL average; mentions match by their heads.",
        unit="document",
        book=Countbook(MEASURES, MatchedJudgement, blanc="either"),
        pairs=pairs,
        draft=draft,
        remarks=left_out_by_side,
        options=CorefudOptions,
        main=Main(regimes=("conll", *MEASURES), averages=("micro",)),
        quirks=quirks_of("karat.protocols.coreference.corefud"),
        groups=(Group(),),
        reference="corefud-scorer.py 1.2 of ufal/corefud-scorer",
        docs="corefud",
    ),
)
