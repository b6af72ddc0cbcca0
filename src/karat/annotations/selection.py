"""Selecting annotations: leaving kinds or layers out of a document for a format that cannot hold them."""

from __future__ import annotations

from collections.abc import Set
from operator import attrgetter
from typing import Any

import msgspec

from karat.annotations.shared_values import on_first_mentions
from karat.model import Document, Link, Mention, Relation, TokenTable

KINDS = (
    *("labels", "layers", "links", "scores", "attributes", "fragments", "unplaced", "unchained"),
    *("chains", "chain-ends", "relations", "notes", "metadata", "tokens", "cells", "comments"),
)
"""What can be left out. ``scores`` are those of links; ``fragments``, ``unplaced`` and ``unchained`` are mentions that
have several, that have no place in the text, that are in no chain. ``chain-ends`` are ends of relations: without them
a relation between chains stands between the first mentions of these."""


def kinds_in(document: Document) -> set[str]:
    """Return the kinds of annotation that a document has.

    >>> sorted(kinds_in(Document("d", "Bern", [Mention("T1", ((0, 4),), ("LOC",))])))
    ['labels', 'unchained']
    """
    table = document.table
    kinds = {kind for kind in ("chains", "relations", "notes", "metadata") if getattr(document, kind)}
    if table is not None:
        kinds.add("tokens")
        kinds |= {"cells"} if table.columns else set()
        kinds |= {"comments"} if table.comments or table.dates else set()
    if any(relation.attributes for relation in document.relations):
        kinds.add("attributes")
    if on_first_mentions(document) is not document:
        kinds.add("chain-ends")
    mentions = document.mentions
    for kind, part in (("labels", "labels"), ("layers", "layer"), ("links", "links"), ("attributes", "attributes")):
        kinds |= {kind} if any(map(attrgetter(part), mentions)) else set()
    if "links" in kinds and any(link.score is not None for mention in mentions for link in mention.links):
        kinds.add("scores")
    if any(size > 1 for size in set(map(len, map(attrgetter("spans"), mentions)))):
        kinds.add("fragments")
    if any(_is_unplaced(mention, document.text) for mention in mentions):
        kinds.add("unplaced")
    if not set(map(attrgetter("id"), mentions)) <= {name for chain in document.chains for name in chain.mentions}:
        kinds.add("unchained")
    return kinds


def trim(document: Document, kinds: Set[str], layers: Set[str] = frozenset(), *, hints: str = "") -> Document:
    """Return the document without some kinds of annotation, and with only some layers.

    What refers to a removed mention is removed, too. The raw cells of a table would still hold removed labels, links
    and layers, so they are removed as well.

    Args:
        document: the document, which is not changed.
        kinds: the kinds of annotation to remove, as :func:`kinds_in` names them.
        layers: the layers to keep; empty keeps all.
        hints: the dialect of tables whose cells are kept, because they count only where annotations agree with them.

    """
    if not kinds and not layers:
        return document
    if not kinds.isdisjoint(("chains", "chain-ends")):
        document = on_first_mentions(document)
    chained = {name for chain in document.chains for name in chain.mentions}
    mentions = [
        _trim_mention(mention, kinds)
        for mention in document.mentions
        if (not layers or mention.layer in layers)
        and not ("fragments" in kinds and len(mention.spans) > 1)
        and not ("unplaced" in kinds and _is_unplaced(mention, document.text))
        and not ("unchained" in kinds and mention.id not in chained)
    ]
    kept = {mention.id for mention in mentions}
    chains = [] if "chains" in kinds else [chain for chain in document.chains if set(chain.mentions) <= kept]
    ends = kept.union(chain.id for chain in chains)
    relations = [] if "relations" in kinds else _whole(document.relations, ends)
    if "attributes" in kinds:
        relations = [msgspec.structs.replace(relation, attributes={}) for relation in relations]
    known = ends.union(annotation.id for annotation in relations)
    return msgspec.structs.replace(
        document,
        mentions=mentions,
        relations=relations,
        chains=chains,
        notes=[] if "notes" in kinds else [note for note in document.notes if note.target in known],
        metadata={} if "metadata" in kinds else document.metadata,
        table=_table(document.table, kinds | ({"layers"} if layers else set()), hints),
    )


def without_unplaced(document: Document) -> Document:
    """Return the document without mentions that have no span, and without relations that involve them."""
    mentions = [mention for mention in document.mentions if mention.spans]
    kept = {mention.id for mention in mentions}
    chains = [
        msgspec.structs.replace(chain, mentions=tuple(name for name in chain.mentions if name in kept))
        for chain in document.chains
    ]
    relations = _whole(document.relations, kept.union(chain.id for chain in chains if chain.mentions))
    return msgspec.structs.replace(document, mentions=mentions, chains=chains, relations=relations)


def _whole(relations: list[Relation], mentions: set[str]) -> list[Relation]:
    """Return the relations all of whose arguments are present."""
    while True:
        known = mentions | {relation.id for relation in relations}
        whole = [relation for relation in relations if _ends(relation) <= known]
        if len(whole) == len(relations):
            return whole
        relations = whole


def _ends(relation: Relation) -> set[str]:
    trigger = set() if relation.trigger is None else {relation.trigger}
    return trigger.union(argument.target for argument in relation.arguments)


def _is_unplaced(mention: Mention, text: str) -> bool:
    return not mention.spans or any(start >= end or end > len(text) for start, end in mention.spans)


def _trim_mention(mention: Mention, kinds: Set[str]) -> Mention:
    changes: dict[str, Any] = {}
    if "labels" in kinds:
        changes["labels"] = ()
    if "layers" in kinds:
        changes["layer"] = ""
    if "links" in kinds:
        changes["links"] = ()
    elif "scores" in kinds:
        changes["links"] = tuple(Link(link.target) for link in mention.links)
    if "attributes" in kinds:
        changes["attributes"] = {}
    return msgspec.structs.replace(mention, **changes) if changes else mention


def _table(table: TokenTable | None, kinds: Set[str], hints: str) -> TokenTable | None:
    if table is None or "tokens" in kinds:
        return None
    changes: dict[str, Any] = {}
    if "cells" in kinds or (kinds & {"labels", "layers", "links"} and not (table.dialect and table.dialect == hints)):
        changes |= {"columns": {}, "dialect": ""}
    if "comments" in kinds:
        changes |= {"comments": [], "dates": []}
    return msgspec.structs.replace(table, **changes) if changes else table
