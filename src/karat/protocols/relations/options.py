"""The options of the relation protocol."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from karat.settings import option, shared_option


def parse_names(text: str) -> tuple[str, ...]:
    """Read names that are separated by commas.

    >>> parse_names("married_to, sibling_of")
    ('married_to', 'sibling_of')
    """
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _join(names: Iterable[str]) -> str:
    return ",".join(names)


@dataclass(frozen=True)
class RelationOptions:
    """What can be set in an evaluation of relations."""

    labels: str = option(
        "compare",
        "whether the label of a relation is compared or ignored",
        choices=("compare", "ignore"),
    )
    direction: str = option(
        "directed",
        "whether the arguments of a relation may be exchanged: never, or always",
        choices=("directed", "undirected"),
    )
    symmetric: tuple[str, ...] = option(
        (),
        "labels whose arguments may be exchanged, although relations are directed",
        parse=parse_names,
        show=_join,
        metavar="LABEL,…",
    )
    roles: str = option(
        "names",
        "which arguments are compared with each other: those with the same name of the role, or those in the same "
        "position",
        choices=("names", "positions"),
    )
    duplicates: str = option(
        "once",
        "relations that say the same as another of their side: counted once, or each of them",
        choices=("once", "each"),
    )
    exclude: tuple[str, ...] = option(
        (),
        "labels that are no relations, such as no_relation: left out on both sides",
        parse=parse_names,
        show=_join,
        metavar="LABEL,…",
    )
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")
