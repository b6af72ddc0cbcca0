"""Universal Anaphora: coreference with split antecedents, zeros and fragments, and what is beside it.

Mirrors ``ua-scorer.py`` 2.0 of juntaoy/universal-anaphora-scorer (commit 127ba3d), format ``ua``.
"""

from __future__ import annotations

from functools import partial

from karat.evaluation.protocol import Main, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.evaluation.tally import Group
from karat.protocols.coreference.countbook import Countbook
from karat.protocols.coreference.universal_anaphora.draft import AnaphoraOptions, demands, draft, remarks
from karat.protocols.coreference.universal_anaphora.judgement import AnaphoraJudgement
from karat.protocols.coreference.universal_anaphora.measures import BESIDE, MEASURES

_BOOK = Countbook({**MEASURES, **BESIDE}, AnaphoraJudgement, blanc="either", optional=BESIDE)


def bind(options: AnaphoraOptions) -> Rules:
    """Return the rules of the scorer with these options."""
    return Rules(
        _BOOK,
        partial(draft, options=options),
        remarks=partial(remarks, options=options),
        demands=demands(options),
        main=Main(regimes=("conll", *MEASURES, *BESIDE), averages=("micro",)),
    )


PROTOCOLS = (
    Protocol(
        name="universal-anaphora",
        title="Universal Anaphora, scorer 2.0",
        task="coreference",
        summary="MUC, B³, CEAF, BLANC, LEA and the CoNLL average with split antecedents; bridging, non-referring.",
        unit="document",
        bind=bind,
        options=AnaphoraOptions,
        quirks=quirks_of("karat.protocols.coreference.universal_anaphora"),
        groups=(Group(),),
        reference="ua-scorer.py 2.0 of juntaoy/universal-anaphora-scorer",
        docs="universal-anaphora",
    ),
)
