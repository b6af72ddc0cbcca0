"""What the readers of relation tools share: triples of texts as relations between mentions."""

from __future__ import annotations

from collections.abc import Iterable

from karat.formats.tools.draft import Draft

Triple = tuple[str, str, str]
"""Head, relation and tail."""


def add(draft: Draft, triples: Iterable[Triple]) -> None:
    """Add triples to a document; a triple with an empty part is reported and left out."""
    for head, relation, tail in triples:
        if head.strip() and relation.strip() and tail.strip():
            draft.relation(draft.thing(head), relation, draft.thing(tail))
        else:
            draft.origin.repair(f"the triple {(head, relation, tail)!r:.100} has an empty part; it is left out")
