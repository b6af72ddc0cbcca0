"""Judging the links of a document: OMIn's evaluation of entity linking as published, corrected, and as first described.

Every gold mention is decided under each set-up: its link is right, wrong, or the mention is missed. Links of other
phrases are not counted. Corrected and as first described, a wrong link is a missed one too. With an ontology or a table
of scores, the likeness of the links with the right ones is averaged as well: all pairs of a set-up are one request over
the whole corpus, and what comes back is kept with the documents, so that each can be judged alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from karat.evaluation.casebook import CORRECT, INCORRECT, MISSED, Casebook, Cases, Verdict, by_gold_item, prf
from karat.evaluation.counting import CaseCounts, Charge, Counting, Worths
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Figure, Pair, Sheet, Side
from karat.evaluation.tally import Group, Tally
from karat.measures.formulas import Quotient
from karat.model import Document, Mention
from karat.protocols.likeness import COUNTS, Answers, in_words
from karat.protocols.likeness import figures as likeness_figures
from karat.protocols.omin.levels import (
    Decision,
    LinkedPhrase,
    LinkLevel,
    Setups,
    SystemLinks,
    decide_best,
    decide_published,
)
from karat.protocols.omin.mentions import (
    PHRASE,
    by_layer,
    ends_of,
    gold_text,
    is_nameless,
    phrase,
    range_of,
    row_number,
    stop,
)
from karat.protocols.omin.options import BestLinkOptions, LinkOptions
from karat.vocabularies import NIL
from karat.vocabularies.ontology.provider import Likeness, Provider, ask, summed

_LEVELS = ("secondary", "tertiary")
CASES: Cases = {"right": CORRECT, "wrong": INCORRECT, "missed": MISSED, "not-counted": {}}
"""What can happen to a gold mention under a set-up; a link that decides none is not counted, either."""
AnyOptions = LinkOptions | BestLinkOptions
_COUNTED = ("right", "wrong", "missed")


class LinkPair(NamedTuple):
    """A linked phrase, the gold phrase that it stands for, and the identifiers of both."""

    phrase: str
    gold_phrase: str | None
    gold: str
    system: str

    @property
    def identifiers(self) -> tuple[str, str]:
        """What is asked about."""
        return self.gold, self.system


class GoldMention(NamedTuple):
    """A gold mention: its levels, how it is shown, and the number of its row in a file of rows."""

    levels: list[LinkLevel]
    item: Item
    number: int

    @property
    def label(self) -> str:
        """The first identifier."""
        return self.item.label


class Page(msgspec.Struct, frozen=True):
    """The gold mentions and the system links of one document and layer."""

    group: Group
    gold: Sequence[GoldMention]
    system: SystemLinks
    setups: Setups
    first_decides: bool
    wrong_is_missed: bool
    answers: Mapping[str, Answers] = {}
    """The likeness of pairs by set-up; nothing without an ontology or a table."""


def draft(gold: Document, system: Document, layers: Sequence[str], options: AnyOptions) -> Iterator[Sheet]:
    """Yield the sheet of a document, with a page for each layer."""
    best = isinstance(options, BestLinkOptions)
    published, wrong_is_missed = (
        (False, True)
        if isinstance(options, BestLinkOptions)
        else (not options.mends("best-candidate"), options.mends("wrong-is-not-missed"))
    )
    longer = _longer_mentions(gold) if best else {}
    pages = []
    for layer, golds, systems in zip(layers, by_layer(gold, layers), by_layer(system, layers), strict=True):
        rows = [_row(mention, gold, longer) for mention in golds]
        page = Page(Group(layer), rows, SystemLinks(), options.setups, published, wrong_is_missed)
        is_counted = any(decisions(page, row) for row in rows)
        lenient = not is_counted or not (published or best)
        links = [] if is_nameless(gold) else _links(systems, system, lenient=lenient)
        pages.append(msgspec.structs.replace(page, system=SystemLinks(links)))
    yield Sheet(gold.id, pages)


def _links(mentions: Iterable[Mention], document: Document, *, lenient: bool) -> list[LinkedPhrase]:
    """Return the links of a document in their order; as published, one without a phrase stops the program."""
    links = []
    for mention in mentions:
        target = _target(mention, 0)
        if target is None:
            continue
        if PHRASE not in mention.attributes:
            text = phrase(mention, document)
            item = Item(target, text, range_of(mention), place=document.source, ends=ends_of(mention))
            links.append(LinkedPhrase(text.upper(), target, item))
        elif not lenient:
            advice = "take the row out, or choose --profile corrected, which passes over it"
            raise stop(document, mention, "mention of a link", advice)
    return links


def _target(mention: Mention, level: int) -> str | None:
    target = mention.links[level].target if level < len(mention.links) else NIL
    return None if target == NIL else target


def _row(mention: Mention, document: Document, longer: Mapping[str, str]) -> GoldMention:
    """Return the levels of a mention; one that refers to a longer mention has that one's identifier as well."""
    given = phrase(mention, document)
    first = None if mention.attributes.get(PHRASE) == "missing" else given
    texts = (first, *(mention.attributes.get(name) for name in _LEVELS))
    levels = [
        LinkLevel(None if text is None else gold_text(mention, text), _target(mention, rank))
        for rank, text in enumerate(texts)
    ]
    if mention.id in longer:
        levels = [LinkLevel(levels[0].phrase, longer[mention.id]), *levels[:2]]
    targets = [level.target for level in levels if level.target is not None]
    label, *alternatives = targets or [NIL]
    item = Item(label, given, range_of(mention), tuple(alternatives), document.source, ends_of(mention))
    return GoldMention(levels, item, row_number(mention))


def _longer_mentions(document: Document) -> dict[str, str]:
    """Return for each mention in a chain with a longer linked one the identifier of the longest."""
    mentions = {mention.id: mention for mention in document.mentions}
    longer: dict[str, str] = {}
    for chain in document.chains:
        members = [mentions[name] for name in chain.mentions if name in mentions]
        lengths = {mention.id: len(phrase(mention, document)) for mention in members}
        linked = [mention for mention in members if _target(mention, 0) is not None]
        if linked:
            longest = max(linked, key=lambda mention: lengths[mention.id])
            shorter = (mention.id for mention in members if lengths[mention.id] < lengths[longest.id])
            longer |= dict.fromkeys(shorter, longest.links[0].target)
    return longer


def decisions(page: Page, row: GoldMention) -> dict[str, Decision]:
    """Decide a gold mention under each set-up in which it counts."""
    decide = decide_published if page.first_decides else decide_best
    decided = {name: decide(row.levels, page.system, setup) for name, setup in page.setups.items()}
    return {name: decision for name, decision in decided.items() if decision is not None}


def judge(page: Page) -> Iterator[Verdict]:
    """Yield the verdicts on all gold mentions under each set-up, then on the links that have decided none."""
    deciding: set[int | None] = set()
    for index, row in enumerate(page.gold):
        decided = decisions(page, row)
        for name, (correct, system, _) in decided.items():
            case = "right" if correct else "missed" if system is None else "wrong"
            yield Verdict(case, index, system, (name,))
            deciding.add(system)
        if not decided:
            yield Verdict("not-counted", index, None, ())
    yield from (Verdict("not-counted", None, index, ()) for index in range(len(page.system)) if index not in deciding)


def pairs_of(page: Page) -> Iterator[tuple[str, GoldMention, list[LinkPair]]]:
    """Yield the identifiers that the deciding links are compared with for likeness: set-up, gold mention, and pairs."""
    for row in page.gold:
        for name, decision in decisions(page, row).items():
            yield name, row, _pairs(page, row, decision)


def _pairs(page: Page, row: GoldMention, decision: Decision) -> list[LinkPair]:
    if decision.system is None:
        return []
    link = page.system[decision.system]
    levels = (row.levels[index] for index in decision.levels)
    return [LinkPair(link.phrase, text, target, link.target) for text, target in levels if target is not None]


def draft_all(pairs: Sequence[Pair], layers: Sequence[str], options: AnyOptions) -> Iterator[Sheet]:
    """Yield the sheets of all documents with the likeness of their links, asked for all of them at once."""
    provider = options.provider()
    sheets = [sheet for gold, system in pairs for sheet in draft(gold, system, layers, options)]
    if provider is None:
        yield from sheets
        return
    pages = [page for sheet in sheets for page in sheet.content]
    known = {name: answers(_in_order(pages, name), provider) for name in options.setups}
    for sheet in sheets:
        yield msgspec.structs.replace(sheet, content=[_answered(page, known) for page in sheet.content])


def _in_order(pages: Iterable[Page], setup: str) -> list[LinkPair]:
    """Return all pairs of a set-up in the order of the gold file, on which it depends which are the first ones."""
    compared = [(row.number, pairs) for page in pages for name, row, pairs in pairs_of(page) if name == setup]
    compared.sort(key=itemgetter(0))
    return [pair for _, pairs in compared for pair in pairs]


def answers(pairs: Sequence[LinkPair], provider: Provider) -> Answers:
    """Ask for the likeness of all pairs of a set-up at once."""
    identifiers = [pair.identifiers for pair in pairs]
    return dict(zip(identifiers, ask(identifiers, provider), strict=True))


def by_phrase(pairs: Iterable[LinkPair], known: Answers) -> list[list[Likeness | None]]:
    """Return the scores of some pairs of one document, those of a linked phrase together: the best of them counts.

    >>> pairs = [LinkPair("CART", "CART", "Q1", "Q2"), LinkPair("CART", "CART", "Q3", "Q2")]
    >>> summed(by_phrase(pairs, {("Q1", "Q2"): Likeness(0.25, 0.5), ("Q3", "Q2"): Likeness(0.75, None)}))
    LikenessSums(pairs=2, scored=2, jc=0.5, jc_phrases=1, class_=0.75, class_phrases=1)
    """
    scores: dict[str, list[Likeness | None]] = {}
    for pair in pairs:
        scores.setdefault(pair.phrase, []).append(known[pair.identifiers])
    return list(scores.values())


def _answered(page: Page, known: Mapping[str, Answers]) -> Page:
    own: dict[str, dict[tuple[str, str], Any]] = {name: {} for name in page.setups}
    for name, _, pairs in pairs_of(page):
        own[name] |= {pair.identifiers: known[name][pair.identifiers] for pair in pairs}
    return msgspec.structs.replace(page, answers=own)


def link_book(setups: Setups) -> Casebook:
    """Return the book of right, wrong and missed gold mentions of each set-up, and of the likeness of links."""
    return Casebook(
        CASES,
        judge,
        item=_item,
        reason=_reason,
        counting=LinkCounts,
        figures=_figures,
        regimes=tuple(setups),
        together=by_gold_item,
    )


class LinkCounts(CaseCounts):
    """Counts of right, wrong and missed gold mentions of each set-up, and sums of the likeness of links."""

    def __init__(self, worths: Worths, regimes: Sequence[str], charge: Charge | None) -> None:
        super().__init__(worths, regimes, charge)
        self.counts = tuple(f"{setup}-{count}" for setup in regimes for count in (*_COUNTED, *COUNTS))
        self._first = {setup: self.counts.index(f"{setup}-{_COUNTED[0]}") for setup in regimes}

    def tally(self, page: Any, verdicts: Iterable[Verdict]) -> Tally:
        """Count mentions, for all entities together and for each."""
        layer, part, _ = page.group
        booked: dict[Group, list[float]] = {page.group: [0] * len(self.counts)}
        for verdict in verdicts:
            for setup in verdict.regimes or ():
                group = Group(layer, part, page.gold[verdict.gold].label)
                if group not in booked:
                    booked[group] = [0] * len(self.counts)
                for count in _booked(verdict.case, page.wrong_is_missed):
                    column = self._first[setup] + _COUNTED.index(count)
                    booked[page.group][column] += 1
                    booked[group][column] += 1
        return {group: tuple(counts) for group, counts in booked.items()}

    def completed(self, page: Any, tally: Tally) -> Tally:
        """Sum up the likeness of links, if it was asked for."""
        if not page.answers:
            return tally
        booked = {group: list(counts) for group, counts in tally.items()}
        self._add_likeness(page, booked)
        return {group: tuple(counts) for group, counts in booked.items()}

    def _add_likeness(self, page: Page, booked: dict[Group, list[float]]) -> None:
        asked: dict[tuple[Group, str], list[LinkPair]] = {}
        for setup, row, pairs in pairs_of(page):
            for group in (page.group, page.group._replace(label=row.label)):
                asked.setdefault((group, setup), []).extend(pairs)
        for (group, setup), pairs in asked.items():
            column = self._first[setup] + len(_COUNTED)
            booked[group][column : column + len(COUNTS)] = summed(by_phrase(pairs, page.answers[setup]))

    def precision(self, regime: str) -> Quotient:
        """Return the right mentions among those with links."""
        return Quotient({f"{regime}-right": 1}, {f"{regime}-right": 1, f"{regime}-wrong": 1})

    def recall(self, regime: str) -> Quotient:
        """Return the right mentions among those that are right or missed."""
        return Quotient({f"{regime}-right": 1}, {f"{regime}-right": 1, f"{regime}-missed": 1})

    def behind(self, regime: str) -> Mapping[str, str]:  # type: ignore[override]
        """Return what is counted of mentions."""
        return {count: f"{regime}-{count}" for count in _COUNTED}


def _figures(counting: Counting) -> Iterator[Figure]:
    """Yield precision, recall and F1 of each set-up, and behind them the likeness of its links."""
    plain = list(prf(counting))
    for setup in counting.regimes:
        yield from (figure for figure in plain if figure.regime == setup)
        yield from likeness_figures(setup)


def _booked(case: str, wrong_is_missed: bool) -> tuple[str, ...]:
    return ("wrong", "missed") if case == "wrong" and wrong_is_missed else (case,)


def _item(page: Page, side: Side, index: int) -> Item:
    item = page.gold[index].item if side == "gold" else page.system[index].item
    assert item is not None  # noqa: S101 - a drafted link has one
    return item


def _reason(page: Page, verdict: Verdict) -> str:
    if verdict.gold is None:
        return "no gold mention was decided by it"
    row = page.gold[verdict.gold]
    if verdict.case == "not-counted":
        return "the gold gives it no identifier"
    if verdict.system is None:
        return "no system link has its phrase"
    link = _item(page, "system", verdict.system)
    where = f" for {link.text!r}" if link.text.upper() != row.item.text.upper() else ""
    if verdict.case == "right":
        return f"{link.label}{where}"
    reason = f"{link.label}{where}, not {row.label}"
    if page.answers:
        (setup,) = verdict.regimes or ("",)
        pairs = _pairs(page, row, decisions(page, row)[setup])
        own = {pair.identifiers: page.answers[setup][pair.identifiers] for pair in pairs}
        reason += f"; {in_words(own, (row.label, pairs[0].system))}"
    return reason
