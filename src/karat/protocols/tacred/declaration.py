"""TACRED: one relation an item, or none; micro-averaged without ``no_relation``.

Mirrors ``scorer.py`` of yuhaozhang/tacred-relation (commit 18221ef). It is the regime ``boundaries`` of the protocol
``relations``, with the arithmetic of that program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import msgspec

from karat.evaluation.casebook import Cases, Verdict
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.protocol import Demands, Main, Protocol, Sheet
from karat.evaluation.quirks import quirks_of
from karat.evaluation.regimebook import PublishedBook
from karat.matching.greedy import equal
from karat.model import Document
from karat.protocols.mending import Mendable
from karat.protocols.relations import draft as of_relations
from karat.protocols.relations import judge as definitions
from karat.protocols.relations.judge import EXACT, Page
from karat.protocols.relations.options import RelationOptions, label_names
from karat.protocols.relations.reasons import item, on_shown_label, place, reason
from karat.protocols.tacred import NO_RELATION
from karat.settings import shared_option

REGIME = "boundaries"
CASES: Cases = {
    case: {REGIME: worths[REGIME]} if isinstance(worths, Mapping) else worths
    for case, worths in definitions.CASES.items()
}


@dataclass(frozen=True)
class TacredOptions(Mendable):
    """What can be set in an evaluation by the rules of TACRED."""

    profile: str = shared_option("profile")
    exclude: tuple[str, ...] = label_names((NO_RELATION,), "labels that are no relations: left out on both sides")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")

    @property
    def relations(self) -> RelationOptions:
        """The same, as the protocol of relations calls them."""
        return RelationOptions(roles="positions", exclude=self.exclude, invented=self.invented, missing=self.missing)


def draft(gold: Document, system: Document, known: Any, options: TacredOptions) -> Iterator[Sheet]:
    """Yield the page of an item with the relations of both sides."""
    for sheet in of_relations.draft(gold, system, known, options.relations):
        (page,) = sheet.content
        page = msgspec.structs.replace(page, published=not options.mends("nothing-guessed-is-precise"))
        yield msgspec.structs.replace(sheet, content=(page,))


def judge(page: Page) -> Iterator[Verdict]:
    """Yield the verdicts on a page.

    One that is ready for the ledger is judged under all regimes, so that misses are told by what is wrong with them.
    """
    if page.judgement is not None:
        for verdict in definitions.judge(page):
            if REGIME in (verdict.regimes or ()):
                yield verdict._replace(regimes=(REGIME,))
        return
    golds, systems = (
        [(index, claim.keys.boundaries) for index, claim in enumerate(side)] for side in (page.gold, page.system)
    )
    pairs = equal(golds, systems)
    paired = set(pairs.values())
    yield from (Verdict(EXACT, gold, system) for system, gold in pairs.items())
    yield from (Verdict("missed", gold, None) for gold, _ in golds if gold not in paired)
    yield from (Verdict("spurious", None, system) for system, _ in systems if system not in pairs)


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
                beside=definitions.beside,
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
