"""The published evaluations that Karat reproduces, by name.

Own protocols are found through the table below, those of others through the entry-point group ``karat.protocols``
(a :class:`~karat.protocols.base.Protocol`, or a tuple of them).
"""

from __future__ import annotations

import importlib
from functools import cache

from karat.errors import unknown
from karat.plugins import plugins
from karat.protocols.base import Protocol

_MODULES = (
    "karat.protocols.hipe",
    "karat.protocols.newsreader",
    "karat.protocols.relations",
)


@cache
def _own() -> dict[str, Protocol]:
    found = (importlib.import_module(module).PROTOCOLS for module in _MODULES)
    return {protocol.name: protocol for several in found for protocol in several}


@cache
def protocols() -> dict[str, Protocol]:
    """Return every protocol by name."""
    found: list[Protocol] = []
    for loaded in plugins("karat.protocols"):
        found += loaded if isinstance(loaded, tuple) else (loaded,)
    return _own() | {protocol.name: protocol for protocol in found}


def protocol(name: str) -> Protocol:
    """Return the protocol of that name; an unknown one is an error with suggestions."""
    known = _own() if name in _own() else protocols()
    if name not in known:
        raise unknown("protocol", name, known)
    return known[name]
