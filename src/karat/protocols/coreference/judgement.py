"""The one look at a document: how its chains overlap, and which of them CEAF aligns.

Counts (:mod:`karat.protocols.coreference.measured`) and verdicts (:mod:`karat.protocols.coreference.verdicts`) are read
off the same judgement, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property

from karat.measures.coreference import Chains, Contingency, aligned_by_likeness, aligned_by_mentions, contingency


class Judgement:
    """What is found out about the chains of a document, each thing once, when it is first asked for.

    ``names`` are those by which the table looks mentions up on the other side, where these are not their own keys.
    With ``lone`` false CEAFe does not see system chains of one mention, and with ``links`` false pairs of mentions are
    not counted.
    """

    def __init__(
        self,
        gold: Chains,
        system: Chains,
        table: Contingency | None = None,
        names: Mapping[Hashable, Hashable] | None = None,
        *,
        lone: bool = True,
        links: bool = True,
    ) -> None:
        self.gold, self.system, self.links = gold, system, links
        self.names: Mapping[Hashable, Hashable] = names or {}
        self.table = contingency(gold, system) if table is None else table
        sizes = () if lone else enumerate(self.table.system)
        self.left_out = frozenset(chain for chain, size in sizes if size == 1)
        """The system chains that CEAFe does not see."""

    def shared(self, measure: str) -> Contingency:
        """Return the table by which a measure aligns chains."""
        del measure
        return self.table

    @cached_property
    def by_likeness(self) -> dict[int, int]:
        """The system chain that CEAFe aligns with a gold chain."""
        return dict(aligned_by_likeness(self.shared("ceafe"), self.left_out))

    @cached_property
    def by_mentions(self) -> dict[int, int]:
        """The system chain that CEAFm aligns with a gold chain."""
        return dict(aligned_by_mentions(self.shared("ceafm")))

    @cached_property
    def partners(self) -> Mapping[Hashable, Hashable]:
        """The system mention that a gold mention is taken for."""
        system = {key for chain in self.system for key in chain}
        return {key: key for chain in self.gold for key in chain if key in system}

    def described(self, key: Hashable, company: str, *, right: bool) -> tuple[str, str]:
        """Return the case of a gold mention that has a partner, and the reason.

        ``company`` says how well it is off in the chain of its partner; ``right`` if that is the partner of its chain.
        """
        del key
        return ("right-chain" if right else "wrong-chain"), company
