"""The options of the relation protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from karat.settings import choice, option, shared_option


def parse_names(text: str) -> tuple[str, ...]:
    """Read names that are separated by commas.

    >>> parse_names("married_to, sibling_of")
    ('married_to', 'sibling_of')
    """
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def label_names(default: tuple[str, ...], text: str) -> Any:
    """Declare an option that names labels."""
    return option(default, text, parse=parse_names, show=",".join, metavar="LABEL,…")


@dataclass(frozen=True)
class RelationOptions:
    """What can be set in an evaluation of relations."""

    profile: str = choice(
        ("corrected", "pure", "spert", "dygie", "plmarker"),
        "the definitions side by side, without the faults of programs, or the numbers of a program, as it counts them",
    )
    labels: str = choice(("compare", "ignore"), "whether the label of a relation is compared or ignored")
    direction: str = choice(
        ("directed", "undirected"), "whether the arguments of a relation may be exchanged: never, or always"
    )
    symmetric: tuple[str, ...] = label_names(
        (), "labels whose arguments may be exchanged, although relations are directed"
    )
    roles: str = choice(
        ("names", "positions"),
        "which arguments are compared with each other: those with the same name of the role, or those in the same "
        "position",
    )
    duplicates: str = choice(
        ("once", "each"), "relations that say the same as another of their side: counted once, or each of them"
    )
    exclude: tuple[str, ...] = label_names(
        (), "labels that are no relations, such as no_relation: left out on both sides"
    )
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")

    @cached_property
    def as_counted(self) -> RelationOptions:
        """The same for a program, which decides itself what counts how often, and which labels are symmetric."""
        return replace(self, duplicates="each", symmetric=(), roles="positions")
