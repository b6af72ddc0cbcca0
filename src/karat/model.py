"""The annotations Karat evaluates, as plain data: documents, mentions, links, chains, relations.

Offsets are half-open and count characters of :attr:`Document.text`. A mention has one or more fragments
and one or more labels, so nested, overlapping, discontinuous and multi-label annotation is the base case.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

Span = tuple[int, int]
"""A half-open range of offsets."""

# Annotations are frozen and hold texts and numbers, so that no reference leads back to them: the garbage collector,
# which would go through millions of them, is told so (``gc=False``).


class Link(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One knowledge-base identifier for a mention; ``NIL`` says that the knowledge base lacks it."""

    target: str
    score: float | None = None


class Mention(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A stretch of text that names something.

    ``links`` stand best first: a system's are ranked guesses, a gold mention's are alternatives of which the
    first is preferred. ``layer`` keeps annotations apart that are judged apart, such as HIPE's columns. ``text`` may be
    left out: it is then what the document has at the spans. A mention that the document does not have, such as one that
    a language model made up, has no spans, and ``text`` is what was said.
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
        """The offset of the first character; 0 if it has no spans."""
        return self.spans[0][0] if self.spans else 0

    @property
    def end(self) -> int:
        """The offset behind the last character; 0 if it has no spans."""
        return self.spans[-1][1] if self.spans else 0


class Argument(msgspec.Struct, frozen=True, gc=False):
    """One end of a relation: the role and the id of the mention (or chain, or relation) that fills it."""

    role: str
    target: str


class Relation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A labelled tuple of mentions, or of chains; an event is a relation with a trigger mention.

    The attribute ``evidence`` has the numbers of the sentences that a relation follows from, from 0, with commas
    between.
    """

    id: str
    label: str
    arguments: tuple[Argument, ...]
    trigger: str | None = None
    attributes: dict[str, str] = {}


class Chain(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Mentions, by id, that refer to the same thing."""

    id: str
    mentions: tuple[str, ...]
    label: str = ""


class Note(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A remark of an annotator about another annotation, by its id."""

    id: str
    target: str
    text: str
    label: str = ""


class TokenTable(msgspec.Struct, omit_defaults=True):
    """The tokens of a document with raw cells by column, as tabular formats carry them.

    Kept beside the mentions because some published programs filter tokens before they read mentions off the
    cells, and give odd cells a meaning of their own. ``dialect`` names the format whose conventions the cells follow.

    ``segments`` holds the index of the first token of each segment (sentence, line), ``starts`` the offset of
    each token in the text, ``comments`` the comment lines with the index of the token they precede, ``dates``
    pairs ``(token index, ISO date)`` wherever another date comes into force, and ``lines`` pairs ``(token index,
    line number)`` wherever the line number does not simply go up by one. A reader that was asked for cells only
    leaves ``starts`` and ``comments`` empty. ``filters`` names what the reader has already left out.
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
    """A text with its annotations. ``source`` names the file it came from, for messages."""

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
