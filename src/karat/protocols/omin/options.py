"""The options of the OMIn protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.protocols.corrections import CorrectableOptions
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.levels import BEST, SETUPS, Setups
from karat.protocols.omin.schemes import TYPE_SETS
from karat.settings import choice, shared_option


@dataclass(frozen=True)
class PhraseOptions(CorrectableOptions):
    """Options of the first evaluation of named entities."""

    profile: str = shared_option("profile")


@dataclass(frozen=True)
class SpanOptions(CorrectableOptions):
    """Options of the later evaluation of named entities."""

    profile: str = shared_option("profile")
    types: str = choice(("all", *TYPE_SETS), "the labels that count: all, or those of a set of types", always=True)
    typing: str = choice(
        ("typed", "untyped"),
        "whether labels are compared, or every gold entity is given the label ORG as the program does without types",
        always=True,
    )


@dataclass(frozen=True)
class OminChainOptions:
    """Options of the coreference evaluation."""

    missing: str = shared_option(
        "missing",
        help="gold documents that the system lacks: an error as in the program, counted as empty, or skipped",
    )


@dataclass(frozen=True)
class LinkOptions(CorrectableOptions, LikenessOptions):
    """Options of the later evaluation of links."""

    setups: ClassVar[Setups] = SETUPS
    profile: str = shared_option("profile")


@dataclass(frozen=True)
class BestLinkOptions(LikenessOptions):
    """Options of the evaluation of links as first described: the source of likeness scores only."""

    setups: ClassVar[Setups] = BEST
