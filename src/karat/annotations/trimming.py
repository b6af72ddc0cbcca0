"""Leaving annotations out of a document on purpose, before it goes where they have no place."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import msgspec

from karat.model import Document, Mention, Relation, TokenTable


def trim(document: Document, kinds: Set[str], layers: Set[str], *, hints: str = "") -> Document:
    """Return the document without these kinds of annotation and with no other than these layers (none: all).

    What refers to a mention that is gone goes too. The raw cells of a table would still hold what was left out, so
    only its tokens stay, unless they are in the dialect ``hints``, whose cells count only as far as annotations agree.
    """
    if not kinds and not layers:
        return document
    mentions = [_trim_mention(mention, kinds) for mention in document.mentions if not layers or mention.layer in layers]
    kept = {mention.id for mention in mentions}
    relations = [] if "relations" in kinds else list(document.relations)
    while True:
        known = kept | {relation.id for relation in relations}
        whole = [relation for relation in relations if _ends(relation) <= known]
        if len(whole) == len(relations):
            break
        relations = whole
    chains = [] if "chains" in kinds else [chain for chain in document.chains if set(chain.mentions) <= kept]
    known = kept | {annotation.id for annotation in relations} | {annotation.id for annotation in chains}
    return msgspec.structs.replace(
        document,
        mentions=mentions,
        relations=relations,
        chains=chains,
        notes=[] if "notes" in kinds else [note for note in document.notes if note.target in known],
        table=None if document.table is None else _table(document.table, hints),
    )


def _ends(relation: Relation) -> set[str]:
    """Return the ids that a relation refers to."""
    trigger = set() if relation.trigger is None else {relation.trigger}
    return trigger.union(argument.target for argument in relation.arguments)


def _trim_mention(mention: Mention, kinds: Set[str]) -> Mention:
    changes: dict[str, Any] = {}
    if "labels" in kinds:
        changes["labels"] = ()
    if "links" in kinds:
        changes["links"] = ()
    if "attributes" in kinds:
        changes["attributes"] = {}
    return msgspec.structs.replace(mention, **changes)


def _table(table: TokenTable, hints: str) -> TokenTable:
    if table.dialect and table.dialect == hints:
        return table
    return TokenTable(table.forms, segments=table.segments, starts=table.starts)
