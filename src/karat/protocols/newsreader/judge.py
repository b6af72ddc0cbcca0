"""Judging one document: which gold link each system link meets, as published and corrected.

The published evaluation counts *pairs*: a system link inside of two gold links of the same entity is right twice. So
its cases say which side of a pair has been counted before:

============  =========  =========  ===========================================================
case          strict     fuzzy      what it is
============  =========  =========  ===========================================================
exact         correct    correct    same entity, same tokens
repeated      correct    correct    the same once more: its gold link is counted already
contained     incorrect  correct    same entity, one span a run of the other
gold-again    incorrect  correct    the same, but the gold link is counted already
system-again  incorrect  correct    the same, but the system link is counted already
both-again    incorrect  correct    the same, but both are counted already
wrong-link    incorrect  incorrect  matching spans, another entity
spurious      spurious   spurious   a system link that meets no gold link
missed        missed     missed     a gold link that meets no system link
============  =========  =========  ===========================================================

The corrected one pairs each link at most once, over any shared token, so that as many as possible are right:
``exact``, ``overlap`` (correct under fuzzy), ``wrong-link``, ``spurious``, ``missed``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from karat.ledger import Entry, Item, Outcome
from karat.matching.greedy import best_first
from karat.matching.optimal import optimal
from karat.model import Span
from karat.protocols.base import Case
from karat.protocols.newsreader.dense import is_crowded, paired
from karat.protocols.newsreader.spans import RunIndex
from karat.tally import Group, Tally

PUBLISHED = (
    "exact",
    "repeated",
    "contained",
    "gold-again",
    "system-again",
    "both-again",
    "wrong-link",
    "spurious",
    "missed",
)
CORRECTED = ("exact", "overlap", "wrong-link", "spurious", "missed")

STRICT = ("exact", "repeated")
FUZZY = (*STRICT, "contained", "overlap", "gold-again", "system-again", "both-again")
REGIMES = {"strict": STRICT, "fuzzy": FUZZY}


class Mark(NamedTuple):
    """A link over some tokens: their ids, the entity's name, and the range and text for the ledger."""

    ids: tuple[str, ...]
    name: str
    range: Span = (0, 0)
    text: str = ""

    @property
    def span(self) -> str:
        """The ids as the published files have them."""
        return "-".join(self.ids)


class Verdict(NamedTuple):
    """A case with the indices of the gold and system links concerned; one of them may be missing."""

    case: str
    gold: int | None
    system: int | None


class Sheet(msgspec.Struct, frozen=True):
    """The links of one document and layer, in text order."""

    layer: str
    gold: Sequence[Mark]
    system: Sequence[Mark]
    published: bool
    sources: tuple[str, str] = ("", "")


def judge(sheet: Sheet) -> Iterator[Verdict]:
    """Yield the verdicts on a sheet."""
    return (judge_published if sheet.published else judge_corrected)(sheet.gold, sheet.system)


def judge_published(gold: Sequence[Mark], system: Sequence[Mark]) -> Iterator[Verdict]:
    """Yield the pairs of the published program, then what is left over; of gold links over one span the last counts.

    >>> gold = [Mark(("1", "2"), "Bern"), Mark(("3",), "Bern")]
    >>> [verdict.case for verdict in judge_published(gold, [Mark(("1", "2", "3"), "Bern")])]
    ['contained', 'system-again']
    """
    by_span = {mark.span: index for index, mark in enumerate(gold)}
    spans = RunIndex(by_span)
    meets = [[by_span[one] for one in spans.matching(mark.span)] for mark in system]
    golds: set[int] = set()
    systems: set[int] = set()
    parts: list[tuple[int, int]] = []
    for index, mark in enumerate(system):
        for partner in meets[index]:
            if gold[partner].name != mark.name:
                continue
            if gold[partner].ids != mark.ids or mark.name in ("", "0"):
                parts.append((index, partner))
                continue
            yield Verdict("repeated" if partner in golds else "exact", partner, index)
            golds.add(partner)
            systems.add(index)
    again: list[tuple[int, int]] = []
    for index, partner in parts:
        if index in systems or partner in golds:
            again.append((index, partner))
            continue
        yield Verdict("contained", partner, index)
        golds.add(partner)
        systems.add(index)
    for index, partner in again:
        case = "gold-again" if index not in systems else "system-again" if partner not in golds else "both-again"
        yield Verdict(case, partner, index)
        golds.add(partner)
        systems.add(index)
    yield from _left_over(gold, system, meets, golds, systems)


def _left_over(
    gold: Sequence[Mark], system: Sequence[Mark], meets: Sequence[Sequence[int]], golds: set[int], systems: set[int]
) -> Iterator[Verdict]:
    """Yield wrong links over matching spans, the same span first, then what meets nothing."""
    free = [[one for one in meets[index] if one not in golds and index not in systems] for index in range(len(system))]
    wrong = best_first(free, lambda index, partner: gold[partner].ids != system[index].ids)
    yield from (Verdict("wrong-link", partner, index) for index, partner in sorted(wrong.items()))
    done = golds.union(wrong.values())
    yield from (
        Verdict("spurious", None, index) for index in range(len(system)) if index not in systems and index not in wrong
    )
    yield from (Verdict("missed", index, None) for index in range(len(gold)) if index not in done)


def judge_corrected(gold: Sequence[Mark], system: Sequence[Mark]) -> Iterator[Verdict]:
    """Pair links that share a token, each at most once: exact pairs first, then as many of one entity as there can be.

    Of pairings with as many right links, that with the most equal spans counts, then that with the most shared tokens,
    then places in the text decide; so the order of the links makes no difference.

    >>> gold = [Mark(("1", "2"), "Bern"), Mark(("3",), "Bern")]
    >>> [verdict.case for verdict in judge_corrected(gold, [Mark(("2", "3"), "Bern")])]
    ['overlap', 'missed']
    """
    pairs = _exact_pairs(gold, system)
    taken = set(pairs.values())
    golds = sorted((at for at in range(len(gold)) if at not in taken), key=lambda at: place(gold[at]))
    systems = sorted((at for at in range(len(system)) if at not in pairs), key=lambda at: place(system[at]))
    wrong: set[int] = set()
    for one, two in _overlapping([gold[at] for at in golds], [system[at] for at in systems]).items():
        pairs[systems[one]] = golds[two]
        if gold[golds[two]].name != system[systems[one]].name:
            wrong.add(systems[one])
    for index, partner in sorted(pairs.items()):
        case = "exact" if partner in taken else "wrong-link" if index in wrong else "overlap"
        yield Verdict(case, partner, index)
    yield from (Verdict("spurious", None, index) for index in range(len(system)) if index not in pairs)
    paired = set(pairs.values())
    yield from (Verdict("missed", index, None) for index in range(len(gold)) if index not in paired)


def place(mark: Mark) -> tuple[list[tuple[bool, int, str]], str]:
    """Return the key that puts links in the order of the text: numbers of tokens as numbers, then the name.

    >>> sorted([Mark(("10",), "A"), Mark(("9",), "B"), Mark(("9",), "A")], key=place)[0]
    Mark(ids=('9',), name='A', range=(0, 0), text='')
    """
    return [_as_number(one) for one in mark.ids], mark.name


def _as_number(token: str) -> tuple[bool, int, str]:
    is_number = token.isascii() and token.isdigit() and len(token) < 19
    return not is_number, int(token) if is_number else 0, token


def _exact_pairs(gold: Sequence[Mark], system: Sequence[Mark]) -> dict[int, int]:
    """Pair links over the same tokens with the same name, the first with the first."""
    waiting: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for index in reversed(range(len(gold))):
        waiting.setdefault((gold[index].ids, gold[index].name), []).append(index)
    pairs: dict[int, int] = {}
    for index, mark in enumerate(system):
        same = waiting.get((mark.ids, mark.name))
        if same:
            pairs[index] = same.pop()
    return pairs


def _overlapping(gold: Sequence[Mark], system: Sequence[Mark]) -> dict[int, int]:
    """Pair links that share a token: the most of one entity, then the most over the same tokens, then most tokens."""
    if is_crowded(gold, system):
        return paired(gold, system)
    holding: dict[str, list[int]] = {}
    for index, mark in enumerate(gold):
        for one in set(mark.ids):
            holding.setdefault(one, []).append(index)
    meets = [sorted({at for one in mark.ids for at in holding.get(one, ())}) for mark in system]

    def weight(index: int, partner: int) -> tuple[int, int, int]:
        one, other = gold[partner], system[index]
        return int(one.name == other.name), int(one.ids == other.ids), len(set(one.ids).intersection(other.ids))

    return optimal(meets, weight)


def outcome(case: str, regime: str) -> Outcome:
    """Return what a case counts as under a regime.

    >>> outcome("overlap", "fuzzy"), outcome("overlap", "strict"), outcome("missed", "fuzzy")
    ('correct', 'incorrect', 'missed')
    """
    if case == "spurious":
        return "spurious"
    if case == "missed":
        return "missed"
    return "correct" if case in REGIMES[regime] else "incorrect"


def tally(case: Case) -> Tally:
    """Count the cases of a document, for all entities together and for each."""
    counted: dict[Group, list[int]] = {}
    for sheet in case.content:
        cases = PUBLISHED if sheet.published else CORRECTED
        counted.setdefault(Group(sheet.layer), [0] * len(cases))
        for verdict in judge(sheet):
            place = cases.index(verdict.case)
            for label in (None, _label(sheet, verdict)):
                counted.setdefault(Group(sheet.layer, "", label), [0] * len(cases))[place] += 1
    return {group: tuple(numbers) for group, numbers in counted.items()}


def ledger(case: Case) -> list[Entry]:
    """Return every pair that counts and every link that meets nothing."""
    return [_entry(case.unit, sheet, verdict) for sheet in case.content for verdict in judge(sheet)]


def _label(sheet: Sheet, verdict: Verdict) -> str:
    if verdict.gold is not None:
        return sheet.gold[verdict.gold].name
    assert verdict.system is not None  # noqa: S101 - a verdict is about something
    return sheet.system[verdict.system].name


def _entry(unit: str, sheet: Sheet, verdict: Verdict) -> Entry:
    gold = None if verdict.gold is None else sheet.gold[verdict.gold]
    system = None if verdict.system is None else sheet.system[verdict.system]
    return Entry(
        unit=unit,
        layer=sheet.layer,
        label=_label(sheet, verdict),
        case=verdict.case,
        verdicts={regime: outcome(verdict.case, regime) for regime in REGIMES},
        reason=_reason(verdict.case, gold, system, sheet),
        gold=_item(gold, sheet.sources[0]),
        system=_item(system, sheet.sources[1]),
    )


def _item(mark: Mark | None, source: str) -> Item | None:
    return None if mark is None else Item(label=mark.name, text=mark.text, span=mark.range, place=source)


def _reason(case: str, gold: Mark | None, system: Mark | None, sheet: Sheet) -> str:
    """Return in words why the case is what it is."""
    matching = "is a run of its tokens, or the other way round" if sheet.published else "shares a token with it"
    if gold is None:
        return f"no gold link that is still free {matching}"
    if system is None:
        if sheet.published and sum(one.ids == gold.ids for one in sheet.gold) > 1:
            return "the gold has another link over the same tokens, or none was found"
        return f"no system link that is still free {matching}"
    spans = "same tokens" if gold.ids == system.ids else f"tokens {system.span} for {gold.span}"
    if case == "wrong-link":
        return f"{system.name} for {gold.name}, {spans}"
    counted = {
        "repeated": ", but the gold link is counted already",
        "gold-again": ", but the gold link is counted already",
        "system-again": ", but the system link is counted already",
        "both-again": ", but both are counted already",
    }
    return f"same entity, {spans}{counted.get(case, '')}"
