"""Tables that stand beside the code: declarations as data, which a person who knows no Python can read."""

from __future__ import annotations

from typing import Any


def table_of(package: str, name: str) -> dict[str, Any]:
    """Return the table in a TOML file of a package.

    Read by :mod:`pkgutil`, because :mod:`importlib.resources` takes longer to import than most tables to read; who
    reads no table need not wait for either.

    >>> table_of("karat.protocols", "papers.toml")["hipe2022-nel"]["paper"]
    'Ehrmann et al. (2022), HIPE-2022'
    """
    import tomllib
    from pkgutil import get_data

    return tomllib.loads((get_data(package, name) or b"").decode("utf-8"))
