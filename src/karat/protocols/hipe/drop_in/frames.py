"""Tab-separated tables read and written the way the organisers' data-frame library does it, damage included.

``normalize_linking.py`` sends every submission through pandas (below version 3). That is visible in its output:
spellings of "missing" become empty cells, a column of nothing but numbers or truth values is written anew, every
row is padded, repeated column names are numbered. This module reproduces it without the library.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from karat.errors import InputError
from karat.formats.typed_tables import MISSING

Cell = str | int | float | None
"""A cell after type inference; ``None`` is missing, and a truth value is an integer."""

Frame = dict[str, list[Cell]]
"""A table by columns, in their order; all columns have the same length."""

_TRUTH = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
_INFINITE = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})
_INT64 = range(-(2**63), 2**63)
_UINT64 = range(2**64)
_BLANK = r"[ \t\n\v\f\r]*"
_INTEGER = re.compile(rf"{_BLANK}([+-]?)(?=[0-9])0*([0-9]*){_BLANK}")
_DECIMAL = re.compile(rf"{_BLANK}([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{{1,17}}))?{_BLANK}")
_TOO_LONG = 21
_SIGNIFICANT = 17
_LARGEST_POWER = 308


def read_frame(rows: Iterable[tuple[int, Sequence[str]]], path: object = None) -> Frame:
    """Read rows of cells with their line numbers, the header first, and infer the type of every column.

    A first row that is longer than the header makes the surplus leading cells an index, which is then lost; a
    longer row after it is an error.

    >>> read_frame(enumerate([["TOKEN", "MISC"], ["NA", "01"], ["Bern"]], start=1))
    {'TOKEN': [None, 'Bern'], 'MISC': [1.0, None]}
    """
    table = iter(rows)
    _, header = next(table, (1, ()))
    if list(header) in ([], [""]):
        raise InputError("the header is missing: the first line must name the columns", path=path, line=1)
    body: list[Sequence[str]] = []
    width = len(header)
    for line, row in table:
        if not body:
            width = max(width, len(row))
        if len(row) > width:
            raise InputError(f"{len(row)} cells where {width} are expected", path=path, line=line)
        body.append([*row, *[""] * (width - len(row))])
    columns = list(zip(*body, strict=True)) or [()] * width
    index = width - len(header)
    return {name: infer(words) for name, words in zip(_distinct(header), columns[index:], strict=True)}


def write_frame(frame: Frame, path: object = None) -> str:
    r"""Return the table as text, every row at full width.

    >>> write_frame({"TOKEN": ["# date", "Bern"], "MISC": [None, 1.0]})
    'TOKEN\tMISC\n# date\t\nBern\t1.0\n'
    """
    columns = [[written(cell) for cell in column] for column in frame.values()]
    if len(columns) == 1 and "" in columns[0]:
        line = columns[0].index("") + 2
        raise InputError("a table of one column cannot hold an empty cell", path=path, line=line)
    lines = ["\t".join(frame), *map("\t".join, zip(*columns, strict=True))]
    return "\n".join(lines) + "\n"


def written(cell: Cell) -> str:
    """Return a cell as it is written: missing as nothing, numbers in their shortest form."""
    return "" if cell is None else str(cell)


def infer(words: Sequence[str]) -> list[Cell]:
    """Return the cells of a column as integers, floats or truth values if all of them can be read so.

    >>> infer(["1", "2.0", "003"]), infer(["1", "003"]), infer(["1", "x", "null"])
    ([1.0, 2.0, 3.0], [1, 3], ['1', 'x', None])
    """
    cells: list[Cell] = [None if word in MISSING else word for word in words]
    present = [word for word in words if word not in MISSING]
    complete = len(present) == len(words)
    try:
        values: Sequence[Cell] | None = _integers(present, _INT64)
    except OverflowError:
        positive = [word for word in present if not word.lstrip().startswith("-")]
        try:
            values = large = _integers(positive, _UINT64)
        except OverflowError:
            return cells
        if large is not None and (len(positive) < len(present) or not complete):
            # The library gives up on the column, and where it had begun to read it, on missing cells as well.
            return list(words) if any(value not in _INT64 for value in large) else cells
    if values is None:
        values = _floats(present) or _truths(present) or present
    elif not complete:
        values = [float(str(value)) for value in values]
    supply = iter(values)
    return [None if cell is None else next(supply) for cell in cells]


def _integers(words: Sequence[str], limits: range) -> list[int] | None:
    """Return the words as integers, or ``None`` if one of them is none.

    The words are taken one by one, so that a number beyond the limits before it is an :class:`OverflowError`.
    """
    values = []
    for word in words:
        value, ends = _integer(word)
        if value not in limits:
            raise OverflowError(word)
        if not ends:
            return None
        values.append(value)
    return values


def _integer(word: str) -> tuple[int, bool]:
    """Return the integer that a word begins with (cut off far beyond 64 bits), and whether the word ends there."""
    match = _INTEGER.match(word)
    if not match:
        return 0, False
    return int(match[1] + (match[2][:_TOO_LONG] or "0")), match.end() == len(word)


def _floats(words: Sequence[str]) -> list[float]:
    values = []
    for word in words:
        value = _decimal(word)
        if value is None:
            return []
        values.append(value)
    return values


def _truths(words: Sequence[str]) -> list[bool]:
    return [_TRUTH[word] for word in words] if all(word in _TRUTH for word in words) else []


def _decimal(word: str) -> float | None:
    """Read a float as the library does: 17 digits, then one multiplication or division, not correctly rounded."""
    match = _DECIMAL.fullmatch(word)
    if not match or not (match[2] or match[3]):
        return float(word) if word.lower() in _INFINITE else None
    whole, decimals = match[2], match[3] or ""
    used = (whole + decimals)[:_SIGNIFICANT]
    value = 0.0
    for digit in used:
        value = value * 10.0 + int(digit)
    exponent = max(len(whole) - _SIGNIFICANT, 0) - max(len(used) - len(whole), 0) + int(match[4] or 0)
    if exponent > _LARGEST_POWER:
        return None
    if exponent < -_LARGEST_POWER:
        value /= float(f"1e{min(-exponent - _LARGEST_POWER, _LARGEST_POWER)}")
        exponent = -_LARGEST_POWER
    value = value * float(f"1e{exponent}") if exponent > 0 else value / float(f"1e{-exponent}")
    if value == float("inf"):
        return None
    return -value if match[1] == "-" else value


def _distinct(header: Sequence[str]) -> list[str]:
    """Return the column names with the nameless ones named and repeated ones numbered.

    >>> _distinct(["A", "A", "A.1", "", "A"])
    ['A', 'A.2', 'A.1', 'Unnamed: 3', 'A.3']
    """
    names = [name or f"Unnamed: {index}" for index, name in enumerate(header)]
    seen: Counter[str] = Counter()
    for index in sorted(range(len(names)), key=lambda index: not header[index]):
        name = original = names[index]
        count = seen[name]
        while count > 0:
            seen[original] = count + 1
            name = f"{original}.{count}"
            count = count + 1 if name in names else seen[name]
        names[index] = name
        seen[name] = count + 1
    return names
