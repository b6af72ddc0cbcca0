"""neuralcoref: chains as ``Doc._.coref_clusters`` prints them, one document a line, or recorded CSV files.

The printed chains are texts: ``[MAIN: [MENTION, MENTION], …]``. Each mention is looked for behind the one before it in
its chain, in the text or among the words of the token file. A mention may hold a comma itself: the main one says so,
and one that is not found is tried together with what follows; where two may be one, that is reported. A live ``Doc``
has the places themselves, see :mod:`karat.formats.tools.spacy`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from karat.annotations.faults import shown
from karat.annotations.locating import Haystack, align_words
from karat.errors import InputError
from karat.formats.tools.base import Records, conversion
from karat.formats.tools.chains import ChainOptions, TokenFile
from karat.formats.tools.draft import Draft, Origin
from karat.formats.tools.words import Words
from karat.model import Document, Span
from karat.settings import option

MAX_PUBLISHED = 4
"""Chains that the published conversion reads."""
_CLOSED = re.compile(r"\](?:, |$)")


@dataclass(frozen=True)
class Options(ChainOptions):
    """What can be said about the output of neuralcoref."""

    records: str = option("", "a CSV file with the ids and texts of the records", metavar="FILE")
    conversion: str = conversion("chains")


def parse_clusters(text: str) -> list[list[str]]:
    """Return the texts of the mentions of each chain, split at commas.

    >>> parse_clusters("[ACFT: [ACFT, IT], PILOT: [THE PILOT, HE]]")
    [['ACFT', 'IT'], ['THE PILOT', 'HE']]
    """
    inner = text.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        raise InputError(f"the chains {shown(text)} have no brackets; expected [MAIN: [MENTION, MENTION]]")
    inner = inner[1:-1]
    chains: list[list[str]] = []
    start = 0
    while start < len(inner):
        begin = inner.find(": [", start)
        end = _CLOSED.search(inner, begin + 3) if begin >= 0 else None
        if end is None:
            raise InputError(f"the chain {shown(inner[start:])} is not closed; expected MAIN: [MENTION, MENTION]")
        chains.append(_mentions(inner[begin + 3 : end.start()], inner[start:begin]))
        start = end.end()
    return chains


def _mentions(listed: str, main: str) -> list[str]:
    """Return the mentions of a chain, split at commas except where the main one has some itself."""
    pieces, together = listed.split(", "), main.split(", ")
    mentions: list[str] = []
    first = 0
    while first < len(pieces):
        size = len(together) if pieces[first : first + len(together)] == together else 1
        mentions.append(", ".join(pieces[first : first + size]))
        first += size
    return mentions


class _Places:
    """Finds the mentions of a chain one behind the other: in the text, or among the words if there is no text.

    Where there are both, a place in the text becomes that of the words that stand there.
    """

    def __init__(self, words: Words | None, text: str | None) -> None:
        self.haystack = Haystack(words.text if words and text is None else text or "")
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._moves = words is not None and text is not None
        if words is not None and text is not None:
            aligned = zip(align_words(words.forms, text), words.spans, strict=True)
            pairs = [
                (in_text, in_words) for in_text, in_words in aligned if in_text is not None and in_words is not None
            ]
            self._starts = {in_text[0]: in_words[0] for in_text, in_words in pairs}
            self._ends = {in_text[1]: in_words[1] for in_text, in_words in pairs}

    def moved(self, span: Span | None) -> Span | None:
        """Return the place among the words of a place in the text; none if it cuts a word."""
        if span is None or not self._moves:
            return span
        start, end = self._starts.get(span[0]), self._ends.get(span[1])
        return None if start is None or end is None else (start, end)

    def of_chain(self, mentions: Sequence[str]) -> list[tuple[str, Span | None]]:
        """Return the mentions of a chain with their places; pieces that only stand together are joined again."""
        placed: list[tuple[str, Span | None]] = []
        end = 0
        first = 0
        while first < len(mentions):
            given, span = mentions[first], self._behind(mentions[first], end)
            used = 1
            while span is None and first + used < len(mentions) and used < 8:
                used += 1
                span = self._behind(", ".join(mentions[first : first + used]), end)
            if span is None:
                used = 1
            else:
                given, end = ", ".join(mentions[first : first + used]), span[1]
            placed.append((given, span))
            first += used
        return placed

    def _behind(self, mention: str, end: int) -> Span | None:
        spans, _ = self.haystack.find(mention)
        return next((span for span in spans if span[0] >= end), None)


class Builder:
    """Builds documents from printed chains."""

    def __init__(self, options: Options) -> None:
        self.tokens, self.records = TokenFile(options.tokens), Records(options.records)
        self.published = options.conversion == "published"

    def document(self, name: str, printed: str, given: str | None, origin: Origin) -> Document:
        """Return the document of what was printed."""
        words = self.tokens.words(name)
        text = self.records.text(name, given)
        if words is None and text is None:
            message = f"document {shown(name)} has chains as texts, but nobody knows its text"
            raise InputError(
                f"{message}; name the token file with --read tokens=FILE, or the records with records=FILE"
            )
        places = _Places(words, None if self.published and words else text)
        draft = words.draft(name, origin) if words else Draft(name, text, origin)
        chains = parse_clusters(printed)
        if self.published and len(chains) > MAX_PUBLISHED:
            origin.repair(
                f"document {shown(name)}: {len(chains)} chains; the published conversion reads {MAX_PUBLISHED}"
            )
            chains = chains[:MAX_PUBLISHED]
        for chain in chains:
            placed = places.of_chain(chain)
            for (first, before), (second, behind) in pairwise(placed):
                if before and behind and places.haystack.text[before[1] : behind[0]].strip() == ",":
                    message = f"{shown(first)} and {shown(second)} may be one mention with a comma; read as two"
                    origin.repair(f"document {shown(name)}: {message}")
            draft.chain([_add(draft, mention, places.moved(span)) for mention, span in placed])
        return draft.document()


def _add(draft: Draft, mention: str, span: Span | None) -> str:
    """Add a mention; one without a place has the place that the published conversion gives it."""
    if span is None:
        draft.origin.repair(f"document {shown(draft.name)}: {shown(mention)} is not found behind the mention before it")
        return draft.at(None, given=mention, attributes={"place": "[-1, -1]"})
    surface = (draft.text or "")[slice(*span)]
    return draft.at(span, attributes={} if surface == mention else {"given": mention})
