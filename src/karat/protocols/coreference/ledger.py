"""The ledger of a document with chains: every mention with its chains, and every chain with what became of it.

Layer ``mentions`` has an entry for each mention of either side; its items are labelled with their chains. Layer
``chains`` has one for each gold chain, beside the system chain it is aligned with, and one for each system chain
without a partner. A mention that stands on a side twice belongs to the last chain there that holds it; its other
occurrences have entries of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from karat.errors import many
from karat.evaluation.ledger import Entry, Item, Outcome
from karat.measures.coreference import Chains, Contingency, chain_of, pairs_of
from karat.protocols.coreference.clusterings import ShownSide
from karat.protocols.coreference.judgement import Judgement

MENTIONS, CHAINS = "mentions", "chains"
_ADDED = "invented, and added to the gold by the program"
_NAMED = 5
"""How many chains a sentence names."""
_LEFT_OUT = "CEAFe leaves out system chains of one mention"
_NEARER = "its system chain is nearer to another"


class Verdicts:
    """The verdicts on the mentions and chains of a document, which are named by the numbers of their chains.

    Regimes that count links between mentions, such as MUC and BLANC, have no verdict on one item alone. ``regimes`` are
    those of the protocol. ``singletons`` says whether B³ and LEA count chains of one mention, ``each`` whether B³ may
    find every occurrence of a repeated gold mention, or only the last one.
    """

    def __init__(self, judged: Judgement, regimes: Collection[str], *, singletons: bool, each: bool) -> None:
        self.table, self.aligned, self.left_out = judged.table, judged.by_likeness, judged.left_out
        self.regimes, self.singletons, self.each = regimes, singletons, each
        table = judged.table
        self.links = Counter[int](), Counter[int]()
        for (gold, system), size in table.found.items():
            self.links[0][gold] += self._links(size, table.gold[gold], table.system[system])
        for (gold, system), size in table.given.items():
            self.links[1][system] += self._links(size, table.system[system], table.gold[gold])

    @staticmethod
    def _links(common: int, size: int, other_size: int) -> int:
        """Return how many links of a chain LEA finds in another one; a chain of one mention is linked with itself."""
        return int(other_size == 1) if size == 1 else pairs_of(common)

    def are_same(self, gold: int, system: int) -> bool:
        """Return whether two chains hold the same mentions."""
        return self.table.found.get((gold, system)) == self.table.gold[gold] == self.table.system[system]

    def are_partners(self, gold: int, system: int) -> bool:
        """Return whether a system chain is the one of a gold chain: CEAFe aligns them, or they are the same."""
        return self.aligned.get(gold) == system or self.are_same(gold, system)

    def on_pair(self, gold: int, system: int, *, kept: bool) -> dict[str, Outcome]:
        """Return the verdicts on a mention of both sides; ``kept`` if the chain that CEAFm aligns holds it."""
        counted = self._count(gold, system)
        b3: Outcome | None
        if all(counted):
            common = self.table.found.get((gold, system))
            b3 = "correct" if self.are_same(gold, system) else "partial" if common else "incorrect"
        else:
            b3 = _one_sided(*counted)
        return self._of_mention("correct", b3, "correct" if kept else "incorrect")

    def on_gold(self, gold: int, system: int | None, *, repeated: bool, kept: bool) -> dict[str, Outcome]:
        """Return the verdicts on a gold mention without a partner; one that is repeated may be found nevertheless."""
        b3: Outcome | None = "missed" if self._count(gold)[0] else None
        ceafm: Outcome = "correct" if kept else "missed" if system is None else "incorrect"
        if b3 and system is not None and self._count(system=system)[1] and (self.each or not repeated):
            b3 = "correct" if self.are_same(gold, system) else "partial"
        return self._of_mention(None if repeated else "missed", b3, ceafm)

    def on_system(self, system: int, gold: int | None, *, repeated: bool) -> dict[str, Outcome]:
        """Return the verdicts on a system mention without a partner; one that is repeated may be right nevertheless."""
        b3: Outcome | None = "spurious" if self._count(system=system)[1] else None
        if b3 and gold is not None and self._count(gold)[0]:
            b3 = "correct" if self.are_same(gold, system) else "partial"
        return self._of_mention(None if repeated else "spurious", b3, "spurious")

    def on_chains(self, gold: int | None, system: int | None, ceafe: Outcome) -> dict[str, Outcome]:
        """Return the verdicts on a gold chain, a system chain, or both; CEAFe's is known."""
        outcomes: dict[str, Outcome | None] = {"ceafe": ceafe, "lea": self._lea(gold, system)}
        if gold is None and system in self.left_out:
            outcomes["ceafe"] = None
        return self._known(outcomes)

    def _lea(self, gold: int | None, system: int | None) -> Outcome | None:
        counted = self._count(gold, system)
        right = [
            chain is not None and counts and links[chain] > 0
            for chain, counts, links in zip((gold, system), counted, self.links, strict=True)
        ]
        if not any(counted):
            return None
        if gold is not None and system is not None and all(counted) and self.are_same(gold, system):
            return "correct"
        if any(right):
            return "partial"
        return "incorrect" if all(counted) else _one_sided(*counted)

    def _count(self, gold: int | None = None, system: int | None = None) -> tuple[bool, bool]:
        """Return whether B³ and LEA count these chains: never empty ones, and singletons only if asked for."""
        least = 1 if self.singletons else 2
        sizes = ((gold, self.table.gold), (system, self.table.system))
        counted = [chain is not None and of_side[chain] >= least for chain, of_side in sizes]
        return counted[0], counted[1]

    def _of_mention(self, mentions: Outcome | None, b3: Outcome | None, ceafm: Outcome) -> dict[str, Outcome]:
        return self._known({"mentions": mentions, "b3": b3, "ceafm": ceafm})

    def _known(self, verdicts: dict[str, Outcome | None]) -> dict[str, Outcome]:
        return {name: outcome for name, outcome in verdicts.items() if outcome and name in self.regimes}


def _one_sided(gold: bool, system: bool) -> Outcome | None:
    """Return the verdict on an item that counts for one side only, or for none."""
    return "missed" if gold else "spurious" if system else None


class Fate(NamedTuple):
    """What became of a chain."""

    case: str
    outcome: Outcome
    reason: str


def why_there(common: int, gold: int, system: int) -> str:
    """Say how many mentions of its gold chain, and how many others, are in the system chain of a mention.

    >>> why_there(3, 4, 5)
    'with 2 of the 3 other mentions of its chain, and 2 foreign mentions'
    >>> why_there(2, 2, 2)
    'with its whole chain'
    """
    if common == gold == system:
        return "with its whole chain" if gold > 1 else "alone, as it should be"
    company = f"with {common - 1} of the {many(gold - 1, 'other mention')} of its chain" if gold > 1 else "not alone"
    return f"{company}, and {many(system - common, 'foreign mention')}" if system > common else company


class Fates:
    """Says of every chain what became of it, by the overlaps and the alignment of the chains of both sides.

    ``left_out`` are the system chains that are not there to be aligned.
    """

    def __init__(
        self,
        table: Contingency,
        aligned: Mapping[int, int],
        names: tuple[Sequence[str], Sequence[str]],
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        self.table, self.aligned, self.names, self.left_out = table, aligned, names, left_out
        self.rows: list[dict[int, int]] = [{} for _ in table.gold]
        self.columns: list[dict[int, int]] = [{} for _ in table.system]
        for (gold, system), common in table.found.items():
            self.rows[gold][system] = common
        for (gold, system), common in table.given.items():
            self.columns[system][gold] = common

    def of_gold(self, gold: int) -> Fate:
        """Say what became of a gold chain: exact, incomplete, extended, split, merged, or missed."""
        size, row, partner = self.table.gold[gold], self.rows[gold], self.aligned.get(gold)
        found_mentions = sum(row.values())
        if not found_mentions:
            return Fate("missed" if size else "empty", "missed", _none(size, "found"))
        parts = [f"{size - found_mentions} of {many(size, 'mention')} missed"] if found_mentions < size else []
        if len(row) > 1:
            parts.append(f"split over {len(row)} system chains ({_listed(row, self.names[1])})")
        if partner is None:
            why = _LEFT_OUT if self.left_out and self.left_out.issuperset(row) else _NEARER
            parts.append(f"aligned with none, because {why}")
            return Fate("unaligned", "missed", "; ".join(parts))
        column = self.columns[partner]
        merged = {chain: common for chain, common in column.items() if chain != gold}
        if merged:
            parts.append(f"merged with {many(len(merged), 'gold chain')} ({_listed(merged, self.names[0])})")
        invented = self.table.system[partner] - sum(column.values())
        if invented > 0:
            parts.append(f"{many(invented, 'invented mention')} in its system chain")
        if not parts:
            return Fate(
                "exact", "correct", f"all {many(size, 'mention')}, and no other" if size > 1 else "its one mention"
            )
        case = "-and-".join(name for name, true in (("split", len(row) > 1), ("merged", merged)) if true)
        return Fate(case or ("incomplete" if found_mentions < size else "extended"), "partial", "; ".join(parts))

    def of_system(self, system: int) -> Fate:
        """Say why a system chain has no partner: left out, invented, or a surplus part of gold chains."""
        size, column = self.table.system[system], self.columns[system]
        if system in self.left_out:
            return Fate("left-out", "spurious", f"{_LEFT_OUT}, and this is one")
        if not column:
            return Fate("invented" if size else "empty", "spurious", _none(size, "in the gold"))
        reason = f"holds a part of {many(len(column), 'gold chain')} ({_listed(column, self.names[0])})"
        return Fate("surplus", "spurious", f"{reason}, aligned with other system chains")


def _none(size: int, where: str) -> str:
    """Say that no mention of a chain was found.

    >>> _none(2, "found"), _none(1, "in the gold")
    ('none of its 2 mentions is found', 'its one mention is not in the gold')
    """
    if not size:
        return "it holds no mention"
    return f"none of its {size} mentions is {where}" if size > 1 else f"its one mention is not {where}"


def _listed(chains: Mapping[int, int], names: Sequence[str]) -> str:
    """Name chains with how many mentions they hold, the largest part first."""
    ordered = sorted(chains.items(), key=lambda chain: (-chain[1], chain[0]))
    shown = ", ".join(f"{names[chain]}: {shared}" for chain, shared in ordered[:_NAMED])
    return shown + (", …" if len(ordered) > _NAMED else "")


class _Side:
    """One side of a document: its chains as keys and as items."""

    def __init__(self, chains: Chains, shown: ShownSide) -> None:
        self.chains, self.shown = chains, shown
        self.chain_of = chain_of(chains)
        self.last = {key: (chain, index) for chain, keys in enumerate(chains) for index, key in enumerate(keys)}

    def occurrences(self) -> Iterator[tuple[Hashable, int, Item, bool]]:
        """Yield the mentions chain by chain, each with its chain, and whether it stands there once more behind."""
        for chain, (keys, items) in enumerate(zip(self.chains, self.shown.items, strict=True)):
            for index, (key, item) in enumerate(zip(keys, items, strict=True)):
                yield key, chain, item, self.last[key] != (chain, index)

    def last_item(self, key: Hashable) -> tuple[int, Item]:
        """Return a mention where it stands last, with its chain."""
        chain, index = self.last[key]
        return chain, self.shown.items[chain][index]

    def chain(self, chain: int) -> Item:
        """Return a chain by its first mention in the text."""
        none = Item(self.shown.names[chain], "", None)
        return min(self.shown.items[chain], key=lambda item: item.span or (), default=none)


class ChainEntries:
    """Writes the ledger of a document from its judgement."""

    def __init__(self, unit: str, page: Any, judged: Judgement, verdicts: Verdicts) -> None:
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


def _reach(entry: Entry) -> tuple[int, ...]:
    item = entry.gold or entry.system
    return (item.span if item else None) or ()
