"""How close links are to the right ones: the averages of ``jc`` and ``class`` beside precision, recall and F1.

A protocol on links, whose options are :class:`LikenessOptions`, becomes one with likeness by :func:`with_likeness`. If
an ontology or a table was named, whatever its ledger shows as a pair of a gold and a system mention is a pair of links
to ask about, right and wrong ones alike. All pairs of a regime are one request over the whole corpus, because the
retired web service answered only the first ones of each. What comes back is summed by unit and kept with it, so that
each can be judged alone. If nothing was named, the sums are 0, and the protocol is what it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import msgspec

from karat.errors import UsageError
from karat.evaluation.casebook import Verdict
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.protocol import Book, Figure, Pair, Protocol, Rules, Sheet
from karat.evaluation.tally import Group, Tally
from karat.io import STDIN, digest
from karat.measures.formulas import Quotient
from karat.settings import Bounds, option
from karat.vocabularies import NIL
from karat.vocabularies.ontology.provider import SERVICE_DIGITS, Likeness, LikenessSums, Provider, Service, ask, summed

COUNTS = ("pairs", "scored", "jc", "jc-phrases", "class", "class-phrases")
"""The names of :class:`~karat.vocabularies.ontology.provider.LikenessSums`."""
MEASURES = ("jc", "class")
_NOTHING = re.compile(rf"({NIL}\d*)?")
"""A link to nothing that a knowledge base has."""

Where = Literal["same", "any"]
"""Which pairs of mentions a regime averages over: those in the same place, or all of its pairs."""

Answers = Mapping[tuple[str, str], Likeness | None]
"""The likeness of a gold and a system identifier."""


def shown_index(path: str) -> str:
    """Return what stands for an index in a signature: the digest of its content, which it carries."""
    from karat.vocabularies.ontology.store import digest_of

    return digest_of(path)


@dataclass(frozen=True)
class LikenessOptions:
    """Where the likeness of a link with the right one comes from: an ontology index, or a table of pairs.

    The others are limits of the retired web service: how many pairs of a request it answered, and ten decimals.
    """

    ontology: str = option(
        "",
        "compute the likeness of links with the right ones from this ontology index",
        metavar="INDEX",
        show=shown_index,
    )
    similarity_table: str = option(
        "", "read the likeness from a table with the columns q1, q2, class and jc", metavar="FILE", show=digest
    )
    max_pairs: int | None = option(
        None,
        "ask for the likeness of only so many pairs, as the web service did",
        bounds=Bounds(0, 1_000_000_000),
        metavar="N",
    )
    rounding: str = option(
        "none", "whether each likeness is rounded to ten decimals, as the web service did", choices=("none", "service")
    )

    @property
    def given(self) -> bool:
        """Whether there is an ontology or a table."""
        return bool(self.ontology or self.similarity_table)

    def asks(self) -> bool:
        """Say whether anything was set about likeness."""
        return self.given or self.max_pairs is not None or self.rounding != "none"

    def provider(self) -> Service | None:
        """Return what answers, ``None`` if there is nothing to ask; then no limits can be put on it."""
        self.refuse_input()
        if not self.given and self.asks():
            name = "rounding" if self.max_pairs is None else "max_pairs"
            raise UsageError(
                f"{name} limits the likeness of links, but there is none: name an ontology or a table of it"
            )
        return self.opened()

    def refuse_input(self) -> None:
        """Refuse standard input: a digest in the signature stands for a file or folder."""
        if self.similarity_table == STDIN:
            raise UsageError("a table of similarities cannot be standard input here; name a file")

    def opened(self) -> Service | None:
        """Return what answers, whatever it is; ``None`` if there is neither an ontology nor a table."""
        provider: Provider
        if self.ontology and self.similarity_table:
            raise UsageError("there are both an ontology and a table of similarities; name one of them")
        if self.similarity_table:
            from karat.vocabularies.ontology.tables import TableProvider

            provider = TableProvider(self.similarity_table)
        elif self.ontology:
            from karat.vocabularies.ontology.index import Ontology
            from karat.vocabularies.ontology.similarity import OntologyProvider

            provider = OntologyProvider(Ontology(self.ontology), "corrected" if self.is_corrected() else "published")
        else:
            return None
        digits = SERVICE_DIGITS if self.rounding == "service" else None
        return Service(provider, max_pairs=self.max_pairs, digits=digits)

    def is_corrected(self) -> bool:
        """Say whether the ontology is asked by its corrected profile: with that of the protocol, if it has one."""
        return getattr(self, "profile", "") == "corrected"


class Links(NamedTuple):
    """The links of a pair of mentions without NIL, and whether these are in the same place.

    Several gold links are all right, several system links are ranked candidates: the best pair counts. ``named`` is the
    pair that the reason of the entry is about.
    """

    gold: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    same_place: bool = False
    named: tuple[str, str] | None = None

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The links to ask about; none if a side has no link."""
        return list(product(self.gold, self.system))


JudgedEntry = tuple[Entry, Links]
"""An entry of the ledger, and the links that it is about; an item without a partner has none."""

LinksOf = Callable[[Any, Verdict], Links]
"""Returns the links of a pair on a page of a casebook."""


class GradedContent(msgspec.Struct, frozen=True):
    """The content of a sheet with its likeness: sums by group, and for each entry of the ledger what to add to it."""

    content: Any
    sums: Tally
    remarks: Sequence[str]


def own_content(sheet: Sheet) -> Any:
    """Return the content of a sheet as its protocol has drafted it, with or without likeness."""
    return sheet.content.content if isinstance(sheet.content, GradedContent) else sheet.content


def with_likeness(protocol: Protocol, regimes: Mapping[str, Where], links: LinksOf | None = None) -> Protocol:
    """Return a protocol whose options are :class:`LikenessOptions` with the likeness of links under some regimes.

    ``links`` are those of a pair on a page; by default they are the labels of the items in the ledger, for the system
    with their alternatives.
    """

    def bind(options: LikenessOptions) -> Rules:
        base = protocol.bind(options)
        return msgspec.structs.replace(
            base,
            book=LikenessBook(base.book, regimes),
            whole=lambda known: why_asked_at_once(known, options) or base.whole(known),
            draft_all=partial(_draft_all, options=options, base=base, links=links, regimes=dict(regimes)),
        )

    return msgspec.structs.replace(protocol, bind=bind)


def why_asked_at_once(known: Any, options: LikenessOptions) -> str:
    """Return why all pairs of documents are needed at once, if they are."""
    del known
    return "the likeness of all links is asked for at once" if options.asks() else ""


def _judged(book: Any, sheet: Sheet, links: LinksOf | None) -> list[JudgedEntry]:
    if links is None:
        return [(entry, _links_by_label(entry)) for entry in book.ledger(sheet)]
    return [
        (entry, Links() if verdict.gold is None or verdict.system is None else links(page, verdict))
        for entry, page, verdict in book.judged(sheet)
    ]


def _links_by_label(entry: Entry) -> Links:
    gold, system = entry.gold, entry.system
    if gold is None or system is None:
        return Links()
    named = None if system.alternatives else (gold.label, system.label)
    return Links(
        _known(gold.label), _known(system.label, *system.alternatives), same_place=gold.span == system.span, named=named
    )


def _known(*links: str) -> tuple[str, ...]:
    return tuple(link for link in dict.fromkeys(links) if not _NOTHING.fullmatch(link))


def _narrowed(figure: Figure, counts: Sequence[str]) -> Figure:
    """Return a figure of the protocol as it was: one that shows all counts shows those of the protocol only."""
    return (
        figure if figure.behind is not None else msgspec.structs.replace(figure, behind={name: name for name in counts})
    )


def figures(regime: str) -> list[Figure]:
    """Return the averages of the best scores; without an ontology or a table there are none."""
    behind = {what: f"{regime}-{what}" for what in ("pairs", "scored")}
    return [
        Figure(
            measure,
            regime,
            "micro",
            Quotient(above={f"{regime}-{measure}": 1}, below={f"{regime}-{measure}-phrases": 1}),
            behind,
            optional=True,
        )
        for measure in MEASURES
    ]


def _draft_all(
    pairs: Sequence[Pair],
    known: Any,
    *,
    options: LikenessOptions,
    base: Rules,
    links: LinksOf | None,
    regimes: Mapping[str, Where],
) -> Iterator[Sheet]:
    if base.draft_all is not None and base.whole(known):
        sheets = list(base.draft_all(pairs, known))
    else:
        sheets = [sheet for gold, system in pairs for sheet in base.draft(gold, system, known)]
    provider = options.provider()
    if provider is None:
        yield from sheets
        return
    judged = [_judged(base.book, sheet, links) for sheet in sheets]
    answers = {regime: _answers(judged, regime, where, provider) for regime, where in regimes.items()}
    for sheet, entries in zip(sheets, judged, strict=True):
        asked = GradedContent(sheet.content, _sums(entries, regimes, answers), _remarks(entries, regimes, answers))
        yield msgspec.structs.replace(sheet, content=asked)


def _answers(judged: Iterable[Iterable[JudgedEntry]], regime: str, where: Where, provider: Provider) -> Answers:
    """Ask for all pairs of a regime at once; what the provider knows is itself, whatever it says of that."""
    compared = (links for unit in judged for entry, links in unit if _is_compared(entry, links, regime, where))
    pairs = [pair for links in compared for pair in links.pairs]
    same = Likeness(1.0, 1.0)
    answered = zip(pairs, ask(pairs, provider), strict=True)
    return {pair: same if answer is not None and pair[0] == pair[1] else answer for pair, answer in answered}


def _is_compared(entry: Entry, links: Links, regime: str, where: Where) -> bool:
    return regime in entry.verdicts and (where == "any" or links.same_place)


def _sums(judged: Sequence[JudgedEntry], regimes: Mapping[str, Where], answers: Mapping[str, Answers]) -> Tally:
    """Return what adds up of a unit, for all labels and for each, under all regimes side by side."""
    answered: dict[Group, dict[str, dict[Item | None, list[Likeness | None]]]] = {}
    for entry, links in judged:
        pairs = links.pairs
        for regime, where in regimes.items():
            if pairs and _is_compared(entry, links, regime, where):
                known = [answers[regime][pair] for pair in pairs]
                for label in (None, entry.label):
                    of_group = answered.setdefault(Group(entry.layer, entry.slice, label), {})
                    of_group.setdefault(regime, {}).setdefault(entry.system, []).extend(known)
    return {
        group: tuple(
            value
            for regime in regimes
            for value in (summed(by_regime[regime].values()) if regime in by_regime else LikenessSums())
        )
        for group, by_regime in answered.items()
    }


def _remarks(judged: Iterable[JudgedEntry], regimes: Mapping[str, Where], answers: Mapping[str, Answers]) -> list[str]:
    """Return for each entry how close its wrong link is, nothing for others."""
    remarks = []
    for entry, links in judged:
        pairs = links.pairs
        asking = [name for name, where in regimes.items() if pairs and _is_compared(entry, links, name, where)]
        wrong = asking and set(links.gold).isdisjoint(links.system)
        remarks.append(in_words({pair: answers[asking[0]][pair] for pair in pairs}, links.named) if wrong else "")
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
    best: dict[tuple[str, str], list[str]] = {}
    for field, measure in ((1, "jc"), (0, "class")):
        scores = {pair: likeness[field] for pair, likeness in answers.items() if likeness is not None}
        known = [(score, pair == named, pair) for pair, score in scores.items() if score is not None]
        if known:
            score, _, pair = max(known, key=itemgetter(0, 1))
            best.setdefault(pair, []).append(f"{measure} {score:.3f}")
    if not best:
        return "likeness unknown"
    if list(best) == [named]:
        return ", ".join(*best.values())
    return "; ".join(f"{system} and {gold}: {', '.join(scored)}" for (gold, system), scored in best.items())


class LikenessBook:
    """The book of a protocol, with sums of likeness beside its counts and with remarks in its ledger."""

    def __init__(self, book: Book, regimes: Iterable[str]) -> None:
        self.book = book
        self.counts = (*book.counts, *(f"{regime}-{count}" for regime in regimes for count in COUNTS))
        self.figures = (
            *(_narrowed(figure, book.counts) for figure in book.figures),
            *(figure for regime in regimes for figure in figures(regime)),
        )

    def tally(self, sheet: Sheet) -> Tally:
        """Return the counts of a unit; without an ontology or a table, the sums of likeness are 0."""
        own = len(self.book.counts)
        nothing = (0,) * (len(self.counts) - own)
        if not isinstance(sheet.content, GradedContent):
            return {group: counts + nothing for group, counts in self.book.tally(sheet).items()}
        sums = sheet.content.sums
        counted = self.book.tally(msgspec.structs.replace(sheet, content=sheet.content.content))
        groups = dict.fromkeys((*counted, *sums))  # in the order of the protocol
        return {group: counted.get(group, (0,) * own) + sums.get(group, nothing) for group in groups}

    def ledger(self, sheet: Sheet) -> list[Entry]:
        """Return every item of a unit with its verdict and, where it is wrong, how close it is."""
        if not isinstance(sheet.content, GradedContent):
            return self.book.ledger(sheet)
        entries = self.book.ledger(msgspec.structs.replace(sheet, content=sheet.content.content))
        return [
            msgspec.structs.replace(entry, reason=f"{entry.reason}; {remark}") if remark else entry
            for entry, remark in zip(entries, sheet.content.remarks, strict=True)
        ]
