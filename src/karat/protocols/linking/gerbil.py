"""The rules and slices of GERBIL: annotations that match strongly or weakly, with every mention counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from karat.evaluation.casebook import Verdict
from karat.protocols.linking.cases import MISSED, SPURIOUS
from karat.protocols.linking.items import Linked, Rule
from karat.protocols.linking.options import A2kbOptions

STRONG = Rule("strong", ("place", "id"), distinct=False)
_WEAK = "weak"
A2KB = (STRONG.name, _WEAK)
D2KB = (STRONG.name,)

IN_KB, EMERGING, GOLD_IN_KB = "InKB", "EE", "GSInKB"
"""The slices: mentions with a link, NILs, and whatever is in the place of a gold mention with a link."""

Inside = Callable[[Linked, bool, bool], bool]
"""Says whether a mention belongs to a slice; it is told whether it is a gold one, and whether its pair is correct."""


def a2kb(options: A2kbOptions) -> tuple[Rule, ...]:
    """Return the rules of A2KB, where the system recognises the mentions itself."""
    first = options.profile == "published"
    return STRONG, Rule(_WEAK, ("place", "id"), pairing="first-overlap" if first else "overlap", distinct=False)


def sliced(verdicts: Iterable[Verdict], gold: list[Linked], system: list[Linked], part: str) -> Iterator[Verdict]:
    """Yield the verdicts of a layer on the mentions of a slice; of a pair, a mention may be there without the other."""
    inside = _inside(part, gold)
    for verdict in verdicts:
        is_correct = verdict.weight == 1
        has_gold = verdict.gold is not None and inside(gold[verdict.gold], True, is_correct)
        has_system = verdict.system is not None and inside(system[verdict.system], False, is_correct)
        if has_gold == (verdict.gold is not None) and has_system == (verdict.system is not None):
            yield verdict
        elif has_gold:
            yield Verdict(MISSED, verdict.gold, None, verdict.regimes)
        elif has_system:
            yield Verdict(SPURIOUS, None, verdict.system, verdict.regimes)


def _inside(part: str, gold: Iterable[Linked]) -> Inside:
    if part == IN_KB:
        return lambda mention, is_gold, is_correct: not mention.target.is_nil
    if part == EMERGING:
        return lambda mention, is_gold, is_correct: mention.target.is_nil
    places = {mention.spans for mention in gold if mention.spans and not mention.target.is_nil}
    return lambda mention, is_gold, is_correct: (
        (mention.spans in places if mention.spans else is_gold)  # without a place it is nobody else's
        and not (mention.target.is_nil and (is_gold or is_correct))
    )
