"""The difference between a document and its copy after a format: what was lost on the way.

Annotations are compared by content and span, not by their ids, which formats may replace. Additions that say nothing
about the text are no loss: a format may add metadata, comments and columns, and name a layer that had no name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from karat.annotations.columns import LINK_COLUMNS, NO_LINK, OUTSIDE, is_gap
from karat.annotations.tokens import TokenEdges, tokens_of
from karat.model import Document, Mention, Relation, Span, TokenTable

DEFAULT_COLUMN = "TAG"
"""The column of tags for mentions without a named layer."""
_EMPTY = ("", *NO_LINK)
_TAGS = "NE-"
"""How columns of tags begin in which any cell but ``O`` is an annotation."""
_SEGMENT_LINE = "# segment"
_ANNOTATIONS = ("mentions", "chains", "relations", "notes")
_FACETS = ("mentions", "labels", "layers", "links", "scores", "attributes", "chains", "relations", "notes")
_NEITHER_MORE = ("mentions", "chains", "relations")
"""What may not be more either."""

ItemPlace = tuple[Any, ...]


def losses(before: Document, after: Document) -> Counter[str]:
    """Return how many annotations were lost, by kind.

    >>> from karat.model import Link
    >>> bern = Mention("T1", ((0, 4),), ("LOC",), links=(Link("Q70"),))
    >>> losses(Document("d", "Bern", [bern]), Document("d", "Bern", [Mention("m", ((0, 4),), ("LOC",))]))
    Counter({'links': 1})
    """
    lost: Counter[str] = Counter()
    if _bare(before.text) != _bare(after.text):
        lost["texts"] = 1
        sizes = [Counter(len(chain.mentions) for chain in document.chains) for document in (before, after)]
        lost["chains"] = _missing(*sizes)
        lost["metadata"] = _lost_metadata(before, after)
        return +lost
    lost["white space"] = before.text != after.text
    rulers = [_Ruler(document.text, exact=before.text == after.text) for document in (before, after)]
    if lost["white space"] or any(getattr(before, kind) != getattr(after, kind) for kind in _ANNOTATIONS):
        lost.update(_annotation_losses((before, after), rulers))
    lost["metadata"] = _lost_metadata(before, after)
    if before.table is not None:
        lost.update(dict(_table_losses(before, before.table, after, *rulers)))
    lost["dates"] = not _same_dates(before, after)
    return +lost


def _annotation_losses(documents: tuple[Document, Document], rulers: Sequence[_Ruler]) -> dict[str, int]:
    before, after = map(_facets, documents, rulers)
    lost = {kind: _missing(before[kind], after[kind]) for kind in _FACETS}
    for kind in _NEITHER_MORE:
        lost[kind] = max(lost[kind], _missing(after[kind], before[kind]))
    if not any(lost.values()):
        lost["mentions"] = _missing(before[""], after[""])
    return lost


def _lost_metadata(before: Document, after: Document) -> int:
    """Return how many metadata were lost; an entry that repeats the id of the document does not count."""
    return sum(value != before.id for _, value in before.metadata.items() - after.metadata.items())


def _bare(text: str) -> str:
    return "".join(text.split())


def _missing(before: Counter[Any], after: Counter[Any]) -> int:
    return (before - after).total()


class _Ruler:
    """Measures spans so that they can be compared: without white space, unless both texts are the same."""

    def __init__(self, text: str, *, exact: bool) -> None:
        self.solid = None if exact else [0, *accumulate(not character.isspace() for character in text)]

    def of(self, spans: Iterable[Span]) -> ItemPlace:
        """Return the spans in comparable offsets."""
        return tuple(spans) if self.solid is None else tuple((self._of(start), self._of(end)) for start, end in spans)

    def _of(self, offset: int) -> int:
        return self.solid[offset] if self.solid and 0 <= offset < len(self.solid) else offset


def _facets(document: Document, ruler: _Ruler) -> dict[str, Counter[ItemPlace]]:
    """Return what is annotated at each span, by kind; a mention as a whole has the kind ``""``."""
    facets: dict[str, Counter[ItemPlace]] = {kind: Counter() for kind in (*_FACETS, "")}
    places: dict[str, ItemPlace] = {relation.id: ("relation", relation.label) for relation in document.relations}
    """By id; what is no mention stands for itself."""
    places |= {note.id: ("note", note.text) for note in document.notes}
    for mention in document.mentions:
        place = places[mention.id] = ruler.of(mention.spans)
        facets["mentions"][place] += 1
        facets["labels"].update((place, label) for label in mention.labels if label)
        facets["layers"].update([(place, mention.layer)] if mention.layer else ())
        facets["links"].update((place, rank, link.target) for rank, link in enumerate(mention.links))
        facets["scores"].update((place, link.target, link.score) for link in mention.links if link.score is not None)
        facets[""][place, tuple(filter(None, mention.labels)), mention.links] += 1
    annotations: list[Mention | Relation] = [*document.mentions, *document.relations]
    for annotation in annotations:
        facets["attributes"].update((places[annotation.id], *entry) for entry in annotation.attributes.items())
    for chain in document.chains:
        members = chain.label, *sorted(places[name] for name in chain.mentions)
        facets["chains"][members] += 1
        places[chain.id] = "chain", *members
    for relation in document.relations:
        trigger = () if relation.trigger is None else places[relation.trigger]
        ends = (part for argument in relation.arguments for part in (argument.role, places[argument.target]))
        facets["relations"][relation.label, trigger, *ends] += 1
    facets["notes"].update((places[note.target], note.text, note.label) for note in document.notes)
    return facets


def _table_losses(
    before: Document, table: TokenTable, after: Document, old: _Ruler, new: _Ruler
) -> Iterator[tuple[str, int]]:
    """Yield what the table lost, by kind: tokens, starts of segments, cells and comments."""
    forms, starts, segments = tokens_of(before)
    spans = [old.of([(start, start + len(form))]) for start, form in zip(starts, forms, strict=True)]
    new_forms, new_starts, new_segments = tokens_of(after)
    new_spans = {
        new.of([(start, start + len(form))]): index
        for index, (start, form) in enumerate(zip(new_starts, new_forms, strict=True))
    }
    comments = [] if after.table is None else after.table.comments
    begun = {token for token, comment in comments if comment.startswith(_SEGMENT_LINE)}.union(new_segments)
    index_of = [new_spans.get(span) for span in spans]
    yield "tokens", sum(index is None for index in index_of)
    yield "segments", sum(index_of[first] not in begun for first in segments if first and index_of[first] is not None)
    yield "cells", _lost_cells(before, table, after, index_of)
    yield "comments", _missing(Counter(_telling(before, table)), Counter(comments))


def _lost_cells(before: Document, table: TokenTable, after: Document, index_of: Sequence[int | None]) -> int:
    columns = {} if after.table is None else after.table.columns
    lost = 0
    for name, indices in unexplained_cells(before).items():
        cells, new_cells = table.columns[name], columns.get(name)
        for index in indices:
            token = index_of[index]
            kept = new_cells is not None and token is not None and _content(new_cells[token]) == _content(cells[index])
            lost += not kept
    return lost


def _telling(document: Document, table: TokenTable) -> Iterator[tuple[int, str]]:
    """Yield the comments that are not merely metadata or the id of the document."""
    known = {**document.metadata, "document_id": document.id, "hipe2022:document_id": document.id}
    for token, comment in table.comments:
        key, equals, text = comment.lstrip("# ").partition("=")
        key, text = key.strip(), text.strip()
        says_nothing = text in _EMPTY or (not token and known.get(key) == text)
        if not (equals and says_nothing and comment == f"# {key} = {text}"):
            yield token, comment


def _same_dates(before: Document, after: Document) -> bool:
    """Tell whether tokens have the same dates; a date in the metadata may apply from the first token."""
    given, kept = ([] if document.table is None else document.table.dates for document in (before, after))
    of_metadata = [[(0, before.metadata[key])] for key in ("date", "hipe2022:date") if key in before.metadata]
    return kept == given or (not given and kept in [[], *of_metadata])


def unexplained_cells(document: Document) -> dict[str, list[int]]:
    """Return, by column, the tokens whose cells say more than the annotations of the document.

    A tag within a mention is explained by its label, whatever the scheme; a link by the links of the mention; ``MISC``
    by the white space between tokens.

    >>> table = TokenTable(["Bern", "."], {"TAG": ["B-LOC", "x"], "MISC": ["SpaceAfter=No", "_"]}, [0], [0, 4])
    >>> unexplained_cells(Document("d", "Bern.", [Mention("T1", ((0, 4),), ("LOC",))], table=table))
    {'TAG': [1]}
    """
    table = document.table
    if table is None or not table.columns:
        return {}
    labels, links = _expected(document, table)
    columns: dict[str, list[int]] = {}
    for name, cells in table.columns.items():
        said, linked = labels.get(name, {}), links.get(name, {})
        nothing = (OUTSIDE,) if name.startswith(_TAGS) else (*_EMPTY, OUTSIDE)
        columns[name] = [
            index
            for index, cell in enumerate(cells)
            if _content(cell) not in nothing
            and cell != linked.get(index)
            and (index not in said or said[index] != (cell[2:] if cell[1:2] == "-" else cell[1:]))
        ]
        columns[name] += [index for index in linked if cells[index] in _EMPTY and linked[index] not in _EMPTY]
    return {name: indices for name, indices in columns.items() if indices}


def _expected(document: Document, table: TokenTable) -> tuple[dict[str, dict[int, str]], dict[str, dict[int, str]]]:
    """Return the labels and links of mentions by column and token."""
    labels: dict[str, dict[int, str]] = {}
    links: dict[str, dict[int, str]] = {}
    _, starts, _ = tokens_of(document)
    edges = TokenEdges(starts, table.forms)
    for mention in document.mentions:
        ends = edges.at((mention.start, mention.end))
        tokens = range(ends[0], ends[1] + 1) if ends else range(0)
        cell = "|".join(link.target for link in mention.links) or NO_LINK[0]
        column = LINK_COLUMNS.get(mention.layer, mention.layer)
        links.setdefault(column, {}).update(dict.fromkeys(tokens, cell))
        if mention.labels:
            by_token = labels.setdefault(mention.layer or DEFAULT_COLUMN, {})
            by_token.update(dict.fromkeys(tokens, mention.labels[0]))
    return labels, links


def _content(cell: str) -> str:
    """Return a cell without its entries on the white space around the token."""
    return "|".join(part for part in cell.split("|") if not is_gap(part)) if "Space" in cell else cell
