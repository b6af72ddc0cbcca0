"""Annotation formats: recognising, reading and writing files.

Names are imported when they are first used, so that using one format does not import the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy import loader

if TYPE_CHECKING:
    from karat.formats.catalogue import format_named, formats, kinds
    from karat.formats.documents import read, render, write
    from karat.formats.recognition import claimants, sniff

__all__ = ["claimants", "format_named", "formats", "kinds", "read", "render", "sniff", "write"]

__getattr__ = loader(
    __name__,
    {
        "catalogue": ("format_named", "formats", "kinds"),
        "documents": ("read", "render", "write"),
        "recognition": ("claimants", "sniff"),
    },
)


def __dir__() -> list[str]:
    return __all__
