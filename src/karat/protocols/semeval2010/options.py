"""The options of the protocol of SemEval-2010 task 8."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.mending import Mendable
from karat.protocols.relations.options import RelationOptions, label_names
from karat.settings import shared_option

OTHER = "Other"


@dataclass(frozen=True)
class SemevalOptions(Mendable):
    """What can be set in an evaluation by the rules of SemEval-2010 task 8."""

    profile: str = shared_option("profile")
    exclude: tuple[str, ...] = label_names((OTHER,), "labels that are no relations: left out on both sides")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing", "empty")

    @property
    def relations(self) -> RelationOptions:
        """The same, as the protocol of relations calls them."""
        return RelationOptions(exclude=self.exclude, invented=self.invented, missing=self.missing)
