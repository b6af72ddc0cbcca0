"""The ledger of a document with chains: every mention with the chains it is in, and every chain with its fate.

Layer ``mentions`` has an entry for each mention of either side; its items are labelled with their chains. Layer
``chains`` has one for each gold chain, beside the system chain it is aligned with, and one for each system chain
without a partner. A mention that stands on a side twice belongs to the last chain there that holds it; its other
occurrences have entries of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from karat.ledger import Entry, Item
from karat.measures.coreference import Contingency, chain_of
from karat.protocols.coreference.reasons import Fate, Fates, why_there
from karat.protocols.coreference.verdicts import Rules, Verdicts

MENTIONS, CHAINS = "mentions", "chains"
_ADDED = "invented, and added to the gold by the program"

Describe = Callable[[Hashable, bool, str], tuple[str, str]]
"""Takes the key of a gold mention that has a partner, whether this is in the partner of its chain, and how it is off
there; returns the case and the reason."""


class Side:
    """One side of a document: its chains as keys and as items that are labelled with the names of the chains.

    ``added`` are the keys of mentions that the program has put there itself.
    """

    def __init__(
        self,
        chains: Sequence[Sequence[Hashable]],
        items: Sequence[Sequence[Item]],
        names: Sequence[str],
        added: frozenset[Hashable] = frozenset(),
    ) -> None:
        self.chains, self.items, self.names, self.added = chains, items, names, added
        self.chain_of = chain_of(chains)
        self.last = {key: (chain, at) for chain, keys in enumerate(chains) for at, key in enumerate(keys)}

    def occurrences(self) -> Iterator[tuple[Hashable, int, Item, bool]]:
        """Yield each mention with its chain and its item, and whether it stands once more behind."""
        for chain, keys in enumerate(self.chains):
            for at, key in enumerate(keys):
                yield key, chain, self.items[chain][at], self.last[key] != (chain, at)

    def chain(self, chain: int) -> Item:
        """Return a chain by its first mention in the text."""
        return min(self.items[chain], key=lambda item: item.span, default=Item(self.names[chain], "", (0, 0)))


class Pairing(NamedTuple):
    """Which mentions of both sides are taken for the same, by their keys.

    ``partners`` are the system mentions of gold mentions. ``names`` are those by which the table of overlaps looks
    mentions up on the other side, where these are not their own keys.
    """

    partners: Mapping[Hashable, Hashable]
    names: Mapping[Hashable, Hashable]


class Book:
    """What is known about a document before it is written down."""

    def __init__(
        self,
        unit: str,
        sides: tuple[Side, Side],
        table: Contingency,
        pairing: Pairing,
        *,
        rules: Rules,
        describe: Describe,
    ) -> None:
        self.unit, self.table, self.pairing, self.describe = unit, table, pairing, describe
        self.gold, self.system = sides
        self.verdicts = Verdicts(table, rules)
        partners = self.verdicts.aligned_by_mentions
        self.held = {gold: frozenset(self.system.chains[system]) for gold, system in partners.items()}

    def entries(self) -> list[Entry]:
        """Return the entries of the mentions in the order of the text, then those of the chains."""
        return [*sorted([*self._gold_mentions(), *self._system_mentions()], key=_reach), *self._chains()]

    def _gold_mentions(self) -> Iterator[Entry]:
        partners, names = self.pairing
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
        partners, names = self.pairing
        taken = set(partners.values())
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
        system, at = self.system.last[self.pairing.partners[key]]
        common = self.table.found.get((gold, system), 1)
        company = why_there(common, self.table.gold[gold], self.table.system[system])
        case, reason = self.describe(key, self.verdicts.are_partners(gold, system), company)
        reason = f"{_ADDED}; {reason}" if key in self.gold.added else reason
        verdicts = self.verdicts.on_pair(gold, system, kept=kept)
        return Entry(self.unit, MENTIONS, item.label, case, verdicts, reason, item, self.system.items[system][at])

    def _chains(self) -> Iterator[Entry]:
        """Yield an entry for each gold chain, then for each system chain without a partner."""
        aligned = self.verdicts.aligned
        fates = Fates(self.table, aligned, (self.gold.names, self.system.names), self.verdicts.left_out)
        for gold, keys in enumerate(self.gold.chains):
            fate = fates.of_gold(gold)
            if keys and self.gold.added.issuperset(keys):
                fate = fate._replace(reason=f"{_ADDED}; {fate.reason}")
            yield self._chain(fate, gold, aligned.get(gold))
        partners = set(aligned.values())
        for system in range(len(self.system.chains)):
            if system not in partners:
                yield self._chain(fates.of_system(system), None, system)

    def _chain(self, fate: Fate, gold: int | None, system: int | None) -> Entry:
        shown = None if gold is None else self.gold.chain(gold)
        other = None if system is None else self.system.chain(system)
        label = shown.label if shown else other.label if other else ""
        verdicts = self.verdicts.on_chains(gold, system, fate.outcome)
        return Entry(self.unit, CHAINS, label, fate.case, verdicts, fate.reason, shown, other)


def _reach(entry: Entry) -> tuple[int, int]:
    item = entry.gold or entry.system
    return item.span if item else (0, 0)
