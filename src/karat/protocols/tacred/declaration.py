"""TACRED: one relation an item, or none; micro-averaged without ``no_relation``.

Mirrors ``scorer.py`` of yuhaozhang/tacred-relation (commit 18221ef). It is the regime ``boundaries`` of the protocol
``relations``, with the arithmetic of that program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from operator import attrgetter
from typing import Any

import msgspec

from karat.model import Document
from karat.protocols.base import Demands, Main, Protocol, Sheet
from karat.protocols.invented import counting_invented, with_invented
from karat.protocols.published_book import PublishedBook
from karat.protocols.relations import draft as of_relations
from karat.protocols.relations.judge import beside
from karat.protocols.relations.reasons import item, on_shown_label, place, reason
from karat.protocols.tacred.judge import CASES, REGIME, judge
from karat.protocols.tacred.options import TacredOptions
from karat.quirks import quirks_of


def draft(gold: Document, system: Document, known: Any, options: TacredOptions) -> Iterator[Sheet]:
    """Yield the page of an item with the relations of both sides."""
    for sheet in of_relations.draft(gold, system, known, options.relations):
        (page,) = sheet.content
        page = msgspec.structs.replace(page, published=not options.mends("nothing-guessed-is-precise"))
        yield msgspec.structs.replace(sheet, content=(page,))


def remarks(notes: Counter[Hashable], known: Any, options: TacredOptions) -> Iterable[str]:
    """Return what the protocol of relations has to say."""
    return of_relations.remarks(notes, known, options.relations)


def demands(options: TacredOptions) -> Demands:
    """Return how labels are read: as the program does, or not without a label in every line."""
    rules = "strict" if options.mends("blank-is-a-label") else "tacred"
    return Demands(options={"labels": {"rules": rules}}, empty="labels")


PROTOCOLS = (
    with_invented(
        Protocol(
            name="tacred",
            title="TACRED: one relation an item, or none",
            task="relations",
            summary="Relations with the same label between the same mentions, micro-averaged without no_relation.",
            unit="document",
            book=PublishedBook(
                **counting_invented(
                    CASES,
                    judge,
                    item=item,
                    reason=reason,
                    is_invented=attrgetter("is_invented"),
                ),
                columns={REGIME: ("gold", "system", "correct")},
                empty={"precision": 1, "recall": 0, "f1": 0},
                charge=on_shown_label,
                averages=("micro", "macro-label"),
                order=place,
                beside=beside,
            ),
            draft=draft,
            remarks=remarks,
            demands=demands,
            options=TacredOptions,
            main=Main(regimes=(REGIME,), averages=("micro",)),
            quirks=quirks_of("karat.protocols.tacred"),
            reference="scorer.py of yuhaozhang/tacred-relation",
            docs="tacred",
        )
    ),
)
