"""The ledger of a document with chains: every mention with the chains it is in, and every chain with its fate.

Layer ``mentions`` has an entry for each mention of either side; its items are labelled with their chains. Layer
``chains`` has one for each gold chain, beside the system chain it is aligned with, and one for each system chain
without a partner. A mention that stands on a side twice belongs to the last chain there that holds it; its other
occurrences have entries of their own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple, Protocol

from karat.ledger import Entry, Item
from karat.measures.coreference import Chains, chain_of
from karat.protocols.coreference.items import ShownSide
from karat.protocols.coreference.judgement import Judgement
from karat.protocols.coreference.reasons import Fate, Fates, why_there
from karat.protocols.coreference.verdicts import Verdicts

MENTIONS, CHAINS = "mentions", "chains"
_ADDED = "invented, and added to the gold by the program"


class ShowablePage(Protocol):
    """A page whose chains can be shown."""

    def shown(self) -> tuple[ShownSide, ShownSide]:
        """Return the gold and the system side."""


class _Occurrence(NamedTuple):
    """A mention in a chain; it is ``repeated`` if it stands on its side once more behind."""

    key: Hashable
    chain: int
    item: Item
    repeated: bool


class _Side:
    """One side of a document: its chains as keys and as items."""

    def __init__(self, chains: Chains, shown: ShownSide) -> None:
        self.chains, self.shown = chains, shown
        self.chain_of = chain_of(chains)
        self.last = {key: (chain, place) for chain, keys in enumerate(chains) for place, key in enumerate(keys)}

    def occurrences(self) -> Iterator[_Occurrence]:
        """Yield the mentions, chain by chain."""
        for chain, (keys, items) in enumerate(zip(self.chains, self.shown.items, strict=True)):
            for place, (key, item) in enumerate(zip(keys, items, strict=True)):
                yield _Occurrence(key, chain, item, self.last[key] != (chain, place))

    def last_item(self, key: Hashable) -> tuple[int, Item]:
        """Return a mention where it stands last, with its chain."""
        chain, place = self.last[key]
        return chain, self.shown.items[chain][place]

    def chain(self, chain: int) -> Item:
        """Return a chain by its first mention in the text."""
        none = Item(self.shown.names[chain], "", (0, 0))
        return min(self.shown.items[chain], key=lambda item: item.span, default=none)


class ChainEntries:
    """Writes the ledger of a document from its judgement."""

    def __init__(self, unit: str, page: ShowablePage, judged: Judgement, verdicts: Verdicts) -> None:
        self.unit, self.judged, self.verdicts = unit, judged, verdicts
        gold, system = page.shown()
        self.gold, self.system = _Side(judged.gold, gold), _Side(judged.system, system)
        partners = judged.by_mentions if "ceafm" in verdicts.regimes else {}
        self.held = {chain: frozenset(judged.system[partner]) for chain, partner in partners.items()}
        """The mentions of the system chain that CEAFm aligns with a gold chain."""

    def entries(self) -> list[Entry]:
        """Return the entries of the mentions in the order of the text, then those of the chains."""
        return [*sorted([*self._gold_mentions(), *self._system_mentions()], key=_reach), *self._chains()]

    def _gold_mentions(self) -> Iterator[Entry]:
        partners, names = self.judged.partners, self.judged.names
        for key, chain, item, repeated in self.gold.occurrences():
            name = names.get(key, key)
            kept = name in self.held.get(chain, ())
            if not repeated and key in partners:
                yield self._pair(key, chain, item, kept=kept)
                continue
            system = self.system.chain_of.get(name)
            verdicts = self.verdicts.on_gold(chain, system, repeated=repeated, kept=kept)
            case, reason = (
                ("repeated", "stands in the gold once more") if repeated else ("missed", "no system mention matches it")
            )
            yield Entry(self.unit, MENTIONS, item.label, case, verdicts, reason, gold=item)

    def _system_mentions(self) -> Iterator[Entry]:
        """Yield an entry for each system mention that is not the partner of a gold mention."""
        names, taken = self.judged.names, set(self.judged.partners.values())
        for key, chain, item, repeated in self.system.occurrences():
            if not repeated and key in taken:
                continue
            gold = self.gold.chain_of.get(names.get(key, key))
            verdicts = self.verdicts.on_system(chain, gold, repeated=repeated)
            case, reason = (
                ("repeated", "stands in the system once more")
                if repeated
                else ("invented", "it matches no gold mention")
            )
            yield Entry(self.unit, MENTIONS, item.label, case, verdicts, reason, system=item)

    def _pair(self, key: Hashable, gold: int, item: Item, *, kept: bool) -> Entry:
        table = self.judged.table
        system, partner = self.system.last_item(self.judged.partners[key])
        company = why_there(table.found.get((gold, system), 1), table.gold[gold], table.system[system])
        case, reason = self.judged.described(key, company, right=self.verdicts.are_partners(gold, system))
        reason = f"{_ADDED}; {reason}" if key in self.gold.shown.added else reason
        verdicts = self.verdicts.on_pair(gold, system, kept=kept)
        return Entry(self.unit, MENTIONS, item.label, case, verdicts, reason, item, partner)

    def _chains(self) -> Iterator[Entry]:
        """Yield an entry for each gold chain, then for each system chain without a partner."""
        aligned, added = self.judged.by_likeness, self.gold.shown.added
        names = self.gold.shown.names, self.system.shown.names
        fates = Fates(self.judged.table, aligned, names, self.judged.left_out)
        for gold, keys in enumerate(self.gold.chains):
            fate = fates.of_gold(gold)
            if keys and added.issuperset(keys):
                fate = fate._replace(reason=f"{_ADDED}; {fate.reason}")
            yield self._chain(fate, gold, aligned.get(gold))
        partners = set(aligned.values())
        for system in range(len(self.system.chains)):
            if system not in partners:
                yield self._chain(fates.of_system(system), None, system)

    def _chain(self, fate: Fate, gold: int | None, system: int | None) -> Entry:
        gold_item = None if gold is None else self.gold.chain(gold)
        system_item = None if system is None else self.system.chain(system)
        label = gold_item.label if gold_item else system_item.label if system_item else ""
        verdicts = self.verdicts.on_chains(gold, system, fate.outcome)
        return Entry(self.unit, CHAINS, label, fate.case, verdicts, fate.reason, gold_item, system_item)


def _reach(entry: Entry) -> tuple[int, int]:
    item = entry.gold or entry.system
    return item.span if item else (0, 0)
