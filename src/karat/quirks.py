"""Known faults and surprises of reference programs, by name; those of an evaluation stand in a table beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from karat.tables import table_of


class Quirk(msgspec.Struct, frozen=True):
    """A known fault or surprise of a reference program: its name, what it does, and in which profiles.

    ``protocols`` names those of the evaluation that have it; none are all of them. ``seen`` and ``otherwise`` tell in
    few words, for a table, what is seen on an example, and what instead in another profile or with an option.
    """

    name: str
    text: str
    profiles: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    seen: str = ""
    otherwise: str = ""


def quirks_of(package: str, protocol: str = "") -> tuple[Quirk, ...]:
    """Return the quirks in the ``quirks.toml`` of a package, or those of them that one of its protocols has."""
    quirks = _quirks(package)
    return tuple(quirk for quirk in quirks if not protocol or not quirk.protocols or protocol in quirk.protocols)


@cache
def _quirks(package: str) -> tuple[Quirk, ...]:
    entries: Mapping[str, Mapping[str, object]] = table_of(package, "quirks.toml")
    return tuple(msgspec.convert({"name": name, **entry}, Quirk) for name, entry in entries.items())
