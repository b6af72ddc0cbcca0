"""The tables in ``data/``: tab-separated, the first line names the columns."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

Row = dict[str, str]


@cache
def table(name: str) -> tuple[Row, ...]:
    """Return the rows of a table by column.

    >>> table("aliases")[0]["replacement"]
    'date_dissolved'
    """
    text = files("karat.coldstart").joinpath("data", f"{name}.tsv").read_text("utf-8")
    header, *lines = (line.split("\t") for line in text.splitlines())
    return tuple(dict(zip(header, line + [""] * (len(header) - len(line)), strict=True)) for line in lines)
