"""Reader of workbooks: cells and formulas, with limits that are checked before anything is unpacked."""

from __future__ import annotations

import io
import os
import re
import zipfile
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from karat.errors import InputError, needing
from karat.io import remember_input
from karat.io.zips import UNREADABLE, read_part
from karat.settings import MORE, limit

MAX_SIZE = 256 * 1024 * 1024
"""The largest total size of the unpacked parts of a workbook, in bytes."""
MAX_PARTS = 2000
MAX_AREA = limit(5_000_000)
"""The largest number of cells of a sheet, empty ones included, because all are held in memory."""
_NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_PLACE = re.compile("([A-Za-z]{1,9})([0-9]{1,9})")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

Cell = str | float | None


class Formula(NamedTuple):
    """The formula of a cell, and the value that was saved with the file."""

    cell: str
    text: str
    value: float | None


class Worksheet(NamedTuple):
    """A sheet: its name, its rows with None for empty cells, and its formulas."""

    name: str
    rows: list[list[Cell]]
    formulas: list[Formula]


def is_workbook(path: str | os.PathLike[str]) -> bool:
    """Return whether a file begins like a workbook."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(4) == b"PK\x03\x04"
    except OSError:
        return False


def read_workbook(path: str | os.PathLike[str]) -> list[Worksheet]:
    """Return the sheets of a workbook; raise an error before unpacking one that is too large."""
    with needing("a workbook", "judge"):
        import python_calamine
    try:
        remember_input(path)
        with Path(path).open("rb") as file, zipfile.ZipFile(file) as archive:
            _check_size(archive, path)
            formulas = _formulas(archive, path)
            book = python_calamine.CalamineWorkbook.from_filelike(_as_declared(archive))
        tables = {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}
    except (*UNREADABLE, ValueError, KeyError, python_calamine.CalamineError) as error:
        raise InputError(f"cannot be read as a workbook: {error}", path=path) from error
    return [
        Worksheet(name, [[_cell(value) for value in row] for row in rows], formulas.get(name, []))
        for name, rows in tables.items()
    ]


def _cell(value: object) -> Cell:
    if isinstance(value, bool | int | float):
        return float(value)
    text = str(value)
    return text if text.strip() else None


def _check_size(archive: zipfile.ZipFile, path: str | os.PathLike[str]) -> None:
    parts = archive.infolist()
    size = sum(part.file_size for part in parts)
    if size > MAX_SIZE or len(parts) > MAX_PARTS:
        fault = f"unpacks to {size:,} bytes in {len(parts):,} parts"
        raise InputError(f"{fault}; at most {MAX_SIZE:,} in {MAX_PARTS:,} are read", path=path)


def _as_declared(archive: zipfile.ZipFile) -> io.BytesIO:
    """Return a copy of the archive in which each part is cut to its declared size, so that readers unpack no more."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as anew:
        for name in dict.fromkeys(archive.namelist()):
            anew.writestr(name, read_part(archive, name))
    buffer.seek(0)
    return buffer


def _formulas(archive: zipfile.ZipFile, path: str | os.PathLike[str]) -> dict[str, list[Formula]]:
    book = _parsed(archive, "xl/workbook.xml", path)
    relations = _parsed(archive, "xl/_rels/workbook.xml.rels", path)
    targets = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    formulas: dict[str, list[Formula]] = {}
    for sheet in book.iter("{*}sheet"):
        name = sheet.get("name", "")
        part = "xl/" + targets.get(sheet.get(_RELATION), "").removeprefix("/").removeprefix("xl/")
        if part not in archive.namelist():
            raise InputError(f"the sheet {name!r} is not in the workbook", path=path)
        cells = list(_parsed(archive, part, path).iter("{*}c"))
        _check_area(cells, name, path)
        formulas[name] = [formula for cell in cells if (formula := _formula(cell)) is not None]
    return formulas


def _check_area(cells: list[Any], sheet: str, path: str | os.PathLike[str]) -> None:
    """Raise an error if a sheet spans more cells than fit into memory."""
    rows = columns = 1
    for cell in filter(len, cells):
        row = cell.getparent()
        address = _PLACE.fullmatch(cell.get("r", f"A{row.get('r', len(cells))}"))
        if address is None:
            raise InputError(
                f"the sheet {sheet!r} has a cell with an invalid reference: {cell.get('r')!r:.40}", path=path
            )
        column = reduce(lambda number, letter: number * 26 + ord(letter) - ord("A") + 1, address[1].upper(), 0)
        columns = max(columns, column, 1 if "r" in cell.attrib else len(row))
        rows = max(rows, int(address[2]))
    if rows * columns > MAX_AREA:
        fault = f"the sheet {sheet!r} reaches over {rows:,} rows and {columns:,} columns"
        raise InputError(f"{fault}; at most {MAX_AREA:,} cells are read: remove the outlying cells, {MORE}", path=path)


def _formula(cell: Any) -> Formula | None:
    text, value = cell.find(f"{_NAMESPACE}f"), cell.find(f"{_NAMESPACE}v")
    if text is None or not text.text:
        return None
    try:
        number = float(value.text)
    except (AttributeError, TypeError, ValueError):
        number = None
    return Formula(cell.get("r", ""), text.text.strip(), number)


def _parsed(archive: zipfile.ZipFile, part: str, path: str | os.PathLike[str]) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(read_part(archive, part), parser)
    except etree.XMLSyntaxError as error:
        raise InputError(f"{part} cannot be read: {error}", path=path) from error
