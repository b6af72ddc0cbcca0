"""The annotations Karat evaluates, as plain data: documents, mentions, links, chains and relations.

Offsets are half-open and count characters of :attr:`Document.text`. A mention has any number of fragments
and labels, so nested, overlapping, discontinuous and multi-label annotation needs no special case.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

Span = tuple[int, int]
"""A half-open range of offsets."""

# Annotations are frozen and hold texts and numbers, so that no reference leads back to them: the garbage collector,
# which would go through millions of them, is told so (``gc=False``).


class Link(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A knowledge-base identifier of a mention; :data:`NIL` means that the knowledge base has no entry for it."""

    target: str
    score: float | None = None


class Mention(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A stretch of text that names or describes something.

    ``links`` are ordered, best first: ranked predictions of a system, or alternatives of a gold mention, the first of
    which is preferred. ``layer`` separates annotations that are evaluated separately, such as the columns of HIPE.
    ``text`` may be empty, which means the document's text at ``spans``. A mention that does not occur in the text, such
    as a hallucination of a language model, has no spans, and ``text`` is what the model gave.
    """

    id: str
    spans: tuple[Span, ...]
    labels: tuple[str, ...] = ()
    text: str = ""
    layer: str = ""
    links: tuple[Link, ...] = ()
    attributes: dict[str, str] = {}

    @property
    def start(self) -> int:
        """The offset of the first character; 0 if the mention has no spans."""
        return self.spans[0][0] if self.spans else 0

    @property
    def end(self) -> int:
        """The offset after the last character; 0 if the mention has no spans."""
        return self.spans[-1][1] if self.spans else 0


class Argument(msgspec.Struct, frozen=True, gc=False):
    """An end of a relation: a role, and the id of the mention, chain or relation that fills it."""

    role: str
    target: str


class Relation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A labelled tuple of mentions, chains or relations; an event is a relation with a trigger mention.

    The attribute ``evidence`` lists the sentences that support the relation: their numbers, counted from 0 and
    separated by commas.
    """

    id: str
    label: str
    arguments: tuple[Argument, ...]
    trigger: str | None = None
    attributes: dict[str, str] = {}


class Chain(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A coreference chain: the ids of mentions that refer to the same entity."""

    id: str
    mentions: tuple[str, ...]
    label: str = ""


class Note(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An annotator's comment on another annotation, which is given by its id."""

    id: str
    target: str
    text: str
    label: str = ""


class TokenTable(msgspec.Struct, omit_defaults=True):
    """The tokens of a document with raw cells by column, as tabular formats carry them.

    Tables are kept beside the mentions because some published scorers filter tokens before they read mentions from
    the cells, and interpret unusual cells in their own way. ``dialect`` names the format whose conventions apply.

    ``segments`` holds the index of the first token of each segment (sentence, line), ``starts`` the offset of
    each token in the text, ``comments`` the comment lines with the index of the token they precede, ``dates``
    pairs ``(token index, ISO date)`` where the date changes, and ``lines`` pairs ``(token index, line number)`` where
    the line number does not increase by one. A reader that was asked for cells only leaves ``starts`` and ``comments``
    empty. ``filters`` names what the reader has already left out.
    """

    forms: Sequence[str]
    columns: dict[str, Sequence[str]] = {}
    segments: list[int] = []
    starts: list[int] = []
    comments: list[tuple[int, str]] = []
    dates: list[tuple[int, str]] = []
    lines: list[tuple[int, int]] = []
    dialect: str = ""
    filters: list[str] = []


class Document(msgspec.Struct, omit_defaults=True):
    """A text with its annotations; ``source`` names the file it was read from, for messages."""

    id: str
    text: str = ""
    mentions: list[Mention] = []
    chains: list[Chain] = []
    relations: list[Relation] = []
    notes: list[Note] = []
    metadata: dict[str, str] = {}
    table: TokenTable | None = None
    source: str = ""

    def _repr_html_(self) -> str:
        from karat.display.drawing.documents import documents_showing

        return documents_showing([self])._repr_html_()
