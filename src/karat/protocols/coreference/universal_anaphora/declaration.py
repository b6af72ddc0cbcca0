"""Universal Anaphora: coreference with split antecedents, zeros and fragments, and what is beside it.

Mirrors ``ua-scorer.py`` 2.0 of juntaoy/universal-anaphora-scorer (commit 127ba3d), format ``ua``.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from karat.measures.chain_ratios import BlancRule
from karat.protocols.base import Figure, Main, Protocol
from karat.protocols.coreference.countbook import Countbook
from karat.protocols.coreference.universal_anaphora.draft import AnaphoraOptions, demands, draft, remarks
from karat.protocols.coreference.universal_anaphora.judgement import AnaphoraJudgement
from karat.protocols.coreference.universal_anaphora.measured import BESIDE, MEASURES
from karat.quirks import quirks_of
from karat.tally import Group


class AnaphoraBook(Countbook):
    """The book of chains with split antecedents, and of what is beside them, where there is any."""

    def _figures(self, blanc: BlancRule, *, truncated: bool) -> Iterator[Figure]:
        for figure in super()._figures(blanc, truncated=truncated):
            yield msgspec.structs.replace(figure, optional=True) if figure.regime in BESIDE else figure


PROTOCOLS = (
    Protocol(
        name="universal-anaphora",
        title="Universal Anaphora, scorer 2.0",
        task="coreference",
        summary="MUC, B³, CEAF, BLANC, LEA and the CoNLL average with split antecedents; bridging, non-referring.",
        unit="document",
        book=AnaphoraBook({**MEASURES, **BESIDE}, AnaphoraJudgement, blanc="either"),
        draft=draft,
        remarks=remarks,
        demands=demands,
        options=AnaphoraOptions,
        main=Main(regimes=("conll", *MEASURES, *BESIDE), averages=("micro",)),
        quirks=quirks_of("karat.protocols.coreference.universal_anaphora"),
        groups=(Group(),),
        reference="ua-scorer.py 2.0 of juntaoy/universal-anaphora-scorer",
        docs="universal-anaphora",
    ),
)
