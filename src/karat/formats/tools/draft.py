"""Builds a document from the output of a tool: mentions by offsets, strings or words, chains and relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from karat.annotations.faults import shown
from karat.annotations.location import Haystack, Location, align_words, locate
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.formats.base import Problems
from karat.model import Argument, Chain, Document, Link, Mention, Relation, Span, TokenTable

NIL = "NIL"


class Origin(NamedTuple):
    """The source of a document, for messages."""

    path: str
    line: int | None
    problems: Problems

    def repair(self, message: str) -> None:
        """Report that something was read differently from how it is written."""
        self.problems.repair(self.path, self.line, message)

    def drop(self, what: str, message: str) -> None:
        """Report that something is not read, which is noted beside scores."""
        self.problems.drop(self.path, self.line, what, message)


class ToolDraft:
    """Gathers the annotations of one document.

    ``text`` is None if it is unknown; mentions given as strings then have no spans, which is not reported as a fault.
    The ``rule`` locates strings in the text.

    >>> draft = ToolDraft("d", "WING AND WING", Origin("x", 1, Problems()))
    >>> _ = draft.named("wing", ("PART",)), draft.named("wing")
    >>> [mention.spans for mention in draft.document().mentions]
    [((0, 4),), ((9, 13),)]
    """

    def __init__(
        self,
        name: str,
        text: str | None,
        origin: Origin,
        table: TokenTable | None = None,
        *,
        rule: Callable[[list[str], str, Mapping[int, Span]], list[Location]] = locate,
    ) -> None:
        self.name, self.text, self.origin, self.table, self._rule = name, text, origin, table, rule
        self._mentions: list[Mention] = []
        self._waiting: dict[int, str] = {}
        """How mentions were named whose places are to be found, by index."""
        self._things: dict[str, str] = {}
        self._haystack: Haystack | None = None
        self._chains: list[Chain] = []
        self._relations: list[Relation] = []

    def at(
        self,
        span: Span | None,
        labels: tuple[str, ...] = (),
        *,
        given: str = "",
        links: tuple[Link, ...] = (),
        attributes: Mapping[str, str] | None = None,
    ) -> str:
        """Add a mention at a span, or without one; ``given`` is its text as the tool states it."""
        more = dict(attributes or {})
        if span is None:
            return self._add((), labels, given, links, more)
        text = self.text or ""
        if not 0 <= span[0] < span[1] <= len(text):
            message = f"document {shown(self.name)}: the span {list(span)} is outside of the text or empty"
            raise InputError(f"{message}; the text has {len(text)} characters")
        surface = text[slice(*span)]
        if given and given != surface:
            if given.lower() != surface.lower():
                fault = f"at {list(span)} stands {shown(surface)}, not {shown(given)}"
                raise InputError(f"document {shown(self.name)}: {fault}; offsets must count characters of the text")
            more["given"] = given
        return self._add((span,), labels, surface, links, more)

    def named(
        self,
        given: str,
        labels: tuple[str, ...] = (),
        *,
        links: tuple[Link, ...] = (),
        attributes: Mapping[str, str] | None = None,
    ) -> str:
        """Add a mention given as a string, which is located when the document is complete."""
        self._waiting[len(self._mentions)] = given
        return self._add((), labels, given, links, dict(attributes or {}))

    def thing(self, given: str) -> str:
        """Return the mention for an end of a relation: one for all equal strings, at their first occurrence."""
        if given not in self._things:
            if self.text is None:
                place = Location(None, "absent")
            else:
                self._haystack = self._haystack or Haystack(self.text)
                place = self._haystack.first(given)
            self._things[given] = self._add((), (), given, (), {})
            self._mentions[-1] = self._place(self._mentions[-1], given, place)
        return self._things[given]

    def relation(self, head: str, label: str, tail: str) -> None:
        """Add a relation between two mentions, by their ids."""
        ends = (Argument("head", head), Argument("tail", tail))
        self._relations.append(Relation(f"r{len(self._relations) + 1}", label, ends))

    def triple(self, head: str, relation: str, tail: str) -> None:
        """Add a relation between two strings; one with an empty part is reported and left out."""
        if head.strip() and relation.strip() and tail.strip():
            self.relation(self.thing(head), relation, self.thing(tail))
        else:
            self.origin.repair(f"the triple {(head, relation, tail)!r:.100} has an empty part; it is left out")

    def chain(self, mentions: Iterable[str]) -> None:
        """Add a chain of mentions, by their ids."""
        self._chains.append(Chain(f"c{len(self._chains) + 1}", tuple(mentions)))

    def repair(self, message: str) -> None:
        """Report that something about the document was read differently from how it is written."""
        self.origin.repair(f"document {shown(self.name)}: {message}")

    def document(self) -> Document:
        """Return the document, with all mentions located that can be."""
        for index, given, place in self._places():
            self._mentions[index] = self._place(self._mentions[index], given, place)
        self._waiting = {}
        text = self.text or ""
        if self.table is None:  # whose tokens may end with blanks
            end = max((mention.end for mention in self._mentions), default=0)
            text = text[: max(end, len(text.rstrip()))]
        return Document(self.name, text, self._mentions, self._chains, self._relations, table=self.table)

    def _places(self) -> Iterator[tuple[int, str, Location]]:
        """Yield the mentions given as strings with their locations, which avoid those of other mentions."""
        if not self._waiting:
            return
        if self.text is None:
            yield from ((index, given, Location(None, "absent")) for index, given in self._waiting.items())
            return
        indices = [index for index, mention in enumerate(self._mentions) if index in self._waiting or mention.end]
        known = {
            rank: self._mentions[index].spans[0] for rank, index in enumerate(indices) if index not in self._waiting
        }
        named = [self._waiting.get(index, self._mentions[index].text) for index in indices]
        for index, given, place in zip(indices, named, self._rule(named, self.text, known), strict=True):
            if index in self._waiting:
                yield index, given, place

    def _place(self, mention: Mention, given: str, place: Location) -> Mention:
        """Return the mention with its span, and report one without a span or within a word."""
        if place.span is None:
            if self.text is not None:
                self.repair(f"{shown(given)} {place.why}; it is kept without a place")
                self.origin.problems.count("mention not in the text")
            return mention
        if place.is_choice:
            self.origin.problems.count("mention with several possible places")
        attributes = dict(mention.attributes)
        surface = (self.text or "")[slice(*place.span)]
        if surface != given:
            attributes["given"] = given
        if place.how == "inside":
            self.repair(f"{shown(given)} stands inside of a word only")
        return Mention(mention.id, (place.span,), mention.labels, surface, "", mention.links, attributes)

    def _add(
        self,
        spans: tuple[Span, ...],
        labels: tuple[str, ...],
        text: str,
        links: tuple[Link, ...],
        attributes: dict[str, Any],
    ) -> str:
        name = f"m{len(self._mentions) + 1}"
        self._mentions.append(Mention(name, spans, labels, text, "", links, attributes))
        return name


class WordSpans:
    """The words of a document; ``spans`` are their offsets in the text, None for a word that is not found."""

    def __init__(self, forms: Sequence[str], text: str, spans: Sequence[Span | None], table: TokenTable | None) -> None:
        self.forms, self.text, self.spans, self.table = forms, text, spans, table

    def draft(self, name: str, origin: Origin) -> ToolDraft:
        """Return a draft of a document with these words."""
        return ToolDraft(name, self.text, origin, self.table)

    def add(self, draft: ToolDraft, first: int, end: int, labels: tuple[str, ...] = ()) -> str:
        """Add a mention of the words from ``first`` to the one before ``end``."""
        if not 0 <= first < end <= len(self.forms):
            message = f"document {shown(draft.name)}: there are no words {first} to {end - 1}"
            raise InputError(f"{message}; it has {len(self.forms)} words, counted from 0")
        spans = [span for span in self.spans[first:end] if span is not None]
        given = " ".join(self.forms[first:end])
        if len(spans) < end - first:
            draft.repair(f"not all words of {shown(given)} are found in the text")
        more = {"first": str(first), "last": str(end - 1)}
        if not spans:
            return draft.at(None, labels, given=given, attributes=more)
        span = spans[0][0], spans[-1][1]
        if draft.text is not None and draft.text[slice(*span)] != given:
            more["given"] = given
        return draft.at(span, labels, attributes=more)


def words_in(forms: Sequence[str], text: str | None = None, segments: Sequence[int] = ()) -> WordSpans:
    """Return words with their spans in the text; without a text it is the words joined by blanks, as tokens.

    >>> words_in(["he", "said"]).text, words_in(["he", "said", "."], "He said.").spans
    ('he said', [(0, 2), (3, 7), (7, 8)])
    """
    if text is not None:
        return WordSpans(forms, text, align_words(forms, text), None)
    joined, starts = join_tokens(forms)
    table = TokenTable(list(forms), {}, list(segments) or ([0] if forms else []), starts)
    return WordSpans(
        forms, joined, [(start, start + len(form)) for start, form in zip(starts, forms, strict=True)], table
    )


def chain_document(
    name: str, chains: Sequence[Sequence[tuple[int, int]]], words: WordSpans | None, origin: Origin
) -> Document:
    """Return a document of chains whose mentions are pairs of a first and a last word, counted from 0.

    If the words are unknown, the document has no text, and spans count words.
    """
    if words is not None:
        draft = words.draft(name, origin)
        for chain in chains:
            draft.chain([words.add(draft, first, last + 1) for first, last in chain])
        return draft.document()
    document = Document(name)
    for chain in chains:
        first = len(document.mentions) + 1
        for begin, last in chain:
            if not 0 <= begin <= last:
                message = f"document {shown(name)}: words {begin} to {last} are no mention"
                raise InputError(f"{message}; expected its first and its last word, counted from 0")
            document.mentions.append(Mention(f"m{len(document.mentions) + 1}", ((begin, last + 1),)))
        members = tuple(f"m{position}" for position in range(first, len(document.mentions) + 1))
        document.chains.append(Chain(f"c{len(document.chains) + 1}", members))
    return document
