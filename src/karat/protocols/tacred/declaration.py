"""TACRED: one relation an item, or none; micro-averaged without ``no_relation``.

Mirrors ``scorer.py`` of yuhaozhang/tacred-relation (commit 18221ef). It is the regime ``boundaries`` of the protocol
``relations``, with the arithmetic of that program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from karat.evaluation.casebook import Casebook, Cases, RegimeCounts, Verdict, prf
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.protocol import Demands, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.matching.greedy import equal
from karat.protocols.corrections import CorrectableOptions
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
class TacredOptions(CorrectableOptions):
    """What can be set in an evaluation by the rules of TACRED."""

    profile: str = shared_option("profile")
    exclude: tuple[str, ...] = label_names((NO_RELATION,), "labels that are no relations: left out on both sides")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")

    @property
    def relations(self) -> RelationOptions:
        """The same, as the protocol of relations calls them."""
        return RelationOptions(roles="positions", exclude=self.exclude, invented=self.invented, missing=self.missing)


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


def demands(options: TacredOptions) -> Demands:
    """Return how labels are read: as the program does, or not without a label in every line."""
    rules = "strict" if options.mends("blank-is-a-label") else "tacred"
    return Demands(options={"labels": {"rules": rules}}, empty="labels")


def bind(options: TacredOptions) -> Rules:
    """Return the rules of the program with these options: those of relations, with its arithmetic."""
    figures = partial(prf, averages=("micro", "macro-label"))
    if not options.mends("nothing-guessed-is-precise"):
        figures = partial(figures, empty={"precision": 1, "recall": 0, "f1": 0})
    book = Casebook(
        **counting_invented(CASES, judge, reason=reason, is_invented=attrgetter("is_invented")),
        item=item,
        counting=partial(RegimeCounts, columns={REGIME: ("gold", "system", "correct")}),
        figures=figures,
        regimes=(REGIME,),
        charge=on_shown_label,
        order=place,
        beside=definitions.beside,
    )
    return Rules(
        book,
        partial(of_relations.draft, options=options.relations),
        remarks=partial(of_relations.remarks, options=options.relations),
        demands=demands(options),
    )


PROTOCOLS = (
    with_invented(
        Protocol(
            name="tacred",
            title="TACRED: one relation an item, or none",
            task="relations",
            summary="Relations with the same label between the same mentions, micro-averaged without no_relation.",
            unit="document",
            bind=bind,
            options=TacredOptions,
            quirks=quirks_of("karat.protocols.tacred"),
            reference="scorer.py of yuhaozhang/tacred-relation",
            docs="tacred",
        )
    ),
)
