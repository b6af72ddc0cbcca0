"""The options of the TACRED protocol."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.mending import Mendable
from karat.protocols.relations.options import RelationOptions, label_names
from karat.protocols.tacred import NO_RELATION
from karat.settings import shared_option


@dataclass(frozen=True)
class TacredOptions(Mendable):
    """What can be set in an evaluation by the rules of TACRED."""

    profile: str = shared_option("profile")
    exclude: tuple[str, ...] = label_names((NO_RELATION,), "labels that are no relations: left out on both sides")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")

    @property
    def relations(self) -> RelationOptions:
        """The same, as the protocol of relations calls them."""
        return RelationOptions(roles="positions", exclude=self.exclude, invented=self.invented, missing=self.missing)
