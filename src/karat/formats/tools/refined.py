"""ReFinED: linked spans as it prints them, one document a line, or recorded CSV files.

A span is ``['mention', Entity(wikidata_entity_id=Q1, wikipedia_entity_title=T), 'TYPE' or None]``; an entity may be
``Entity not linked to a knowledge base``, or ``None`` for a number or a date. The published conversion stops at the
first span of a record that has a type, no entity, a mention with an apostrophe or a title with a bracket, and so loses
up to six of seven spans; ``conversion=published`` does the same.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.tools.base import Records, ToolOptions, conversion
from karat.formats.tools.draft import NIL, Draft, Origin
from karat.model import Document, Link

_SPAN = re.compile(
    r"""\[(?P<mention>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\s
    (?:(?P<none>None|Entity\ not\ linked\ to\ a\ knowledge\ base)|Entity\((?P<entity>[^\n]*?)\)),\s
    (?P<type>None|'[^']*')\]""",
    re.VERBOSE,
)
_ID = re.compile(r"wikidata_entity_id=(Q[0-9]+)")
_TITLE = re.compile(r"wikipedia_entity_title=(.*)")
_EXPECTED = "expected ['MENTION', Entity(…) or None, 'TYPE' or None]"


@dataclass(frozen=True)
class Options(ToolOptions):
    """What can be said about the output of ReFinED."""

    conversion: str = conversion("spans")


class RefinedSpan(NamedTuple):
    """A span of ReFinED; what it lacks is empty. Numbers and dates have no target, other spans have one or NIL."""

    mention: str
    target: str
    title: str
    label: str
    published: bool
    """Whether the published conversion can read it: without a type, an apostrophe, or a bracket in the title."""


def parse_spans(text: str) -> list[RefinedSpan]:
    """Return the spans of a document.

    >>> [one[:4] for one in parse_spans("[['FUEL', Entity(wikidata_entity_id=Q42501), 'ORG']]")]
    [('FUEL', 'Q42501', '', 'ORG')]
    """
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        raise InputError(f"the spans {shown(text)} are no list; {_EXPECTED}")
    spans: list[RefinedSpan] = []
    offset, end = 1, len(text) - 1
    while offset < end:
        match = _SPAN.match(text, offset, end)
        if match is None:
            raise InputError(f"the span {shown(text[offset:end])} cannot be read; {_EXPECTED}")
        spans.append(_linked(match))
        offset = match.end() + (2 if text.startswith(", ", match.end()) else 0)
    return spans


def _linked(match: re.Match[str]) -> RefinedSpan:
    entity = match["entity"] or ""
    target = NIL if (match["none"] or "").startswith("Entity") else ""
    identifier, title = _ID.search(entity), _TITLE.search(entity)
    label = "" if match["type"] == "None" else match["type"][1:-1]
    try:
        mention = str(
            ast.literal_eval(match["mention"])
        )  # one text and nothing else: the pattern lets no other through
    except (SyntaxError, ValueError) as error:
        raise InputError(f"the mention {shown(match['mention'])} is no text; {_EXPECTED}") from error
    plain = match["mention"].startswith("'") and "\\" not in match["mention"] and ")" not in entity
    published = plain and not label and match["none"] != "None"
    return RefinedSpan(mention, identifier[1] if identifier else target, title[1] if title else "", label, published)


def as_published(spans: list[RefinedSpan]) -> list[RefinedSpan]:
    """Return the spans that the published conversion keeps: those before the first it cannot read."""
    return list(takewhile(lambda span: span.published, spans))


class Builder:
    """Builds documents from printed spans."""

    def __init__(self, options: Options) -> None:
        self.records = Records(options.records)
        self.published = options.conversion == "published"

    def document(self, name: str, printed: str, text: str | None, origin: Origin) -> Document:
        """Return the document of what was printed."""
        draft = Draft(name, self.records.text(name, text), origin)
        spans = parse_spans(printed)
        kept = as_published(spans) if self.published else spans
        if len(kept) < len(spans):
            lost = len(spans) - len(kept)
            origin.repair(
                f"document {shown(name)}: {lost} of {len(spans)} spans left out, as the published conversion does"
            )
        for span in kept:
            attributes = {"title": span.title} if span.title else {}
            labels = (span.label,) if span.label else ()
            draft.named(span.mention, labels, links=(Link(span.target),) if span.target else (), attributes=attributes)
        return draft.document()
