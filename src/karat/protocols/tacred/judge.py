"""The regime ``boundaries`` of the protocol ``relations`` by itself, as a program counts that knows no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from karat.matching.greedy import equal
from karat.protocols.casebook import Cases, Verdict
from karat.protocols.relations import judge as definitions
from karat.protocols.relations.judge import EXACT, Page

REGIME = "boundaries"
CASES: Cases = {
    case: {REGIME: worths[REGIME]} if isinstance(worths, Mapping) else worths
    for case, worths in definitions.CASES.items()
}


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
    met = set(pairs.values())
    yield from (Verdict(EXACT, gold, system) for system, gold in pairs.items())
    yield from (Verdict("missed", gold, None) for gold, _ in golds if gold not in met)
    yield from (Verdict("spurious", None, system) for system, _ in systems if system not in pairs)
