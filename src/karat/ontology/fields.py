"""Fields of tab-separated lines as arrays: a block of a hundred thousand lines is looked at in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.ontology.names import LONGEST_NUMBER, NUMBER_BITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TAB, _LINE_END = 9, 10
_ZERO, _A, _Z = b"0AZ"


class FieldLines(NamedTuple):
    """The bytes of some lines with equally many fields, and where each field begins and ends, a row for each line."""

    raw: bytes
    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def text(self, line: int, column: int) -> str:
        """Return a field as text."""
        return self.raw[self.starts[line, column] : self.ends[line, column]].decode()


def split(text: str, columns: int) -> FieldLines | None:
    r"""Find the fields of a block of lines; nothing if not every line has that many.

    >>> lines = split("a\tb\nc\td\n", 2)
    >>> lines.text(1, 0), split("a\tb\nc\n", 2)
    ('c', None)
    """
    raw = text.encode()
    data = np.frombuffer(raw, np.uint8)
    breaks = np.flatnonzero((data == _TAB) | (data == _LINE_END))
    if len(breaks) % columns:
        return None
    ends = breaks.reshape(-1, columns)
    is_end = data[ends] == _LINE_END
    if not is_end[:, -1].all() or is_end[:, :-1].any():
        return None
    starts = np.concatenate(([0], breaks[:-1] + 1))[: len(breaks)].reshape(-1, columns)
    return FieldLines(raw, data, starts, ends)


def equal(lines: FieldLines, column: int, word: str) -> NDArray[np.bool_]:
    """Say in which lines a field is a certain word."""
    starts, raw = lines.starts[:, column], word.encode()
    same: NDArray[np.bool_] = lines.ends[:, column] - starts == len(raw)
    for place, byte in enumerate(raw):
        rest = np.flatnonzero(same)
        same[rest] = lines.data[starts[rest] + place] == byte
    return same


def usual_keys(lines: FieldLines, rows: NDArray[np.int64], column: int) -> NDArray[np.int64]:
    r"""Return the keys of names such as Q42 in a column of some lines, -1 for names of another shape.

    >>> usual_keys(split("Q42\nQ042\nnovalue\n", 1), np.arange(3), 0).tolist()[1:]
    [-1, -1]
    """
    starts, sizes = lines.starts[rows, column], (lines.ends - lines.starts)[rows, column] - 1
    letters = lines.data[starts].astype(np.int64)
    first: NDArray[Any] = lines.data[np.minimum(starts + 1, len(lines.data) - 1)]
    usual = (letters >= _A) & (letters <= _Z) & (sizes >= 1) & (sizes <= LONGEST_NUMBER)
    usual &= (first != _ZERO) | (sizes == 1)
    numbers = np.zeros(len(rows), np.int64)
    for place in range(1, int(sizes[usual].max(initial=0)) + 1):
        inside = usual & (sizes >= place)
        digits = lines.data[np.where(inside, starts + place, 0)].astype(np.int64) - _ZERO
        usual &= ~inside | ((digits >= 0) & (digits <= 9))
        numbers = np.where(inside, numbers * 10 + digits, numbers)
    return np.where(usual, ((letters - _A + 1) << NUMBER_BITS) | numbers, -1)
