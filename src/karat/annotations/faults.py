"""Checks that a document is sound: offsets within its text, unique ids, and no dangling references."""

from __future__ import annotations

import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from karat.model import Document, Mention, Span, TokenTable

_SHOWN = 60


def faults(document: Document) -> Iterator[str]:
    """Yield one sentence for each fault of the document.

    All annotations of a document share one space of ids, so that a reference by id is never ambiguous.

    >>> from karat.model import Document, Mention
    >>> list(faults(Document("d", "Zürich", [Mention("m1", ((0, 9),), ("LOC",))])))
    ["mention 'm1': span [0, 9] ends outside the text, which has 6 characters"]
    """
    yield from _id_faults(document)
    for mention in document.mentions:
        yield from _mention_faults(mention, document.text)
    yield from _reference_faults(document)
    if document.table is not None:
        yield from _table_faults(document.table, document.text)


def surface(text: str, spans: Iterable[Span]) -> str:
    """Return the text at the spans, fragments joined by a blank.

    >>> surface("left and right bank", [(0, 4), (15, 19)])
    'left bank'
    """
    return " ".join([text[start:end] for start, end in spans])


def shown(text: str) -> str:
    """Return the text in quotes for a message, shortened if it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def span_faults(spans: Sequence[Span], length: int | None, *, may_be_empty: bool = False) -> Iterator[str]:
    """Yield a sentence for each fault of a mention's spans in a text of this length, if it is known.

    Only a mention of empty nodes, which stand between words, may be empty.
    """
    if not spans:
        yield "there is no span; give at least one [start, end]"
    previous = 0
    for start, end in spans:
        if start < 0 or (length is not None and end > length):
            where = "starts before" if start < 0 else "ends outside"
            size = "" if length is None else f", which has {length} characters"
            yield f"span [{start}, {end}] {where} the text{size}"
        elif start > end or (start == end and not may_be_empty):
            yield f"span [{start}, {end}] is empty or reversed; the end is the offset after the last character"
        elif start < previous:
            yield f"span [{start}, {end}] overlaps the one before it or is out of order; sort and merge them"
        previous = max(previous, end)


def _id_faults(document: Document) -> Iterator[str]:
    seen: set[str] = set()
    kinds = {
        "mention": [mention.id for mention in document.mentions],
        "relation": [relation.id for relation in document.relations],
        "chain": [chain.id for chain in document.chains],
        "note": [note.id for note in document.notes],
    }
    for kind, ids in kinds.items():
        for name in ids:
            if not name:
                yield f"a {kind} has an empty id; give every annotation an id of its own"
            elif name in seen:
                yield f"{kind} {shown(name)}: the id is used twice; each annotation needs its own"
            seen.add(name)


def _mention_faults(mention: Mention, text: str) -> Iterator[str]:
    if not mention.spans:
        return  # a mention that the text does not have
    is_empty_node = "rows" in mention.attributes
    wrong = list(span_faults(mention.spans, len(text) if text else None, may_be_empty=is_empty_node))
    if mention.text and text and not wrong:
        covered = surface(text, mention.spans)
        if covered != mention.text:
            wrong.append(f"its text is {shown(mention.text)}, but at its spans stands {shown(covered)}")
    for fault in wrong:
        yield f"mention {shown(mention.id)}: {fault}"


def _reference_faults(document: Document) -> Iterator[str]:
    mentions = {mention.id for mention in document.mentions}
    chains = {chain.id for chain in document.chains}
    ends = mentions.union(chains, (relation.id for relation in document.relations))
    for chain in document.chains:
        yield from _dangling(f"chain {shown(chain.id)}", chain.mentions, mentions, "mention")
    for relation in document.relations:
        name = f"relation {shown(relation.id)}"
        yield from _dangling(name, [end.target for end in relation.arguments], ends, "mention, chain or relation")
        if relation.trigger is not None:
            yield from _dangling(name, [relation.trigger], mentions, "mention")
    everything = ends.union(annotation.id for annotation in document.notes)
    for note in document.notes:
        yield from _dangling(f"note {shown(note.id)}", [note.target], everything, "annotation")


def _dangling(name: str, targets: Iterable[str], known: set[str], kind: str) -> Iterator[str]:
    for target in targets:
        if target not in known:
            yield f"{name} refers to {shown(target)}, but the document has no {kind} with this id"


def _table_faults(table: TokenTable, text: str) -> Iterator[str]:
    size = len(table.forms)
    for name, cells in table.columns.items():
        if len(cells) != size:
            yield f"table: column {shown(name)} has {len(cells)} cells for {size} tokens"
    indexed = {
        "segments": table.segments,
        "comments": [index for index, _ in table.comments],
        "dates": [index for index, _ in table.dates],
        "lines": [index for index, _ in table.lines],
    }
    for name, indices in indexed.items():
        if any(later < earlier for earlier, later in pairwise(indices)):
            yield f"table: the token indices of {name} do not ascend"
        elif indices and not 0 <= indices[0] <= indices[-1] <= size:
            yield f"table: {name} names a token outside the table, which has {size} tokens"
    for _, date in table.dates:
        try:
            datetime.date.fromisoformat(date)
        except ValueError:
            yield f"table: {shown(date)} is not a date; expected YYYY-MM-DD"
    if table.starts:
        yield from _start_faults(table, text)


def _start_faults(table: TokenTable, text: str) -> Iterator[str]:
    if len(table.starts) != len(table.forms):
        yield f"table: there are {len(table.starts)} starts for {len(table.forms)} tokens"
        return
    end = 0
    names = table.columns.get("ID")
    for index, (form, start) in enumerate(zip(table.forms, table.starts, strict=True)):
        if start < end:
            yield f"table: token {index} starts at {start}, before the end of the token before it"
        elif names is not None and index < len(names) and "." in names[index]:
            continue  # an empty node of CoNLL-U, which is not in the text
        elif not text.startswith(form, start):
            yield f"table: token {index} is {shown(form)} but the text at {start} is not"
        end = max(end, start + len(form))
