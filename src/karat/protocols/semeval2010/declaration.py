"""SemEval-2010 task 8: nine relations between two nominals, with a direction, or none of them.

Mirrors version 1.2 of the official scorer (22 March 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from karat.model import Document
from karat.pairing import check_texts
from karat.protocols.base import Demands, Facts, Main, Protocol, Sheet, Side
from karat.protocols.invented import counting_invented, with_invented
from karat.protocols.mending import Mendable
from karat.protocols.published_book import PublishedBook
from karat.protocols.relations.claims import Grounds, claims_of
from karat.protocols.relations.options import RelationOptions, label_names
from karat.protocols.semeval2010.judge import (
    CASES,
    DIRECTED,
    OFFICIAL,
    UNDIRECTED,
    BookedRelation,
    Page,
    item,
    judge,
    labels_of,
    on_directed_label,
    place,
    reason,
    together,
)
from karat.quirks import quirks_of
from karat.settings import shared_option

OTHER = "Other"
UNLISTED = "unlisted-labels-cost-nothing"


@dataclass(frozen=True)
class SemevalOptions(Mendable):
    """What can be set in an evaluation by the rules of SemEval-2010 task 8."""

    profile: str = shared_option("profile")
    exclude: tuple[str, ...] = label_names((OTHER,), "labels that are no relations: left out on both sides")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing", "empty")

    @property
    def relations(self) -> RelationOptions:
        """The same, as the protocol of relations calls them."""
        return RelationOptions(exclude=self.exclude, invented=self.invented, missing=self.missing)


def facts(document: Document, side: Side, options: SemevalOptions) -> Iterator[str]:
    """Yield the labels of the gold, with their directions and without."""
    if side == "gold":
        for claim in claims_of(Grounds(document), options.relations, {}, {}):
            yield from labels_of(claim)


def draft(gold: Document, system: Document, known: Facts, options: SemevalOptions) -> Iterator[Sheet]:
    """Yield the page of a document with the relations of both sides."""
    check_texts(gold, system)
    sides = [_labelled(document, known, options) for document in (gold, system)]
    arithmetic, cost_free = (not options.mends(rule) for rule in ("nothing-proposed-is-zero", UNLISTED))
    page = Page(sides[0], sides[1], arithmetic, cost_free, (gold.source, system.source))
    unknown = [labelled.label for labelled in sides[1][::2] if not labelled.is_listed]
    yield Sheet(gold.id, (page,), unknown)


def _labelled(document: Document, known: Facts, options: SemevalOptions) -> list[BookedRelation]:
    claims = claims_of(Grounds(document), options.relations, {}, {})
    return [BookedRelation(label, claim, label in known) for claim in claims for label in labels_of(claim)]


def remarks(notes: Counter[Hashable], known: Any, options: SemevalOptions) -> Iterator[str]:
    """Yield which labels of the system are none of the gold's."""
    del known
    if notes:
        names = ", ".join(sorted(map(str, notes)))
        cost = "which are wrong" if options.mends(UNLISTED) else "which costs nothing"
        yield f"the gold never uses the labels of {notes.total()} system relations, {cost}: {names}"


def demands(options: SemevalOptions) -> Demands:
    """Return how answers are read: as the program does, or also without the end of the last line."""
    rules = "lenient" if options.mends("open-last-line-refused") else "program"
    return Demands(options={"semeval2010": {"rules": rules}}, empty="semeval2010")


PROTOCOLS = (
    with_invented(
        Protocol(
            name="semeval2010-task8",
            title="SemEval-2010 task 8: nine relations with a direction",
            task="relations",
            summary="Relations between the same mentions: with direction as label, without direction, and official.",
            unit="document",
            facts=facts,
            book=PublishedBook(
                **counting_invented(CASES, judge, item=item, reason=reason, is_invented=attrgetter("is_invented")),
                columns={
                    regime: [f"{regime}-{part}" for part in ("gold", "system", "correct")]
                    for regime in (OFFICIAL, DIRECTED, UNDIRECTED)
                },
                empty={"precision": 0, "recall": 0, "f1": 0},
                stops=True,
                charge=on_directed_label,
                averages=("macro-label", "micro"),
                order=place,
                together=together,
            ),
            draft=draft,
            remarks=remarks,
            demands=demands,
            options=SemevalOptions,
            main=Main(regimes=(OFFICIAL, DIRECTED, UNDIRECTED), averages=("macro-label", "micro")),
            quirks=quirks_of("karat.protocols.semeval2010"),
            reference="semeval2010_task8_scorer-v1.2.pl",
            docs="semeval2010",
        )
    ),
)
