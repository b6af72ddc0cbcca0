"""OMIn: named entities, coreference and entity links in maintenance records, as nd-crane/trusted_ke evaluates them.

Mirrors ``ner_eval.py`` of the first evaluation (revision 27c29d99), ``ner_semeval.py``, ``cr_eval.py`` and
``nel_eval.py`` of the last one (135462ae), and what the description of the first one says about links.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from karat.protocols.base import Main, Protocol, old_protocol
from karat.protocols.coreference.arranging import as_they_are
from karat.protocols.coreference.countbook import Countbook
from karat.protocols.coreference.draft import Drafting, chain_protocol
from karat.protocols.coreference.measured import COREFEVAL
from karat.protocols.omin import links, phrases, spans
from karat.protocols.omin.levels import SETUPS
from karat.protocols.omin.options import BestLinkOptions, ChainOptions, LinkOptions, PhraseOptions, SpanOptions
from karat.protocols.omin.quirks import CHAIN_QUIRKS, LINK_QUIRKS, PHRASE_QUIRKS, SPAN_QUIRKS
from karat.protocols.omin.schemes import CASES


def _protocol(name: str, **declared: Any) -> Protocol:
    regimes = tuple(dict.fromkeys(figure.regime for figure in declared["figures"]))
    return old_protocol(name=name, unit="document", main=Main(regimes, ("micro",)), docs="omin", **declared)


PROTOCOLS = (
    _protocol(
        "omin-seed-ner",
        title="OMIn named entities, first evaluation",
        task="entities",
        summary="Entities as texts, without labels: the same text (strict), or one inside of the other (non-strict).",
        counts=phrases.CASES,
        figures=phrases.FIGURES,
        prepare=phrases.prepare,
        tally=phrases.tally,
        ledger=phrases.ledger,
        options=PhraseOptions,
        quirks=PHRASE_QUIRKS,
        reference="evaluations/automatic/ner_eval.py of nd-crane/trusted_ke at 27c29d99",
    ),
    _protocol(
        "omin-head-ner",
        title="OMIn named entities, later evaluation",
        task="entities",
        summary="Entities as labelled spans by the four schemes of SemEval-2013, with the matching of NER-Evaluation.",
        counts=CASES,
        figures=spans.FIGURES,
        prepare=spans.prepare,
        tally=spans.tally,
        ledger=spans.ledger,
        options=SpanOptions,
        quirks=SPAN_QUIRKS,
        reference="evaluations/quantitative/ner_semeval.py of nd-crane/trusted_ke at 135462ae",
    ),
    chain_protocol(
        "omin-coref",
        Drafting(as_they_are, identity="literal", surplus="leave"),
        book=Countbook(COREFEVAL, singletons=False),
        title="OMIn coreference",
        summary="MUC, B³, CEAFe, LEA and the CoNLL average of the gold documents, as coreference-eval counts them.",
        options=ChainOptions,
        quirks=CHAIN_QUIRKS,
        reference="evaluations/quantitative/cr_eval.py of nd-crane/trusted_ke at 135462ae",
        docs="omin",
    ),
    _protocol(
        "omin-head-nel",
        title="OMIn entity links",
        task="linking",
        summary="Links of the gold phrases: the same phrase (strong), one inside of the other (weak), or any of three.",
        counts=links.counts(SETUPS),
        figures=links.figures(SETUPS),
        prepare=partial(links.prepare, setups=SETUPS),
        tally=links.tally,
        ledger=links.ledger,
        options=LinkOptions,
        quirks=LINK_QUIRKS,
        reference="evaluations/quantitative/nel_eval.py of nd-crane/trusted_ke at 135462ae",
    ),
    _protocol(
        "omin-seed-nel",
        title="OMIn entity links, as first described",
        task="linking",
        summary="The best link of the gold phrases: identifiers of longer phrases count too, other links do not.",
        counts=links.counts(links.BEST),
        figures=links.figures(links.BEST),
        prepare=partial(links.prepare, setups=links.BEST),
        tally=links.tally,
        ledger=links.ledger,
        options=BestLinkOptions,
        reference="evaluations/README.md of nd-crane/trusted_ke at 27c29d99",
    ),
)
