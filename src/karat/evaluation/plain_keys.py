"""Facts and notes as data that a file can keep, and that comes back the same.

A key is a text, a number, a truth value or None, a tuple or a set of keys, or a named tuple or frozen struct whose
fields are such. Named ones come back as what they were only if their class belongs to Karat or to the package that
brings the protocol, and is loaded with it: nothing is imported because a file names it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import msgspec

from karat.evaluation.protocol import Protocol

_PLAIN = (str, int, float, bool, type(None))
_TUPLE, _SET = "(", "{"


def plain(key: Hashable) -> Any:
    """Return a key as what JSON has; one that JSON cannot have stays as it is.

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
    return key


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
    for word in path.split("."):
        owner = getattr(owner, word, None)
    is_named = isinstance(owner, type) and issubclass(owner, tuple) and hasattr(owner, "_fields")
    if not is_named and not (isinstance(owner, type) and issubclass(owner, msgspec.Struct)):
        raise ValueError(f"{name!r} is nothing of the protocol {protocol.name}")
    return owner


PlainFacts = list[tuple[Any, int]]
"""Facts as they are kept: each with how often it holds."""


def plain_facts(facts: Mapping[Hashable, int]) -> PlainFacts:
    """Return facts as they are kept, in an order that does not depend on that of the documents."""
    return sorted(((plain(fact), times) for fact, times in facts.items()), key=repr)


def facts_in(kept: Iterable[tuple[Any, int]], protocol: Protocol) -> Counter[Hashable]:
    """Return the sum of facts that were kept."""
    facts: Counter[Hashable] = Counter()
    for fact, times in kept:
        facts[restored(fact, protocol)] += times
    return facts
