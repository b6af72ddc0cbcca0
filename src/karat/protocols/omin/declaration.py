"""OMIn: named entities, coreference and entity links in maintenance records, as nd-crane/trusted_ke evaluates them.

Mirrors ``ner_eval.py`` of the first evaluation (revision 27c29d99), ``ner_semeval.py``, ``cr_eval.py`` and
``nel_eval.py`` of the last one (135462ae), and what the description of the first one says about links.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from karat.evaluation.protocol import Book, Protocol, Rules, judged_layers, layers_of
from karat.evaluation.quirks import quirks_of
from karat.protocols.coreference.countbook import Countbook
from karat.protocols.coreference.draft import Drafting, chain_protocol
from karat.protocols.coreference.judgement import COREFEVAL
from karat.protocols.coreference.preparation import as_they_are
from karat.protocols.likeness import why_asked_at_once
from karat.protocols.omin import links, phrases, spans
from karat.protocols.omin.mentions import by_gold, demands
from karat.protocols.omin.options import BestLinkOptions, LinkOptions, OminChainOptions, PhraseOptions, SpanOptions


def _rules(book: Book, **declared: Any) -> Rules:
    """Return the rules of an evaluation that looks at the gold documents, layer by layer."""
    usual: dict[str, Any] = {"facts": layers_of, "settle": judged_layers, "pairs": by_gold}
    return Rules(book, **{**usual, "demands": demands(), **declared})


def _of_phrases(options: PhraseOptions) -> Rules:
    steps = {"draft": partial(phrases.draft, options=options), "pairs": partial(phrases.pairs, options=options)}
    return _rules(phrases.BOOK, **steps)


def _of_spans(options: SpanOptions) -> Rules:
    steps = {"facts": partial(spans.facts, options=options), "draft": partial(spans.draft, options=options)}
    return _rules(spans.BOOK, demands=spans.demands(options), **steps)


def _of_links(options: links.AnyOptions) -> Rules:
    return _rules(
        links.link_book(options.setups),
        draft=partial(links.draft, options=options),
        whole=partial(why_asked_at_once, options=options),
        draft_all=partial(links.draft_all, options=options),
    )


def _protocol(name: str, bind: Callable[[Any], Rules], **declared: Any) -> Protocol:
    return Protocol(name=name, unit="document", bind=bind, quirks=quirks_of(__package__, name), docs="omin", **declared)


PROTOCOLS = (
    _protocol(
        "omin-seed-ner",
        _of_phrases,
        title="OMIn named entities, first evaluation",
        task="entities",
        summary="Entities as texts, without labels: the same text (strict), or one inside of the other (non-strict).",
        options=PhraseOptions,
        reference="evaluations/automatic/ner_eval.py of nd-crane/trusted_ke at 27c29d99",
    ),
    _protocol(
        "omin-head-ner",
        _of_spans,
        title="OMIn named entities, later evaluation",
        task="entities",
        summary="Entities as labelled spans by the four schemes of SemEval-2013, with the matching of NER-Evaluation.",
        options=SpanOptions,
        reference="evaluations/quantitative/ner_semeval.py of nd-crane/trusted_ke at 135462ae",
    ),
    chain_protocol(
        "omin-coref",
        Drafting(as_they_are, identity="literal", surplus="leave"),
        book=Countbook(COREFEVAL, singletons=False),
        title="OMIn coreference",
        summary="MUC, B³, CEAFe, LEA and the CoNLL average of the gold documents, as coreference-eval counts them.",
        options=OminChainOptions,
        quirks=(*quirks_of("karat.protocols.coreference", "omin-coref"), *quirks_of(__package__, "omin-coref")),
        reference="evaluations/quantitative/cr_eval.py of nd-crane/trusted_ke at 135462ae",
        docs="omin",
    ),
    _protocol(
        "omin-head-nel",
        _of_links,
        task="linking",
        options=LinkOptions,
        title="OMIn entity links",
        summary="Links of the gold phrases: the same phrase (strong), one inside of the other (weak), or any of three.",
        reference="evaluations/quantitative/nel_eval.py of nd-crane/trusted_ke at 135462ae",
    ),
    _protocol(
        "omin-seed-nel",
        _of_links,
        task="linking",
        options=BestLinkOptions,
        title="OMIn entity links, as first described",
        summary="The best link of the gold phrases: identifiers of longer phrases count too, other links do not.",
        reference="evaluations/README.md of nd-crane/trusted_ke at 27c29d99",
    ),
)
