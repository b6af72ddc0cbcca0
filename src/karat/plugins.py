"""Formats and protocols of others, found through entry points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from karat.errors import UsageError


def plugins(group: str) -> Iterator[Any]:
    """Yield what the installed packages offer in an entry-point group; one that cannot be loaded is named."""
    from importlib.metadata import entry_points

    for point in entry_points(group=group):
        try:
            yield point.load()
        except (ImportError, AttributeError) as error:
            message = f"the plug-in {point.name!r} ({point.value}) cannot be loaded: {error}"
            raise UsageError(f"{message}; mend or remove the package that offers it") from error
