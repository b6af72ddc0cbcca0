"""The annotation formats: finding the one of a file, reading and writing.

Everything is loaded when it is first used: who needs but one part of one format does not wait for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karat.formats.catalogue import format_named, formats, kinds
    from karat.formats.documents import read, render, write
    from karat.formats.recognition import claimants, sniff

__all__ = ["claimants", "format_named", "formats", "kinds", "read", "render", "sniff", "write"]

_PLACES = {
    "catalogue": ("format_named", "formats", "kinds"),
    "documents": ("read", "render", "write"),
    "recognition": ("claimants", "sniff"),
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    for module, names in _PLACES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"karat.formats.{module}"), name)
    raise AttributeError(f"module 'karat.formats' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
