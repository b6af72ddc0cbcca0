"""Columns of tags as programs take them from standard input: lines cut into fields, sentence by sentence.

Bytes are kept as they come, one character each: the programs know no encoding, and so widths and the order of types are
those of bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from karat.annotations.tag_schemes import decode
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.io import STDIN, open_bytes
from karat.model import Document, Mention, TokenTable

ENCODING = "latin-1"
"""Gives each byte a character."""

_OPERATORS = r".^$*+?{}[]\|()"
"""Characters that stand for something else in a pattern."""

Cut = Callable[[str], list[str]]
"""Cuts a line into its fields."""


class TaggedWord(NamedTuple):
    """A word with its tags."""

    word: str
    gold: str
    system: str


def in_bytes(word: str) -> str:
    """Return a word of the command line as it is compared with input: a character for each byte."""
    return word.encode("utf-8", "surrogateescape").decode(ENCODING)


def raw_lines(paths: Iterable[str] = (STDIN,)) -> Iterator[str]:
    """Yield the lines of files, joined as they are, without their line ends; a carriage return is part of a line."""
    parts = []
    for path in paths:
        with open_bytes(path) as stream:
            parts.append(stream.read())
    raw = b"".join(parts)
    yield from raw.removesuffix(b"\n").decode(ENCODING).split("\n") if raw else ()


def cut_by(pattern: re.Pattern[str]) -> Cut:
    r"""Return what cuts a line at a pattern as Perl does: no field is cut off before its first character.

    Fields at the end that are empty vanish.

    >>> cut_by(re.compile(" "))("a  B-X "), cut_by(re.compile("|"))("a|b"), cut_by(re.compile(" *"))("a  b")
    (['a', '', 'B-X'], ['a', '|', 'b'], ['a', 'b'])
    """

    def cut(line: str) -> list[str]:
        fields: list[str] = []
        start = 0
        while start < len(line):
            mark = pattern.search(line, start)
            if mark is not None and mark.end() == start:
                mark = pattern.search(line, start + 1)
            if mark is None or mark.start() == len(line):
                break
            fields += [line[start : mark.start()], *(group or "" for group in mark.groups())]
            start = mark.end()
        fields.append(line[start:])
        while fields and not fields[-1]:
            fields.pop()
        return fields

    separator = pattern.pattern
    return partial(_split, separator) if len(separator) == 1 and separator not in _OPERATORS else cut


def _split(separator: str, line: str) -> list[str]:
    """Return the fields between a character; those at the end that are empty vanish."""
    fields = line.split(separator)
    while fields and not fields[-1]:
        fields.pop()
    return fields


def sentences(lines: Iterable[str], cut: Cut, *, boundary: str, least: int = 2) -> Iterator[list[TaggedWord]]:
    """Yield the rows between lines that are empty or begin with the boundary; all lines must have as many fields."""
    width = None
    rows: list[TaggedWord] = []
    for line_number, line in enumerate(lines, start=1):
        fields = cut(line)
        if fields and width is None:
            width = len(fields)
        if fields and len(fields) != width:
            message = f"the line has {len(fields)} fields; expected {width} as in the first line that has some"
            raise InputError(message, path=STDIN, line=line_number)
        if not fields or fields[0] == boundary:
            yield rows
            rows = []
            continue
        if len(fields) < least:
            expected = "expected a word, the tag of the gold and that of the system; -d names what separates"
            raise InputError(f"the line has {len(fields)} field; {expected}", path=STDIN, line=line_number)
        rows.append(TaggedWord(fields[0] if len(fields) > 2 else "", *fields[-2:]))
    yield rows


def documents(rows: Iterable[Sequence[TaggedWord]]) -> tuple[list[Document], list[Document]]:
    """Return a document of the gold and one of the system for each sentence, with words and tags."""
    sides: tuple[list[Document], list[Document]] = [], []
    for position, sentence in enumerate(rows, start=1):
        forms = [row.word for row in sentence]
        text, starts = join_tokens(forms, gaps=dict.fromkeys(range(len(forms) - 1), "\t"))
        for side, tags in zip(sides, ([row.gold for row in sentence], [row.system for row in sentence]), strict=True):
            mentions = [
                Mention(f"T{index}", ((starts[chunk.start], starts[chunk.end - 1] + len(forms[chunk.end - 1])),), label)
                for index, chunk in enumerate(decode(tags, "IOB2")[0])
                for label in [(chunk.label,)]
            ]
            table = TokenTable(forms, {"TAG": tags}, [0] if forms else [], starts)
            side.append(Document(f"{position:09d}", text, mentions, table=table))
    return sides


def columns(rows: Iterable[Sequence[TaggedWord]]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the tags of the gold and of the system, a list for each sentence.

    >>> columns([[TaggedWord("Ada", "B-PER", "O")], []])
    ([['B-PER'], []], [['O'], []])
    """
    held = list(rows)
    return [[row.gold for row in sentence] for sentence in held], [
        [row.system for row in sentence] for sentence in held
    ]
