"""Declarations as data in TOML files beside the code, which can be read without knowing Python."""

from __future__ import annotations

from typing import Any


def table_of(package: str, name: str) -> dict[str, Any]:
    """Return the content of a TOML file of a package.

    Uses :mod:`pkgutil` and imports the parser on first use, because importing :mod:`importlib.resources` takes longer
    than reading most tables.

    >>> table_of("karat.protocols", "papers.toml")["hipe2022-nel"]["paper"]
    'Ehrmann et al. (2022), HIPE-2022'
    """
    import tomllib
    from pkgutil import get_data

    return tomllib.loads((get_data(package, name) or b"").decode("utf-8"))
