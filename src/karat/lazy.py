"""Lazily loaded public names of a package: a module is imported when one of its names is first used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def loader(package: str, names_by_module: Mapping[str, Collection[str]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, given the public names of each of its modules.

    >>> loader("karat.formats", {"recognition": ("sniff",)})("sniff").__module__
    'karat.formats.recognition'
    """

    def load(name: str) -> Any:
        for module, names in names_by_module.items():
            if name in names:
                return getattr(import_module(f"{package}.{module}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
