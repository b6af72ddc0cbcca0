"""Mentions that count words: the words of a document, and where they stand in its text."""

from __future__ import annotations

from collections.abc import Sequence

from karat.annotations.faults import shown
from karat.annotations.locating import align_words
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.formats.tools.draft import Draft, Origin
from karat.model import Chain, Document, Link, Mention, Span, TokenTable


class Words:
    """The words of a document; ``spans`` are their characters in the text, none for a word that is not found there."""

    def __init__(self, forms: Sequence[str], text: str, spans: Sequence[Span | None], table: TokenTable | None) -> None:
        self.forms, self.text, self.spans, self.table = forms, text, spans, table

    def draft(self, name: str, origin: Origin) -> Draft:
        """Return the draft of a document of these words."""
        return Draft(name, self.text, origin, self.table)

    def add(
        self, draft: Draft, first: int, end: int, labels: tuple[str, ...] = (), links: tuple[Link, ...] = ()
    ) -> str:
        """Add a mention of the words from the first to the one before the end."""
        if not 0 <= first < end <= len(self.forms):
            message = f"document {shown(draft.name)}: there are no words {first} to {end - 1}"
            raise InputError(f"{message}; it has {len(self.forms)} words, counted from 0")
        spans = [span for span in self.spans[first:end] if span is not None]
        given = " ".join(self.forms[first:end])
        if len(spans) < end - first:
            draft.origin.repair(f"document {shown(draft.name)}: not all words of {shown(given)} are found in the text")
        span = (spans[0][0], spans[-1][1]) if spans else None
        more = {"first": str(first), "last": str(end - 1)}
        if span is None:
            return draft.at(None, labels, given=given, links=links, attributes=more)
        if draft.text is not None and draft.text[slice(*span)] != given:
            more["given"] = given
        return draft.at(span, labels, links=links, attributes=more)


def words_in(forms: Sequence[str], text: str | None = None, segments: Sequence[int] = ()) -> Words:
    """Return words at their places in the text; without one they are joined by blanks, and are its tokens.

    >>> words_in(["he", "said"]).text, words_in(["he", "said", "."], "He said.").spans
    ('he said', [(0, 2), (3, 7), (7, 8)])
    """
    if text is not None:
        return Words(forms, text, align_words(forms, text), None)
    joined, starts = join_tokens(forms)
    table = TokenTable(list(forms), {}, list(segments) or ([0] if forms else []), starts)
    return Words(forms, joined, [(start, start + len(form)) for start, form in zip(starts, forms, strict=True)], table)


def chain_document(
    name: str, chains: Sequence[Sequence[tuple[int, int]]], words: Words | None, origin: Origin
) -> Document:
    """Return a document of chains whose mentions are pairs of a first and a last word, counted from 0.

    Where nobody knows the words, the document has no text, and spans count words.
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
