"""The extraction tools whose output Karat reads, by name: native files, recorded CSV files and live objects.

``tools.toml`` declares what each tool writes. Every tool is a :class:`~karat.formats.base.Format`, so that ``--from
refined`` works wherever a format can be named. It is read by a :class:`~karat.formats.tools.base.ToolReader` in one
of the modules here.
"""

from __future__ import annotations

import importlib
from functools import cache, partial
from typing import TYPE_CHECKING

import msgspec

from karat.formats.base import Format
from karat.io.tables import table_of

if TYPE_CHECKING:
    from karat.formats.base import Reader
    from karat.formats.tools.base import ToolReader


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The declaration of a tool in ``tools.toml``, where the fields are explained."""

    title: str
    reader: str
    layers: str = "mentions"
    keys: tuple[str, ...] = ()
    holds: str = ""
    header: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    recorded: str = "entities"
    entities: tuple[str, ...] = ()
    fields: dict[str, str] = {}
    needed: tuple[str, ...] = ()
    printed: str = ""
    cells: tuple[str, ...] = ()
    rows: str = ""


@cache
def tools() -> dict[str, Tool]:
    """Return the declarations of all tools by name."""
    declared = table_of(__name__, "tools.toml")
    return {name: msgspec.convert(tool, Tool) for name, tool in declared.items()}


def tool(name: str) -> Format:
    """Return the format of a tool's output.

    >>> tool("refined").title
    'ReFinED: linked spans as printed, or as recorded in CSV'
    """
    declared = tools()[name]
    module, _, constant = declared.reader.partition(".")
    known: ToolReader = getattr(importlib.import_module(f"{__name__}.{module}"), constant)
    return Format(
        name=name,
        title=declared.title,
        read=_reader(declared, known),
        sniff=known.sniff or partial(_is_native, declared),
        known_by=_marks(declared),
        suffixes=declared.suffixes,
        options=known.options,
        layers=declared.layers,
    )


def _marks(declared: Tool) -> str:
    """Return a description of what the output of a tool is recognised by."""
    named = " and ".join(f"`{name}`" for name in declared.keys or declared.header)
    return f"{named} in {'a line' if declared.keys else 'the first line'}" if named else ""


def _is_native(declared: Tool, head: str) -> bool:
    """Tell whether the first line of a file is native output of the tool, as far as its beginning shows."""
    from karat.formats.tools.base import has_keys

    first = head.removeprefix("\ufeff").partition("\n")[0]
    if declared.header and tuple(first.rstrip("\r").split(",")) == declared.header:
        return True
    return bool(declared.keys) and has_keys(head, *declared.keys) and declared.holds in first


def _reader(declared: Tool, known: ToolReader) -> Reader:
    from karat.formats.tools import recorded
    from karat.formats.tools.base import reader

    rows = known.recorded or getattr(recorded, declared.recorded)
    if declared.printed:
        return reader(*recorded.printed_readers(declared, known.native, rows))
    return reader(partial(known.native, declared) if declared.fields else known.native, rows)
