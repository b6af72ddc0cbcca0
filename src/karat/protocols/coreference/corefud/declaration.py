"""CorefUD: coreference in dependency treebanks, with heads, discontinuous mentions and zeros.

Mirrors ``corefud-scorer.py`` 1.2 of ufal/corefud-scorer (commit 4fd7b0e), which scores the CRAC shared tasks.
"""

from __future__ import annotations

from functools import partial

from karat.evaluation.protocol import Main, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.evaluation.tally import Group
from karat.protocols.coreference.corefud.draft import CorefudOptions, draft, left_out_by_side, pairs
from karat.protocols.coreference.corefud.measures import MEASURES, MatchedJudgement
from karat.protocols.coreference.countbook import Countbook

_BOOK = Countbook(MEASURES, MatchedJudgement, blanc="either")


def bind(options: CorefudOptions) -> Rules:
    """Return the rules of the scorer with these options."""
    return Rules(
        _BOOK,
        partial(draft, options=options),
        pairs=partial(pairs, options=options),
        remarks=left_out_by_side,
        main=Main(regimes=("conll", *MEASURES), averages=("micro",)),
    )


PROTOCOLS = (
    Protocol(
        name="corefud",
        title="CorefUD coreference, scorer 1.2",
        task="coreference",
        summary="MUC, B³, CEAF, BLANC, LEA, MOR, zero anaphors and the CoNLL average; mentions match by their heads.",
        unit="document",
        bind=bind,
        options=CorefudOptions,
        quirks=quirks_of("karat.protocols.coreference.corefud"),
        groups=(Group(),),
        reference="corefud-scorer.py 1.2 of ufal/corefud-scorer",
        docs="corefud",
    ),
)
