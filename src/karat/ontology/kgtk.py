"""The KGTK edge format: tab-separated, with a header that names at least node1, label and node2."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import cast

import numpy as np

from karat.errors import InputError
from karat.ontology.facts import KINDS, Facts
from karat.ontology.fields import FieldLines, equal, split, usual_keys
from karat.ontology.streams import LineBlock

NEEDED = ("node1", "label", "node2")
MAX_COUNT = 1 << 53
"""Larger counts have no exact floating-point number."""

_TAB = "\t"
_ENGLISH = re.compile(r"'(.*)'@en(?:-[-a-zA-Z0-9]*)?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}

Take = Callable[[Facts, str, str], None]


def is_header(line: str) -> bool:
    r"""Say whether a line is the header of a KGTK edge file.

    >>> is_header("id\tnode1\tlabel\tnode2"), is_header("q1\tq2")
    (True, False)
    """
    return set(NEEDED) <= set(line.split("\t"))


def read(facts: Facts, path: str, blocks: Iterator[LineBlock]) -> None:
    """Read a file whose first block begins with the header."""
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


def _read_edges(facts: Facts, lines: FieldLines, places: list[int]) -> None:
    """Note the edges that say what something is; those with unusual names one by one."""
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


def _read_others(facts: Facts, path: str, block: LineBlock, lines: FieldLines, places: list[int]) -> None:
    """Note labels and the rows of derived tables."""
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
    """Return the block with blank lines made lines of empty fields; other lines with too few or many are an error."""
    lines = block.text.removesuffix("\n").split("\n")
    for line_number, line in enumerate(lines, block.line):
        width = line.count("\t") + 1
        if line and width != columns:
            message = f"there are {width} columns, but the header has {columns}; is the file cut off, or not KGTK?"
            raise InputError(message, path=path, line=line_number)
    return LineBlock("".join(f"{line or _TAB * (columns - 1)}\n" for line in lines), block.line)


def _take_label(facts: Facts, node: str, value: str) -> None:
    english = _ENGLISH.fullmatch(value)
    if english:
        facts.label(node, _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), english[1]))


def _take_closure(facts: Facts, node: str, value: str) -> None:
    facts.closure.nodes.append(facts.names.key(node))
    facts.closure.others.append(facts.names.key(value))


def _take_count(facts: Facts, node: str, value: str) -> None:
    facts.counts.nodes.append(facts.names.key(node))
    facts.counts.numbers.append(_number(value))


def _take_compact(facts: Facts, node: str, value: str) -> None:
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
