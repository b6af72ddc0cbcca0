"""The options of the linking protocols."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.likeness_options import LikenessOptions
from karat.settings import option, shared_option
from karat.vocabularies.identifiers import IdentifierOptions

_ALTERNATIVES = "gold mentions with several links: whether the first is the right one, or any of them"


@dataclass(frozen=True)
class LinkingOptions(LikenessOptions, IdentifierOptions):
    """What can be set in every evaluation of links."""

    alternatives: str = option("first", _ALTERNATIVES, choices=("first", "any"))
    unlinked: str = option(
        "nil", "mentions without a link: taken for NIL, or left out on both sides", choices=("nil", "leave-out")
    )
    layers: str = shared_option("layers")
    missing: str = shared_option("missing")


@dataclass(frozen=True)
class TacOptions(LinkingOptions):
    """What can be set in an evaluation as in TAC."""

    mentions: str = option(
        "system",
        "which system mentions count: all (end to end), or those in the place of a gold mention (linking alone)",
        choices=("system", "gold"),
        always=True,
    )
    clusters: str = option(
        "document",
        "what is clustered for CEAF: each document by itself, or the whole corpus",
        choices=("document", "corpus"),
        always=True,
    )


@dataclass(frozen=True)
class D2kbOptions(LinkingOptions):
    """What can be set in an evaluation as by GERBIL."""

    alternatives: str = option("any", _ALTERNATIVES, choices=("first", "any"))


@dataclass(frozen=True)
class A2kbOptions(D2kbOptions):
    """What can be set where mentions that overlap are paired too."""

    profile: str = shared_option(
        "profile", help="who is paired under weak: the first that fits, as published, or as many as possible"
    )
