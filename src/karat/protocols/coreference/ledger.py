"""The ledger of coreference: every mention with the chains it is in, and every chain with what became of it.

Layer ``mentions`` has an entry for each mention of either side; its items are labelled with their chains. Layer
``chains`` has one for each gold chain, beside the system chain it is aligned with, and one for each system chain
without a partner.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from karat.ledger import Entry, Item, Outcome
from karat.measures.coreference import aligned_by_likeness, chain_of, contingency
from karat.model import Span
from karat.protocols.base import Case
from karat.protocols.coreference.clusterings import Clustering
from karat.protocols.coreference.prepare import Sheet
from karat.protocols.coreference.reasons import Fate, Fates, why_there

MENTIONS, CHAINS = "mentions", "chains"
_OF_MENTIONS = ("mentions", "b3", "ceafm")
_OF_CHAINS = ("ceafe", "lea")
"""The regimes that a verdict on a mention, and on a chain, is about."""


def ledger(case: Case) -> list[Entry]:
    """Return the entries of a document: its mentions in the order of the text, then its chains."""
    sheet: Sheet = case.content
    shown = sheet.gold.shown(), sheet.system.shown()
    gold = _Side(sheet.gold, {**shown[1], **shown[0]})
    system = _Side(sheet.system, {**shown[0], **shown[1]})
    book = _Book(case.unit, gold, system)
    return [*sorted(book.mentions(), key=_place), *book.chains()]


def _place(entry: Entry) -> tuple[int, int]:
    item = entry.gold or entry.system
    return item.span if item else (0, 0)


class _Side:
    """One side of a document: its chains, and how its mentions are shown."""

    def __init__(self, clustering: Clustering, shown: Mapping[Hashable, tuple[str, Span]]) -> None:
        self.chains, self.names = clustering.chains, clustering.names
        self.chain_of = chain_of(clustering.chains)
        self.shown = shown

    def item(self, key: Hashable, chain: int) -> Item:
        """Return a mention, labelled with its chain."""
        return Item(self.names[chain], *self.shown[key])

    def chain(self, chain: int) -> Item:
        """Return a chain by its first mention in the text."""
        items = (self.item(key, chain) for key in self.chains[chain])
        return min(items, key=lambda item: item.span, default=Item(self.names[chain], "", (0, 0)))


class _Book:
    """What is known about a document before it is written down."""

    def __init__(self, unit: str, gold: _Side, system: _Side) -> None:
        self.unit, self.gold, self.system = unit, gold, system
        self.table = contingency(gold.chains, system.chains)
        self.aligned = dict(aligned_by_likeness(self.table))

    def mentions(self) -> Iterator[Entry]:
        """Yield an entry for each gold mention, then for each further system mention."""
        met: set[Hashable] = set()
        for chain, keys in enumerate(self.gold.chains):
            for key in keys:
                partner = None if key in met else self.system.chain_of.get(key)
                repeated = key in met
                met.add(key)
                yield self._pair(key, chain, partner) if partner is not None else self._lone_gold(key, chain, repeated)
        seen: set[Hashable] = set()
        for chain, keys in enumerate(self.system.chains):
            for key in keys:
                repeated = key in seen
                if repeated or key not in met:
                    yield self._lone_system(key, chain, repeated)
                seen.add(key)

    def _pair(self, key: Hashable, gold: int, system: int) -> Entry:
        common = self.table.found[gold, system]
        same = common == self.table.gold[gold] == self.table.system[system]
        kept = self.aligned.get(gold) == system
        verdicts: dict[str, Outcome] = {
            "mentions": "correct",
            "b3": "correct" if same else "partial",
            "ceafm": "correct" if kept else "incorrect",
        }
        name = self.gold.names[gold]
        case = "right-chain" if kept else "wrong-chain"
        reason = why_there(common, self.table.gold[gold], self.table.system[system])
        items = self.gold.item(key, gold), self.system.item(key, system)
        return Entry(self.unit, MENTIONS, name, case, verdicts, reason, *items)

    def _lone_gold(self, key: Hashable, chain: int, repeated: bool) -> Entry:
        case, reason = (
            ("repeated", "stands in the gold twice") if repeated else ("missed", "no system mention is there")
        )
        verdicts: dict[str, Outcome] = dict.fromkeys(_OF_MENTIONS, "missed")
        item = self.gold.item(key, chain)
        return Entry(self.unit, MENTIONS, item.label, case, verdicts, reason, gold=item)

    def _lone_system(self, key: Hashable, chain: int, repeated: bool) -> Entry:
        case, reason = (
            ("repeated", "stands in the system twice") if repeated else ("invented", "no gold mention is there")
        )
        verdicts: dict[str, Outcome] = dict.fromkeys(_OF_MENTIONS, "spurious")
        item = self.system.item(key, chain)
        return Entry(self.unit, MENTIONS, item.label, case, verdicts, reason, system=item)

    def chains(self) -> Iterator[Entry]:
        """Yield an entry for each gold chain, then for each system chain without a partner."""
        fates = Fates(self.table, self.aligned, (self.gold.names, self.system.names))
        for gold in range(len(self.gold.chains)):
            partner = self.aligned.get(gold)
            shown = None if partner is None else self.system.chain(partner)
            yield self._chain(fates.of_gold(gold), self.gold.chain(gold), shown)
        partners = set(self.aligned.values())
        for system in range(len(self.system.chains)):
            if system not in partners:
                yield self._chain(fates.of_system(system), None, self.system.chain(system))

    def _chain(self, fate: Fate, gold: Item | None, system: Item | None) -> Entry:
        verdicts: dict[str, Outcome] = dict.fromkeys(_OF_CHAINS, fate.outcome)
        label = (gold or system or Item("", "", (0, 0))).label
        return Entry(self.unit, CHAINS, label, fate.case, verdicts, fate.reason, gold, system)
