"""One of the definitions of a correct relation by itself, for programs that know no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from karat.matching.greedy import equal
from karat.protocols.casebook import Cases, Judge, Verdict
from karat.protocols.relations.judge import CASES, EXACT, Page, judge


def cases_of(regime: str) -> Cases:
    """Return what each case counts for under a regime."""
    return {case: {regime: worths[regime]} if isinstance(worths, Mapping) else worths for case, worths in CASES.items()}


def judge_of(regime: str) -> Judge:
    """Return the judge of a regime that compares for equality: strict, boundaries, or last-token.

    A page that is ready for the ledger is judged under all regimes, so that misses are told by what is wrong with them.
    """
    key = regime.replace("-", "_")

    def judged(page: Page) -> Iterator[Verdict]:
        if page.judgement is not None:
            for verdict in judge(page):
                if regime in (verdict.regimes or ()):
                    yield verdict._replace(regimes=(regime,))
            return
        claims = page.gold, page.system
        sides = [[(index, getattr(claim.keys, key)) for index, claim in enumerate(side)] for side in claims]
        pairs = equal(*sides)
        met = set(pairs.values())
        yield from (Verdict(EXACT, gold, system) for system, gold in pairs.items())
        yield from (Verdict("missed", gold, None) for gold, _ in sides[0] if gold not in met)
        yield from (Verdict("spurious", None, system) for system, _ in sides[1] if system not in pairs)

    return judged
