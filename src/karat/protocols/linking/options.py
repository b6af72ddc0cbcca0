"""The options of the linking protocols."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.likeness import LikenessOptions
from karat.settings import choice, option, shared_option
from karat.vocabularies.identifiers import IdentifierOptions

_ALTERNATIVES = "gold mentions with several links: whether the first is the right one, or any of them"


@dataclass(frozen=True)
class LinkingOptions(LikenessOptions, IdentifierOptions):
    """Options of every linking protocol."""

    alternatives: str = choice(("first", "any"), _ALTERNATIVES)
    unlinked: str = choice(("nil", "leave-out"), "mentions without a link: taken for NIL, or left out on both sides")
    layers: str = shared_option("layers")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")

    @property
    def are_mentions_given(self) -> bool:
        """Whether mentions that the gold lacks are left out before anything is counted."""
        return False


@dataclass(frozen=True)
class TacOptions(LinkingOptions):
    """Options of the TAC protocols."""

    mentions: str = choice(
        ("system", "gold"),
        "which system mentions count: all (end to end), or those in the place of a gold mention (linking alone)",
        always=True,
    )
    clusters: str = choice(
        ("document", "corpus"), "what is clustered for CEAF: each document by itself, or the whole corpus", always=True
    )

    @property
    def are_mentions_given(self) -> bool:
        """Whether only linking is judged."""
        return self.mentions == "gold"


@dataclass(frozen=True)
class GerbilOptions(LinkingOptions):
    """Options of the GERBIL protocols."""

    alternatives: str = option("any", _ALTERNATIVES, choices=("first", "any"))


@dataclass(frozen=True)
class D2kbOptions(GerbilOptions):
    """Options of D2KB, where mentions are given."""

    @property
    def are_mentions_given(self) -> bool:
        """They always are."""
        return True


@dataclass(frozen=True)
class A2kbOptions(GerbilOptions):
    """Options of A2KB, where overlapping mentions can match."""

    profile: str = shared_option(
        "profile", help="who is paired under weak: the first that fits, as published, or as many as possible"
    )
