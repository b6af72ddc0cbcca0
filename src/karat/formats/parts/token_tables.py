"""Lays documents out as tokens and columns, for formats with one token per line.

Mentions of a layer become chunks of tokens, links become cells beside them. A line end between tokens ends a segment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple, NoReturn

from karat.annotations.columns import LINK_COLUMNS, links_in
from karat.annotations.faults import shown
from karat.annotations.tag_schemes import Chunk
from karat.annotations.tokens import TokenEdges, gaps_between, tokens_of
from karat.errors import InputError
from karat.model import Document, Link, Mention, Span, TokenTable

NO_LINK = "_"
_BREAKS = ("\t", "\r", "\n")

Refuse = Callable[..., NoReturn]
"""Says that a document cannot be written, and why; a mention may be named behind the reason."""


def refuse(format: str, document: Document, reason: str, mention: Mention | None = None) -> NoReturn:  # noqa: A002
    """Raise the error for what a format cannot hold."""
    where = f"document {shown(document.id)}" + (f", mention {shown(mention.id)}" if mention else "")
    message = f"{where} cannot be written as {format}: {reason}; the format jsonl holds everything"
    raise InputError(message, path=document.source or None)


class TokenColumns(NamedTuple):
    """A document as it is written.

    ``gaps`` is the white space after tokens other than one blank, ``chunks`` the labelled spans of each layer in text
    order, ``links`` the cells of each required column of links.
    """

    document: Document
    forms: Sequence[str]
    gaps: dict[int, str]
    segments: list[int]
    chunks: dict[str, list[Chunk]]
    links: dict[str, list[str]]


class TableLayout:
    """Lays documents out for one format, and refuses what it cannot hold.

    ``default_layer`` is the named layer for mentions without a layer, if the format has one.
    """

    def __init__(self, format: str, default_layer: str = "") -> None:  # noqa: A002 - the word of the data model
        self.format = format
        self.default_layer = default_layer

    def sheet(self, document: Document) -> TokenColumns:
        """Return the tokens, chunks and link cells of a document."""
        for kind in ("chains", "relations", "notes"):
            if getattr(document, kind):
                self.refuse(
                    document,
                    f"it has {kind}, a table of tokens holds none; leave them out with --drop {kind}",
                )
        check_id(document, self.refuse)
        forms, starts, segments = tokens_of(document)
        for form in forms:
            if not form or form.isspace() or has_breaks(form):
                self.refuse(document, f"its token {form!r} is blank or contains a tab or a line end")
        chunks: dict[str, list[tuple[Chunk, Mention]]] = {}
        edges = TokenEdges(starts, forms)
        for mention in document.mentions:
            chunk = self._chunk(document, mention, edges)
            chunks.setdefault(mention.layer, []).append((chunk, mention))
        held = {layer: self._disjoint(document, pairs) for layer, pairs in chunks.items()}
        inside = {token for pairs in held.values() for chunk, _ in pairs for token in range(chunk.start + 1, chunk.end)}
        return TokenColumns(
            document=document,
            forms=forms,
            gaps=gaps_between(document.text, forms, starts),
            segments=[start for start in segments if start not in inside],
            chunks={layer: [chunk for chunk, _ in pairs] for layer, pairs in held.items() if layer not in LINK_LAYERS},
            links=self._links(document, held, len(forms)),
        )

    def _chunk(self, document: Document, mention: Mention, edges: TokenEdges) -> Chunk:
        if len(mention.spans) != 1:
            self.refuse(document, f"it has {len(mention.spans)} fragments, tags hold only one", mention)
        if len(mention.labels) > 1:
            self.refuse(document, f"it has {len(mention.labels)} labels, a tag holds only one", mention)
        if mention.attributes:
            self.refuse(document, "it has attributes, tags hold none; leave them out with --drop attributes", mention)
        label = mention.labels[0] if mention.labels else ""
        if has_breaks(label) or label.endswith(" "):
            self.refuse(document, f"its label {label!r} contains a tab or a line end, or ends with a blank", mention)
        first, last = tokens_at(document, mention, edges, self.refuse)
        return Chunk(first, last + 1, label)

    def _disjoint(self, document: Document, pairs: list[tuple[Chunk, Mention]]) -> list[tuple[Chunk, Mention]]:
        ordered = sorted(pairs, key=lambda pair: pair[0])
        for (left, earlier), (right, later) in pairwise(ordered):
            if right.start < left.end:
                self.refuse(document, f"it overlaps mention {earlier.id!r} of the same layer", later)
        return ordered

    def _links(
        self, document: Document, held: dict[str, list[tuple[Chunk, Mention]]], length: int
    ) -> dict[str, list[str]]:
        """Return the link cells: those of the table if its first token has the links of the mention."""
        raw = document.table.columns if document.table else {}
        columns = {name: list(raw[name]) for name in LINK_LAYERS if len(raw.get(name, ())) == length > 0}
        for layer, pairs in held.items():
            name = layer if layer in LINK_LAYERS else LINK_COLUMNS.get(layer or self.default_layer)
            for chunk, mention in pairs:
                if not mention.links and name not in columns:
                    continue
                if name is None:
                    self.refuse(document, f"layer {layer!r} has no column of links; use --drop links", mention)
                if any(link.score is not None or has_breaks(link.target, "|") for link in mention.links):
                    self.refuse(document, "it has links with a score, a pipe, a tab or a line end", mention)
                cells = columns.setdefault(name, [NO_LINK] * length)
                if links_in(cells[chunk.start]) != mention.links:
                    cell = "|".join(link.target for link in mention.links) or NO_LINK
                    cells[chunk.start : chunk.end] = [cell] * (chunk.end - chunk.start)
        return columns

    def refuse(self, document: Document, reason: str, mention: Mention | None = None) -> NoReturn:
        """Raise the error for what the format cannot hold."""
        refuse(self.format, document, reason, mention)


LINK_LAYERS = frozenset(LINK_COLUMNS.values())


def writable(documents: Iterable[Document], refuse: Refuse) -> Iterator[Document]:
    """Yield the documents; raises an error for an id that cannot be written or is repeated."""
    ids: set[str] = set()
    for document in documents:
        if document.id in ids:
            refuse(document, "another document has the same id")
        ids.add(document.id)
        check_id(document, refuse)
        yield document


def check_id(document: Document, refuse: Refuse) -> None:
    """Raise an error for an id that cannot be written on a line."""
    if not document.id or document.id != document.id.strip() or has_breaks(document.id):
        refuse(document, "its id is empty, has blanks around it, or contains a tab or a line end")


def tokens_at(document: Document, mention: Mention, edges: TokenEdges, refuse: Refuse) -> tuple[int, int]:
    """Return the first and the last token of a mention; raises an error if it does not start and end with a token."""
    tokens = edges.at((mention.start, mention.end))
    if tokens is None:
        refuse(document, f"its offsets {mention.start}-{mention.end} are not at token boundaries", mention)
    return tokens


def add_mention(
    document: Document, table: TokenTable, tokens: Span, labels: tuple[str, ...], layer: str, links: tuple[Link, ...]
) -> None:
    """Add the mention of a half-open range of tokens to a document; its id is its number."""
    first, last = tokens[0], tokens[1] - 1
    span = (table.starts[first], table.starts[last] + len(table.forms[last]))
    name = f"T{len(document.mentions) + 1}"
    document.mentions.append(Mention(name, (span,), labels, document.text[slice(*span)], layer, links))


def has_breaks(text: str, *others: str) -> bool:
    """Tell whether a text would break a row of cells."""
    return any(mark in text for mark in (*_BREAKS, *others))


def segment_ranges(segments: Iterable[int], length: int) -> list[tuple[int, int]]:
    """Return the half-open token range of each segment, given the first token of each.

    >>> segment_ranges([0, 3], 5)
    [(0, 3), (3, 5)]
    """
    return list(pairwise([*segments, length]))


def among_comments(rows: Sequence[str], segments: Iterable[int], comments: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Yield rows with each comment before its row, and a blank line after each segment; other comments come last.

    >>> list(among_comments(["a", "b"], [0, 1], [(1, "# second"), (2, "# last")]))
    ['a', '', '# second', 'b', '', '# last']
    """
    waiting: dict[int, list[str]] = {}
    for row, comment in comments:
        waiting.setdefault(row, []).append(comment)
    for first, end in segment_ranges(segments, len(rows)):
        for row in range(first, end):
            yield from waiting.pop(row, ())
            yield rows[row]
        yield ""
    yield from chain.from_iterable(waiting.values())
