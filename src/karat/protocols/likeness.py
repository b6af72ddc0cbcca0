"""How close links are to the right ones: the averages of ``jc`` and ``class`` beside precision, recall and F1.

A protocol on links becomes one with likeness by :func:`with_likeness`. If an ontology or a table was named, whatever
its ledger shows as a pair of a gold and a system mention is a pair of links to ask about, right and wrong ones alike.
All pairs of a regime are one request over the whole corpus, because the retired web service answered only the first
ones of each. What comes back is summed by unit and kept with it, so that each can be judged alone. If nothing was
named, the sums are 0, and the protocol is what it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Literal, NamedTuple

import msgspec

from karat.ledger import Entry, Item
from karat.measures.ratios import Formula, Ratio
from karat.ontology.asking import Sums, ask, summed
from karat.ontology.provider import Likeness, Provider
from karat.protocols.base import Book, Figure, Pair, Protocol, Sheet
from karat.protocols.likeness_options import LikenessOptions
from karat.tally import Group, Tally
from karat.vocabularies import NIL

COUNTS = ("pairs", "scored", "jc", "jc-phrases", "class", "class-phrases")
"""The names of :class:`~karat.ontology.asking.Sums`."""
MEASURES = ("jc", "class")
_NOTHING = re.compile(rf"({NIL}\d*)?")
"""A link to nothing that a knowledge base has."""

Where = Literal["same", "any"]
"""Which pairs of mentions a regime averages over: those in the same place, or all of its pairs."""

Answers = Mapping[tuple[str, str], Likeness | None]
"""The likeness of a gold and a system identifier."""


class Judged(NamedTuple):
    """An entry of the ledger, the links of its two sides without NIL, and whether these are in the same place.

    Several gold links are all right, several system links are ranked candidates: the best pair counts. ``named`` is the
    pair that the reason of the entry is about.
    """

    entry: Entry
    gold: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    same_place: bool = False
    named: tuple[str, str] | None = None

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The links to ask about; none if a side has no link."""
        return list(product(self.gold, self.system))


Judge = Callable[[Sheet], Iterable[Judged]]


class Asked(msgspec.Struct, frozen=True):
    """The content of a sheet with its likeness: sums by group, and for each entry of the ledger what to add to it."""

    content: Any
    sums: Tally
    remarks: Sequence[str]


def with_likeness(protocol: Protocol, regimes: Mapping[str, Where], judged: Judge | None = None) -> Protocol:
    """Return a protocol whose options are :class:`LikenessOptions` with the likeness of links under some regimes.

    ``judged`` yields the ledger with the links that it is about, in order; by default these are the labels of its
    items, for the system with their alternatives.
    """
    judge = judged or partial(judged_by_label, ledger=protocol.book.ledger)
    return msgspec.structs.replace(
        protocol,
        book=LikenessBook(protocol.book, regimes),
        whole=partial(_why_whole, base=protocol),
        draft_all=partial(_draft_all, base=protocol, judge=judge, regimes=dict(regimes)),
    )


def _why_whole(facts: Any, options: LikenessOptions, *, base: Protocol) -> str:
    return "the likeness of all links is asked for at once" if options.asks() else base.whole(facts, options)


def judged_by_label(sheet: Sheet, *, ledger: Callable[[Sheet], Iterable[Entry]]) -> Iterator[Judged]:
    """Yield a ledger in which the labels of items are their links."""
    for entry in ledger(sheet):
        gold, system = entry.gold, entry.system
        if gold is None or system is None:
            yield Judged(entry)
        else:
            links = _known(gold.label), _known(system.label, *system.alternatives)
            named = None if system.alternatives else (gold.label, system.label)
            yield Judged(entry, *links, same_place=gold.span == system.span, named=named)


def _known(*links: str) -> tuple[str, ...]:
    return tuple(link for link in dict.fromkeys(links) if not _NOTHING.fullmatch(link))


def _narrowed(figure: Figure, counts: Sequence[str]) -> Figure:
    """Return a figure of the protocol as it was: one that looks at all counts looks at those of the protocol only."""
    if figure.behind is not None:
        return figure
    formula = partial(_first, len(counts), figure.formula)
    return msgspec.structs.replace(figure, behind={name: name for name in counts}, formula=formula)


def _first(width: int, formula: Formula, counts: Sequence[Any]) -> Ratio:
    return formula(counts[:width])


def figures(regime: str, names: Sequence[str]) -> list[Figure]:
    """Return the averages of the best scores; without an ontology or a table there are none."""
    behind = {what: f"{regime}-{what}" for what in ("pairs", "scored")}
    return [
        Figure(measure, regime, "micro", partial(_average, names.index(f"{regime}-{measure}")), behind, optional=True)
        for measure in MEASURES
    ]


def _average(place: int, numbers: Sequence[Any]) -> Ratio:
    return numbers[place], numbers[place + 1]


def _draft_all(
    pairs: Sequence[Pair],
    facts: Any,
    options: LikenessOptions,
    *,
    base: Protocol,
    judge: Judge,
    regimes: Mapping[str, Where],
) -> Iterator[Sheet]:
    """Draft all sheets of the protocol, and ask for the likeness of all links in them."""
    if base.draft_all is not None and base.whole(facts, options):
        sheets = list(base.draft_all(pairs, facts, options))
    else:
        sheets = [sheet for gold, system in pairs for sheet in base.draft(gold, system, facts, options)]
    provider = options.provider()
    if provider is None:
        yield from sheets
        return
    judged = [list(judge(sheet)) for sheet in sheets]
    answers = {regime: _answers(judged, regime, where, provider) for regime, where in regimes.items()}
    for sheet, entries in zip(sheets, judged, strict=True):
        asked = Asked(sheet.content, _sums(entries, regimes, answers), _remarks(entries, regimes, answers))
        yield msgspec.structs.replace(sheet, content=asked)


def _answers(judged: Iterable[Iterable[Judged]], regime: str, where: Where, provider: Provider) -> Answers:
    """Ask for all pairs of a regime at once; what the provider knows is itself, whatever it says of that."""
    pairs = [pair for case in judged for one in case if _is_compared(one, regime, where) for pair in one.pairs]
    same = Likeness(1.0, 1.0)
    found = zip(pairs, ask(pairs, provider), strict=True)
    return {pair: same if answer is not None and pair[0] == pair[1] else answer for pair, answer in found}


def _is_compared(one: Judged, regime: str, where: Where) -> bool:
    return regime in one.entry.verdicts and (where == "any" or one.same_place)


def _sums(judged: Sequence[Judged], regimes: Mapping[str, Where], answers: Mapping[str, Answers]) -> Tally:
    """Return what adds up of a unit, for all labels and for each, under all regimes side by side."""
    found: dict[Group, dict[str, dict[Item | None, list[Likeness | None]]]] = {}
    for one in judged:
        entry, pairs = one.entry, one.pairs
        for regime, where in regimes.items():
            if pairs and _is_compared(one, regime, where):
                known = [answers[regime][pair] for pair in pairs]
                for label in (None, entry.label):
                    of_group = found.setdefault(Group(entry.layer, entry.slice, label), {})
                    of_group.setdefault(regime, {}).setdefault(entry.system, []).extend(known)
    return {
        group: tuple(
            number
            for regime in regimes
            for number in (summed(by_regime[regime].values()) if regime in by_regime else Sums())
        )
        for group, by_regime in found.items()
    }


def _remarks(judged: Iterable[Judged], regimes: Mapping[str, Where], answers: Mapping[str, Answers]) -> list[str]:
    """Return for each entry how close its wrong link is, nothing for others."""
    remarks = []
    for one in judged:
        asking = [name for name, where in regimes.items() if one.pairs and _is_compared(one, name, where)]
        wrong = asking and set(one.gold).isdisjoint(one.system)
        remarks.append(in_words({pair: answers[asking[0]][pair] for pair in one.pairs}, one.named) if wrong else "")
    return remarks


def in_words(answers: Answers, named: tuple[str, str] | None) -> str:
    """Return the likeness of a link with the right ones, the best by each measure, for a reason in the ledger.

    Where that is not of the pair of a gold and a system link that the reason has named, it says of which it is.

    >>> answers = {("Q1", "Q9"): Likeness(0.25, None), ("Q2", "Q9"): None}
    >>> in_words(answers, ("Q1", "Q9")), in_words(answers, ("Q2", "Q9"))
    ('class 0.250', 'Q9 and Q1: class 0.250')
    >>> in_words({("Q2", "Q9"): None}, ("Q2", "Q9"))
    'likeness unknown'
    """
    found: dict[tuple[str, str], list[str]] = {}
    for place, measure in ((1, "jc"), (0, "class")):
        scores = {pair: one[place] for pair, one in answers.items() if one is not None}
        known = [(score, pair == named, pair) for pair, score in scores.items() if score is not None]
        if known:
            score, _, pair = max(known, key=lambda one: one[:2])
            found.setdefault(pair, []).append(f"{measure} {score:.3f}")
    if not found:
        return "likeness unknown"
    if list(found) == [named]:
        return ", ".join(*found.values())
    return "; ".join(f"{system} and {gold}: {', '.join(several)}" for (gold, system), several in found.items())


class LikenessBook:
    """The book of a protocol, with sums of likeness beside its counts and with remarks in its ledger."""

    def __init__(self, book: Book, regimes: Iterable[str]) -> None:
        self.book = book
        self.counts = (*book.counts, *(f"{regime}-{count}" for regime in regimes for count in COUNTS))
        self.figures = (
            *(_narrowed(figure, book.counts) for figure in book.figures),
            *(figure for regime in regimes for figure in figures(regime, self.counts)),
        )

    def tally(self, sheet: Sheet) -> Tally:
        """Return the counts of a unit; without an ontology or a table, the sums of likeness are 0."""
        own = len(self.book.counts)
        nothing = (0,) * (len(self.counts) - own)
        if not isinstance(sheet.content, Asked):
            return {group: counts + nothing for group, counts in self.book.tally(sheet).items()}
        sums = sheet.content.sums
        counted = self.book.tally(msgspec.structs.replace(sheet, content=sheet.content.content))
        groups = dict.fromkeys((*counted, *sums))  # in the order of the protocol
        return {group: counted.get(group, (0,) * own) + sums.get(group, nothing) for group in groups}

    def ledger(self, sheet: Sheet) -> list[Entry]:
        """Return every item of a unit with its verdict and, where it is wrong, how close it is."""
        if not isinstance(sheet.content, Asked):
            return self.book.ledger(sheet)
        entries = self.book.ledger(msgspec.structs.replace(sheet, content=sheet.content.content))
        return [
            msgspec.structs.replace(entry, reason=f"{entry.reason}; {remark}") if remark else entry
            for entry, remark in zip(entries, sheet.content.remarks, strict=True)
        ]
