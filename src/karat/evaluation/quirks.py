"""Known faults and surprises of reference programs, by name; those of an evaluation stand in a table beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, overload

import msgspec

from karat.io.tables import table_of


class Quirk(msgspec.Struct, frozen=True):
    """A known fault or surprise of a reference program: its name, what it does, and in which profiles.

    ``protocols`` names those of the evaluation that have it; none are all of them. ``rule`` is what decides it, alone
    or with others of that rule: options that mend the rule correct nothing else. One without a rule is corrected with
    all others only; one of the ``drop_in`` touches no score of the protocol. ``seen`` and ``otherwise`` tell in few
    words, for a table, what is seen on an example, and what instead in another profile or with an option.
    """

    name: str
    text: str
    profiles: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    rule: str = ""
    drop_in: bool = False
    seen: str = ""
    otherwise: str = ""


class _Quirks(Sequence[Quirk]):
    """The quirks of a protocol, which are read when somebody looks at them: no score does."""

    def __init__(self, *asked: Any) -> None:
        self._asked = asked

    @overload
    def __getitem__(self, index: int) -> Quirk: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Quirk, ...]: ...

    def __getitem__(self, index: int | slice) -> Quirk | tuple[Quirk, ...]:
        return _quirks(*self._asked)[index]

    def __len__(self) -> int:
        return len(_quirks(*self._asked))


def quirks_of(package: str, protocol: str = "", profiles: tuple[str, ...] | None = None) -> Sequence[Quirk]:
    """Return the quirks in the ``quirks.toml`` of a package, or those of them that one of its protocols has.

    If the protocol has not all ``profiles`` of its package, each quirk has those of its own that are among them.
    """
    return _Quirks(package, protocol, profiles)


@cache
def _quirks(package: str, protocol: str, profiles: tuple[str, ...] | None) -> tuple[Quirk, ...]:
    entries: Mapping[str, Mapping[str, object]] = table_of(package, "quirks.toml")
    quirks = [msgspec.convert({"name": name, **entry}, Quirk) for name, entry in entries.items()]
    own = [quirk for quirk in quirks if not protocol or not quirk.protocols or protocol in quirk.protocols]
    if profiles is None:
        return tuple(own)
    return tuple(
        msgspec.structs.replace(quirk, profiles=tuple(name for name in quirk.profiles if name in profiles))
        for quirk in own
    )
