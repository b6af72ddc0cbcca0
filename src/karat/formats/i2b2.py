"""i2b2 2010: concepts, assertions and relations by line and token, in files beside the text.

Lines count from 1, tokens from 0; tokens are separated by runs of blanks, and the last token is included. Stated texts
are in lower case.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats._files import files_below
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import Assembly
from karat.io import decoded, lines, read_whole
from karat.model import Document, Span

_SUFFIX = ".con"
_PLACE = r"\d{1,9}:\d{1,9} \d{1,9}:\d{1,9}"
_PLACES = rf"({_PLACE}(?:,{_PLACE})*)"
_CONCEPT = re.compile(rf'c="(.*)" {_PLACES}\|\|t="(.*)"\s*', re.ASCII)
_ASSERTION = re.compile(rf'c="(.*)" {_PLACES}\|\|t="(.*)"\|\|a="(.*)"\s*', re.ASCII)
_RELATION = re.compile(rf'c="(.*)" {_PLACES}\|\|r="(.*)"\|\|c="(.*)" {_PLACES}\s*', re.ASCII)
_MAX_TEXT = 1 << 27
_TOKEN, _COUNTED = re.compile(r"[^ \t\r]+"), re.compile(r"(?:(?<= )|^)[^ \r]*")
"""What a token is; where empty ones count, each blank is a border."""


class _Row(NamedTuple):
    """A line of a file that matches its pattern."""

    path: str
    line: int
    cells: tuple[str, ...]

    def fault(self, message: str) -> InputError:
        return InputError(message, path=self.path, line=self.line)


class _Grid:
    """The tokens of a text by line."""

    def __init__(self, text: str, token: re.Pattern[str]) -> None:
        self.text = text
        self.lines: list[list[Span]] = []
        start = 0
        for line in text.split("\n"):
            self.lines.append([(start + match.start(), start + match.end()) for match in token.finditer(line)])
            start += len(line) + 1

    def spans(self, row: _Row, places: str) -> tuple[Span, ...]:
        """Return the spans of locations such as ``2:2 2:3``, separated by commas."""
        spans: list[Span] = []
        for place in places.split(","):
            (start, _), (_, end) = (self._token(row, word) for word in place.split(" "))
            if start >= end or (spans and start < spans[-1][1]):
                raise row.fault(f"the tokens {place} are empty, or not in the order of the text")
            spans.append((start, end))
        return tuple(spans)

    def _token(self, row: _Row, word: str) -> Span:
        line, token = map(int, word.split(":"))
        if not 0 < line <= len(self.lines) or token >= len(self.lines[line - 1]):
            raise row.fault(f"there is no token {word} in the text (lines count from 1, tokens from 0)")
        return self.lines[line - 1][token]

    def check(self, row: _Row, spans: tuple[Span, ...], stated: str) -> None:
        """Refuse a concept whose stated text differs from the text, apart from case and runs of blanks."""
        standing = " ... ".join(" ".join(self.text[start:end].split()) for start, end in spans)
        if standing.lower() != " ".join(stated.split()).lower():
            raise row.fault(f"the text is {shown(stated)}, but at {row.cells[1]} stands {shown(standing)}")


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each file of concepts, by name."""
    del want, options
    for file, name in files_below(path, _SUFFIX, problems):
        with problems.catching(file):
            yield _document(file, name, problems)


def _document(path: Path, name: str, problems: Problems) -> Document:
    text = _text(path.with_suffix(".txt"))
    concepts = list(_rows(path, _CONCEPT, 'c="text" 1:0 1:0||t="type"'))
    assembly = Assembly(name, text, source=str(path))
    grid = _grid(text, concepts, name, path, problems)
    assertions = {
        (row.cells[1], row.cells[2]): row
        for row in _beside(path, ".ast", _ASSERTION, 'c="text" 1:0 1:0||t="problem"||a="present"')
    }
    mentions: dict[str, str] = {}
    for row in concepts:
        stated, places, label = row.cells
        spans = grid.spans(row, places)
        grid.check(row, spans, stated)
        asserted = assertions.pop((places, label), None)
        attributes = {"assertion": asserted.cells[3]} if asserted else {}
        mentions.setdefault(places, assembly.mention(spans, (label,), attributes=attributes))
    for row in assertions.values():
        raise row.fault(f"an assertion is about {row.cells[1]}, where {path.name} has no {shown(row.cells[2])}")
    for row in _beside(path, ".rel", _RELATION, 'c="text" 1:0 1:0||r="type"||c="text" 1:2 1:2'):
        _, head, label, _, tail = row.cells
        for end in (head, tail):
            if end not in mentions:
                raise row.fault(f"a relation {shown(label)} names {end}, where {path.name} has no concept")
        assembly.relation(label, mentions[head], mentions[tail])
    return assembly.document


def _text(path: Path) -> str:
    """Return the text with its line ends unchanged, since offsets count both characters of ``\r\n``."""
    if not path.is_file():
        raise InputError(f"there is no text {path.name} beside it", path=path.with_suffix(_SUFFIX))
    return decoded(read_whole(path, _MAX_TEXT).removeprefix(BOM_UTF8), path)


def _rows(path: Path, pattern: re.Pattern[str], example: str) -> Iterator[_Row]:
    for line_number, line in enumerate(lines(path), start=1):
        if not line.strip():
            continue
        match = pattern.fullmatch(line.removeprefix("\ufeff"))
        if match is None:
            raise InputError(f"found {shown(line)}; expected a line such as {example}", path=path, line=line_number)
        yield _Row(str(path), line_number, match.groups())


def _beside(path: Path, suffix: str, pattern: re.Pattern[str], example: str) -> Iterator[_Row]:
    """Yield the rows of another file of the document, if it exists."""
    other = path.with_suffix(suffix)
    if other.is_file():
        yield from _rows(other, pattern, example)


def _grid(text: str, concepts: list[_Row], name: str, path: Path, problems: Problems) -> _Grid:
    """Return the tokens; empty ones count if the stated texts are found only with them."""
    plain, counted = _Grid(text, _TOKEN), _Grid(text, _COUNTED)
    if _fits(plain, concepts) or not _fits(counted, concepts):
        return plain
    message = "empty tokens between blanks are counted: the stated text is found only so"
    problems.repair(path, None, f"{name}: {message}")
    return counted


def _fits(grid: _Grid, concepts: list[_Row]) -> bool:
    try:
        for row in concepts:
            grid.check(row, grid.spans(row, row.cells[1]), row.cells[0])
    except InputError:
        return False
    return True


def sniff(head: str) -> bool:
    r"""Tell whether the first line is a concept.

    >>> sniff('c="chest pain" 2:2 2:3||t="problem"\n')
    True
    """
    first = head.removeprefix("\ufeff").lstrip("\r\n").partition("\n")[0]
    return _CONCEPT.fullmatch(first) is not None or _ASSERTION.fullmatch(first) is not None


FORMAT = Format(
    name="i2b2",
    title="i2b2 2010: concepts (.con), assertions and relations beside a text",
    known_by='lines such as c="chest pain" 2:2 2:3||t="problem"',
    read=read,
    sniff=sniff,
    suffixes=(_SUFFIX,),
    folder=True,
    may_be_empty=True,
    layers="mentions with one label, fragments, assertions, relations",
)
