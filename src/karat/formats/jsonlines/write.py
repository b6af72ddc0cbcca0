"""Writes clusters: chains become lists of offset pairs, beside the tokens or the text if there are any."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import AS_WRITTEN, join_tokens
from karat.errors import InputError
from karat.formats.jsonlines.ground import CLUSTERS, DIALECT, MAX_OFFSET, JsonlinesOptions, settle
from karat.formats.parts.token_tables import refuse, segment_ranges
from karat.model import Document, Mention, TokenTable

_refuse = partial(refuse, DIALECT)


def write(documents: Iterable[Document], options: JsonlinesOptions) -> Iterator[str]:
    r"""Yield one line for each document: inclusive word offsets, or character offsets if it has no tokens.

    Chains and mentions lose their ids; columns, comments and metadata are left out.

    >>> from karat.model import Chain
    >>> mentions = [Mention("a", ((0, 3),)), Mention("b", ((8, 11),))]
    >>> document = Document("d", "Ada met her", mentions, [Chain("x", ("a", "b"))])
    >>> list(write([document], JsonlinesOptions()))
    ['{"doc_key":"d","text":"Ada met her","clusters":[[[0,3],[8,11]]]}\n']
    """
    if len({options.id, options.clusters or CLUSTERS, "text", "tokens", "sentences"}) < 5:
        raise InputError("ids and clusters need keys of their own, other than text, tokens and sentences")
    ids: set[str] = set()
    for document in documents:
        if not document.id or document.id in ids:
            _refuse(document, "its id is empty, or that of another document")
        ids.add(document.id)
        try:
            yield msgspec.json.encode(_line(document, options)).decode() + "\n"
        except UnicodeEncodeError as error:
            message = f"document {shown(document.id)} holds half a surrogate pair, which UTF-8 has no bytes for"
            raise InputError(message, path=document.source or None) from error


def _line(document: Document, options: JsonlinesOptions) -> dict[str, Any]:
    for kind in ("relations", "notes"):
        if getattr(document, kind):
            _refuse(document, f"it has {kind}; leave them out with --drop {kind}")
    unit = options.unit_of(tokens=document.table is not None, text=bool(document.text))
    if unit == "subtoken":
        _refuse(document, "how words are cut into subtokens is not known; write words with --write unit=word")
    if unit == "word" and document.table is None and document.text:
        _refuse(document, "it has a text and no tokens; write characters with --write unit=char")
    line: dict[str, Any] = {options.id: document.id}
    if document.table is not None:
        line |= _tokens(document, document.table, with_text=unit == "char")
    elif document.text:
        line["text"] = document.text
    key = options.clusters or CLUSTERS
    line[key] = _clusters(document, _Offsets(document, unit), 0 if options.is_inclusive(unit, key) else 1)
    return line


def _tokens(document: Document, table: TokenTable, *, with_text: bool) -> dict[str, Any]:
    """Return the tokens, in sentences if known, and the text unless it is the tokens joined by blanks."""
    text, starts = document.text, list(table.starts)
    joined, places = join_tokens(table.forms)
    if text == joined and starts in ([], places):
        text_line = {"text": text} if with_text else {}
    else:
        try:
            settled = settle(table.forms, text)[1]
        except InputError as error:
            _refuse(document, error.message.partition(";")[0])
        if starts and settled != starts:
            _refuse(document, "its tokens would be found elsewhere in its text")
        text_line = {"text": text}
    if not table.segments:
        return text_line | {"tokens": list(table.forms)}
    firsts = table.segments if table.segments[0] == 0 else [0, *table.segments]
    ranges = segment_ranges(firsts, len(table.forms))
    return text_line | {"sentences": [list(table.forms[start:end]) for start, end in ranges]}


def _clusters(document: Document, offsets: _Offsets, behind: int) -> list[list[list[int]]]:
    """Return the clusters; every mention must be in exactly one chain, since a cluster repeats it."""
    left = {mention.id: mention for mention in document.mentions}
    if len(left) < len(document.mentions):
        _refuse(document, "two mentions have the same id")
    clusters: list[list[list[int]]] = []
    for chain in document.chains:
        if chain.label:
            _refuse(document, f"chain {shown(chain.id)} has a label, clusters have none")
        cluster: list[list[int]] = []
        for name in chain.mentions:
            mention = left.pop(name, None)
            if mention is None:
                _refuse(document, f"chain {shown(chain.id)} names {shown(name)}, which is in another chain or missing")
            first, last = offsets.of(mention)
            if AS_WRITTEN in mention.attributes:
                cluster.append([first])
            else:
                cluster.append([first, last + behind])
        clusters.append(cluster)
    for mention in left.values():
        _refuse(document, "it is in no chain; clusters hold only chains", mention)
    return clusters


class _Offsets:
    """Determines the first and the last unit of a mention."""

    def __init__(self, document: Document, unit: str) -> None:
        self.document = document
        table = document.table if unit == "word" else None
        self.starts: Sequence[int] | None = None
        self.ends: list[int] = []
        if table is not None:
            self.starts = table.starts or settle(table.forms, document.text or None)[1]
            self.ends = [start + len(form) for start, form in zip(self.starts, table.forms, strict=True)]
        self.bound = len(document.text) if document.text or table else MAX_OFFSET

    def of(self, mention: Mention) -> tuple[int, int]:
        """Return the offsets of a mention, or refuse one that a pair of offsets cannot express."""
        if mention.labels or mention.layer:
            _refuse(self.document, "it has a label or a layer, clusters hold only offsets", mention)
        if mention.links:
            _refuse(self.document, "it has links; leave them out with --drop links", mention)
        if len(mention.spans) != 1:
            _refuse(self.document, f"it has {len(mention.spans)} fragments, a pair of offsets holds only one", mention)
        ((start, end),) = mention.spans
        if not 0 <= start < end <= self.bound:
            _refuse(self.document, f"its span {start}-{end} is empty, or outside of the text", mention)
        first, last = start, end - 1
        if self.starts is not None:
            first = bisect_left(self.starts, start)
            last = bisect_left(self.ends, end)
            if not (first <= last < len(self.ends) and self.starts[first] == start and self.ends[last] == end):
                _refuse(self.document, f"its offsets {start}-{end} are not at token boundaries", mention)
        written = mention.attributes.get(AS_WRITTEN)
        if mention.attributes and (len(mention.attributes) > 1 or written != str(first) or first != last):
            _refuse(self.document, "it has attributes; leave them out with --drop attributes", mention)
        return first, last
