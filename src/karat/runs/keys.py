"""Facts and notes as plain data: what a protocol counts by, in a form that can be written and comes back the same.

A key is a text, a number, a truth value or nothing, a tuple or a set of keys, or a named tuple or frozen struct whose
fields are such. Named ones come back as what they were only if their class belongs to Karat or to the package that
brings the protocol, and is loaded with it: nothing is imported because a file names it.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any

import msgspec

from karat.errors import InputError
from karat.protocols.base import Protocol

_PLAIN = (str, int, float, bool, type(None))
_TUPLE, _SET = "(", "{"


def plain(key: Hashable) -> Any:
    """Return a key as what MessagePack has.

    >>> plain(("gold", 1)), plain("LOC")
    (['(', 'gold', 1], 'LOC')
    """
    if type(key) in _PLAIN:
        return key
    if type(key) is tuple:
        return [_TUPLE, *map(plain, key)]
    if isinstance(key, frozenset):
        return [_SET, *sorted(map(plain, key), key=repr)]
    kind = type(key)
    if isinstance(key, tuple) and hasattr(kind, "_fields"):
        return [f"{kind.__module__}:{kind.__qualname__}", *map(plain, key)]
    if isinstance(key, msgspec.Struct):
        return [f"{kind.__module__}:{kind.__qualname__}", *(plain(value) for value in msgspec.structs.astuple(key))]
    raise InputError(f"a fact or note of the protocol is a {kind.__name__}, which cannot be kept in a file")


def restored(value: Any, protocol: Protocol) -> Hashable:
    """Return the key of plain data; what is no key of this protocol is a ``ValueError``."""
    if not isinstance(value, list):
        return value  # type: ignore[no-any-return]
    kind, *fields = value
    members = [restored(field, protocol) for field in fields]
    if kind == _TUPLE:
        return tuple(members)
    if kind == _SET:
        return frozenset(members)
    return _class_named(kind, protocol)(*members)  # type: ignore[no-any-return]


def _class_named(name: Any, protocol: Protocol) -> Any:
    module, _, path = str(name).partition(":")
    if module.partition(".")[0] not in ("karat", protocol.options.__module__.partition(".")[0]):
        raise ValueError(f"{name!r} is nothing of the protocol {protocol.name}")
    owner: Any = sys.modules.get(module)
    for part in path.split("."):
        owner = getattr(owner, part, None)
    is_named = isinstance(owner, type) and issubclass(owner, tuple) and hasattr(owner, "_fields")
    if not is_named and not (isinstance(owner, type) and issubclass(owner, msgspec.Struct)):
        raise ValueError(f"{name!r} is nothing of the protocol {protocol.name}")
    return owner
