"""Parses the lines of WebAnno TSV 3: layers in the header, sentences with their text, rows of tokens, escapes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError

FORMAT_LINE = re.compile(r"#FORMAT=WebAnno TSV (\d+)(?:\.(\d+))?\s*")
_ADDRESS = re.compile(r"\d{1,9}-\d{1,9}(?:\.\d{1,9})?", re.ASCII)
_PLACE = re.compile(r"(\d{1,18})-(\d{1,18})", re.ASCII)
_STACKED = re.compile(r"((?:\\.|[^\\\[])*)\[(\d{1,9})\]", re.DOTALL | re.ASCII)
_ESCAPE = re.compile(r"\\(->|.)", re.DOTALL)
_JAVA = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
NONE, UNSET = "_", "*"


class Layer(NamedTuple):
    """A layer of the header: its kind (``SP``, ``RL``, ``CH``), its type, and the names of its columns.

    ``base`` is the type of the annotations that a relation connects.
    """

    kind: str
    type: str
    columns: tuple[str, ...]
    first: int
    base: str = ""


class TokenRow(NamedTuple):
    """A token, or a part of one."""

    line: int
    address: str
    start: int
    end: int
    form: str
    cells: list[str]

    def items(self, layer: Layer) -> list[list[str]]:
        """Return the cells of each annotation of a layer at this token, including stacked ones."""
        cells = self.cells[layer.first : layer.first + len(layer.columns)]
        parts = [split(cell, "|") for cell in cells]
        size = max(map(len, parts))
        stacked = [[part[index] if index < len(part) else NONE for part in parts] for index in range(size)]
        return [item for item in stacked if any(cell != NONE for cell in item)]

    def fault(self, message: str) -> InputError:
        """Return the error for this line."""
        return InputError(message, line=self.line)


class Sentence(NamedTuple):
    """A sentence: its text lines, and its rows."""

    texts: list[str]
    rows: list[TokenRow]

    @property
    def text(self) -> str:
        """The text of the sentence, with its lines joined."""
        return "\n".join(self.texts)


def split(cell: str, mark: str) -> list[str]:
    r"""Return the parts of a cell between unescaped marks.

    >>> split(r"a\|b|c", "|")
    ['a\\|b', 'c']
    """
    parts = [""]
    for match in re.finditer(r"\\.|.", cell, re.DOTALL):
        if match[0] == mark:
            parts.append("")
        else:
            parts[-1] += match[0]
    return parts


def stacked(item: str) -> tuple[str, int]:
    r"""Return a value without its number in brackets, and that number, or 0.

    >>> stacked("PER[2]"), stacked(r"x\[2\]")
    (('PER', 2), ('x\\[2\\]', 0))
    """
    match = _STACKED.fullmatch(item)
    return (match[1], int(match[2])) if match else (item, 0)


def value_of(item: str) -> str:
    r"""Return the value of a feature, ``""`` if it is not set.

    >>> value_of(r"born\_in"), value_of("*"), value_of(r"\*")
    ('born_in', '', '*')
    """
    return (
        "" if item in (NONE, UNSET) else _ESCAPE.sub(lambda match: {"t": "\t", "n": "\n"}.get(match[1], match[1]), item)
    )


def unescaped(line: str, java: bool) -> str:
    r"""Return the unescaped text; up to version 3.1 it was escaped as a Java string.

    >>> unescaped(r"x \\ y", False), unescaped(r"\uD83D\uDE00", True)
    ('x \\ y', '😀')
    """
    if "\\" not in line:
        return line
    if not java:
        return _ESCAPE.sub(lambda match: _CONTROLS.get(match[1], match[1]), line)

    def character(match: re.Match[str]) -> str:
        return chr(int(match[1][1:], 16)) if len(match[1]) == 5 else _CONTROLS.get(match[1], match[1])

    try:
        return _JAVA.sub(character, line).encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise InputError("the text holds half a surrogate pair") from error


def parsed(source: Iterable[str]) -> tuple[list[Layer], list[Sentence]]:
    """Return the layers and sentences of a file."""
    layers: list[Layer] = []
    sentences: list[Sentence] = []
    java = False
    width = 0
    for line_number, line in enumerate(source, start=1):
        content = line.removeprefix("\ufeff") if line_number == 1 else line
        if line_number == 1:
            java = _is_java(content)
        elif content.startswith("#T_"):
            layers.append(_layer(content, width, line_number))
            width += len(layers[-1].columns)
        elif content.startswith("#Text="):
            if not sentences or sentences[-1].rows:
                sentences.append(Sentence([], []))
            sentences[-1].texts.append(unescaped(content.removeprefix("#Text="), java))
        elif content.strip() and not content.startswith("#"):
            if not sentences:
                raise InputError("a row stands before the first '#Text='", line=line_number)
            sentences[-1].rows.append(_row(content, width, line_number))
    return layers, sentences


def _is_java(line: str) -> bool:
    match = FORMAT_LINE.fullmatch(line)
    if match is None or match[1] != "3":
        raise InputError(f"the first line is {shown(line)}; expected '#FORMAT=WebAnno TSV 3.3' or another 3", line=1)
    return int(match[2] or 0) < 2


def _layer(line: str, first: int, line_number: int) -> Layer:
    kind, equals, rest = line.removeprefix("#T_").partition("=")
    name, *features = rest.strip().split("|")
    if not equals or kind not in ("SP", "RL", "CH") or not name:
        raise InputError(f"the layer {shown(line)} is none; expected '#T_SP=TYPE|FEATURE'", line=line_number)
    base = next((feature[3:] for feature in features if feature.startswith("BT_")), "")
    return Layer(kind, name, tuple(features) or ("",), first, base)


def _row(line: str, width: int, line_number: int) -> TokenRow:
    cells = line.split("\t")
    if len(cells) == width + 4 and not cells[-1]:
        cells.pop()
    if len(cells) != width + 3 or "" in cells[3:]:
        message = (
            f"the row has {len(cells)} columns; expected {width + 3}, none of them empty: token, place, form, layers"
        )
        raise InputError(message, line=line_number)
    place = _PLACE.fullmatch(cells[1])
    if not _ADDRESS.fullmatch(cells[0]) or place is None:
        message = f"the row begins with {shown(cells[0])} and {shown(cells[1])}; expected such as 1-1 and 0-3"
        raise InputError(message, line=line_number)
    return TokenRow(line_number, cells[0], int(place[1]), int(place[2]), unescaped(cells[2], java=False), cells[3:])
