"""NewsReader: disambiguation of named entities against DBpedia, in the first sentences of news.

Mirrors ``evaluate.pl`` of newsreader/evaluation (commit 212f7c6), and beside it what its documentation promises.
"""

from __future__ import annotations

from functools import partial

from karat.evaluation.protocol import Protocol, Rules, judged_layers, layers_of
from karat.evaluation.quirks import quirks_of
from karat.protocols.likeness import with_likeness
from karat.protocols.newsreader.corrected import CORRECTED_BOOK
from karat.protocols.newsreader.draft import draft, pairs, remarks
from karat.protocols.newsreader.judge import PUBLISHED_BOOK
from karat.protocols.newsreader.options import CorrectedOptions, PublishedOptions


def bind(options: PublishedOptions | CorrectedOptions) -> Rules:
    """Return the rules of the program, or of its documentation, with these options."""
    return Rules(
        PUBLISHED_BOOK if isinstance(options, PublishedOptions) else CORRECTED_BOOK,
        partial(draft, options=options),
        facts=layers_of,
        settle=judged_layers,
        pairs=partial(pairs, options=options),
        remarks=remarks,
    )


def _protocol(name: str, title: str, summary: str, *, published: bool) -> Protocol:
    protocol = Protocol(
        name=name,
        title=title,
        task="linking",
        summary=summary,
        unit="document",
        bind=bind,
        options=PublishedOptions if published else CorrectedOptions,
        quirks=quirks_of("karat.protocols.newsreader"),
        reference="evaluate.pl of newsreader/evaluation",
        docs="newsreader",
    )
    return with_likeness(protocol, {"strict": "same", "fuzzy": "any"})


PROTOCOLS = (
    _protocol(
        "newsreader-ned",
        "NewsReader entity disambiguation, as published",
        "Links in the sentences up to number six; same span (strict), or one span a run of the other (fuzzy).",
        published=True,
    ),
    _protocol(
        "newsreader-ned-corrected",
        "NewsReader entity disambiguation, as documented",
        "Links in the first five sentences; same span (strict), or any shared token (fuzzy); each counts once.",
        published=False,
    ),
)
