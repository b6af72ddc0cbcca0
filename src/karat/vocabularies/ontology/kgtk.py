"""The KGTK edge format: tab-separated, with a header that names at least node1, label and node2.

Fields are located with array operations on blocks of lines, which is much faster than splitting lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from karat.errors import InputError
from karat.vocabularies.ontology.facts import KINDS, OntologyFacts
from karat.vocabularies.ontology.names import LONGEST_NUMBER, NUMBER_BITS
from karat.vocabularies.ontology.streams import LineBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEEDED = ("node1", "label", "node2")
MAX_COUNT = 1 << 53
"""Larger counts have no exact floating-point number."""

_TAB, _LINE_END = b"\t\n"
_ZERO, _A, _Z = b"0AZ"
_ENGLISH = re.compile(r"'(.*)'@en(?:-[-a-zA-Z0-9]*)?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}

Take = Callable[[OntologyFacts, str, str], None]


def is_header(line: str) -> bool:
    r"""Tell whether a line is the header of a KGTK edge file.

    >>> is_header("id\tnode1\tlabel\tnode2"), is_header("q1\tq2")
    (True, False)
    """
    return set(NEEDED) <= set(line.split("\t"))


def read(facts: OntologyFacts, path: str, blocks: Iterator[LineBlock]) -> None:
    """Read a file; its first block begins with the header."""
    first = next(blocks)
    header, _, text = first.text.partition("\n")
    columns = header.split("\t")
    places = [columns.index(name) for name in NEEDED]
    for block in chain([LineBlock(text, 2)], blocks):
        lines = split(block.text, len(columns))
        if lines is None:
            block = _padded(path, block, len(columns))
            lines = cast("FieldLines", split(block.text, len(columns)))
        _read_edges(facts, lines, places)
        if any(word in block.text for word in _TAKE):
            _read_others(facts, path, block, lines, places)


def _read_edges(facts: OntologyFacts, lines: FieldLines, places: list[int]) -> None:
    """Add the edges of class statements; those with irregular names one by one."""
    node1, label, node2 = places
    kinds = np.zeros(len(lines.starts), np.int8)
    for word, kind in KINDS.items():
        kinds[equal(lines, label, word)] = kind
    rows = np.flatnonzero(kinds)
    sources, targets = usual_keys(lines, rows, node1), usual_keys(lines, rows, node2)
    usual = (sources >= 0) & (targets >= 0)
    facts.edges(sources[usual], kinds[rows[usual]], targets[usual])
    for row in rows[~usual].tolist():
        facts.edge(lines.text(row, node1), int(kinds[row]), lines.text(row, node2))


def _read_others(facts: OntologyFacts, path: str, block: LineBlock, lines: FieldLines, places: list[int]) -> None:
    node1, label, node2 = places
    for word, take in _TAKE.items():
        for row in np.flatnonzero(equal(lines, label, word)).tolist():
            node, value = lines.text(row, node1), lines.text(row, node2)
            if not node or not value:
                facts.left_out += 1
                continue
            try:
                take(facts, node, value)
            except ValueError as error:
                raise InputError(str(error), path=path, line=block.line + row) from error


def _padded(path: str, block: LineBlock, columns: int) -> LineBlock:
    """Return the block with blank lines replaced by empty fields; other lines of another width are an error."""
    lines = block.text.removesuffix("\n").split("\n")
    for line_number, line in enumerate(lines, block.line):
        width = line.count("\t") + 1
        if line and width != columns:
            message = f"there are {width} columns, but the header has {columns}; is the file cut off, or not KGTK?"
            raise InputError(message, path=path, line=line_number)
    blank = "\t" * (columns - 1)
    return LineBlock("".join(f"{line or blank}\n" for line in lines), block.line)


def _take_label(facts: OntologyFacts, node: str, value: str) -> None:
    english = _ENGLISH.fullmatch(value)
    if english:
        facts.label(node, _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), english[1]))


def _take_closure(facts: OntologyFacts, node: str, value: str) -> None:
    facts.closure.nodes.append(facts.names.key(node))
    facts.closure.others.append(facts.names.key(value))


def _take_count(facts: OntologyFacts, node: str, value: str) -> None:
    facts.counts.nodes.append(facts.names.key(node))
    facts.counts.numbers.append(_number(value))


def _take_compact(facts: OntologyFacts, node: str, value: str) -> None:
    key = facts.names.key
    for part in value.split("|"):
        name, colon, instances = part.rpartition(":")
        if not colon or not name:
            raise ValueError(f"{part[:40]!r} is no class with its count; expected something like Q5:17|Q35120:99")
        facts.compact.nodes.append(key(node))
        facts.compact.others.append(key(name))
        facts.compact.numbers.append(_number(instances))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 17 and int(text) < MAX_COUNT):
        raise ValueError(f"the count is {text[:40]!r}; expected a whole number")
    return int(text)


_TAKE: dict[str, Take] = {
    "label": _take_label,
    "P279star": _take_closure,
    "count": _take_count,
    "class_count": _take_compact,
}
"""Edges that are not claims, by their label."""


class FieldLines(NamedTuple):
    """The bytes of lines with the same number of fields, and the start and end of each field by line."""

    raw: bytes
    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def text(self, line: int, column: int) -> str:
        """Return a field as text."""
        return self.raw[self.starts[line, column] : self.ends[line, column]].decode()


def split(text: str, columns: int) -> FieldLines | None:
    r"""Return the fields of a block of lines, or None if a line has another number of them.

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
    """Return for each line whether a field equals a word."""
    starts, raw = lines.starts[:, column], word.encode()
    same: NDArray[np.bool_] = lines.ends[:, column] - starts == len(raw)
    for offset, byte in enumerate(raw):
        rest = np.flatnonzero(same)
        same[rest] = lines.data[starts[rest] + offset] == byte
    return same


def usual_keys(lines: FieldLines, rows: NDArray[np.int64], column: int) -> NDArray[np.int64]:
    r"""Return the keys of names such as Q42 in a column of some lines, -1 for irregular names.

    >>> usual_keys(split("Q42\nQ042\nnovalue\n", 1), np.arange(3), 0).tolist()[1:]
    [-1, -1]
    """
    starts, sizes = lines.starts[rows, column], (lines.ends - lines.starts)[rows, column] - 1
    letters = lines.data[starts].astype(np.int64)
    first: NDArray[Any] = lines.data[np.minimum(starts + 1, len(lines.data) - 1)]
    usual = (letters >= _A) & (letters <= _Z) & (sizes >= 1) & (sizes <= LONGEST_NUMBER)
    usual &= (first != _ZERO) | (sizes == 1)
    numbers = np.zeros(len(rows), np.int64)
    for offset in range(1, int(sizes[usual].max(initial=0)) + 1):
        inside = usual & (sizes >= offset)
        digits = lines.data[np.where(inside, starts + offset, 0)].astype(np.int64) - _ZERO
        usual &= ~inside | ((digits >= 0) & (digits <= 9))
        numbers = np.where(inside, numbers * 10 + digits, numbers)
    return np.where(usual, ((letters - _A + 1) << NUMBER_BITS) | numbers, -1)
