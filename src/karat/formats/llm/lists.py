"""Answers in lines: Markdown tables, ``name (TYPE)`` lists, ``TYPE: a, b`` lines, and triples in brackets.

The text decides which side of a line is the name: names occur in it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from karat.annotations.location import Haystack
from karat.errors import many
from karat.formats.llm.json import Value

_BULLET = re.compile(r"(?:[-*+•–‣]|\(?[0-9]{1,4}[.):])\s+")
_BOLD = re.compile(r"\*\*|__|`|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_ALL_BOLD = re.compile(r"(\*\*|__)[^*_]+\1:?")
_RULE = re.compile(r":?-{2,}:?|:?-:?")
_NAMED = re.compile(r"\s*([^()]+?)\s*[(\[]\s*([^()\[\]]{1,80}?)\s*[)\]]\s*[,;.]?")
_BETWEEN = re.compile(r" ?: ?| [-–—=]+>? | ?→ ?| \| ")
_TRIPLE = re.compile(r"\s*[(\[<]([^()\[\]<>]+)[)\]>]\s*[,;.]?")
_TOKEN = re.compile(r"(\S+)[ \t]+(O|[BIESLU]-\S+)")
_KEY = re.compile(r"\s*(-\s+)?([A-Za-z]\w{1,20}):\s+(.*\S)\s*")
_BROKEN = re.compile(r"\s*(?:\[\s*)?\{")
"""The beginning of an object, or of a list of objects: what could not be read as JSON is nothing else."""
_CAPITALS = re.compile(r"[A-Z][A-Z0-9_/&-]*")
_NO_TYPE = re.compile(
    r"(?i)(?:the |named |extracted )*"
    r"(?:entit\w*|mentions?|names?|answers?|outputs?|results?|relations?|triples?|notes?|text)"
)
_SECTION = re.compile(r"(?i)(?:the |named |extracted )*(?:entities|mentions|(relations(?:hips)?|triples|triplets)) ?: ")
"""The beginning of a line that says what follows on it: mentions, or relations."""
_BETWEEN_ENDS = re.compile(r" ?-+> ?| ?→ ?| [-–—] ")
_APPLIED = re.compile(r"([^(),]+)\(([^(),]+),([^(),]+)\)")
_NONE = re.compile(r"(?i)\W{0,9}(?:none|nothing(?: was)?|n/a|null|nil|empty|no results?|no)(?: found| here)?\W{0,9}")
_NO_ITEMS = re.compile(
    r"(?i)\b(?:no|zero|not (?:\w+ ){0,2}any|n't (?:\w+ ){0,2}any|without any|none of the)\b"
    r"[^.\n]{0,60}\b(?:entit(?:y|ies)|mentions?|names?|relations?(?:hips?)?|triples?|triplets?)\b"
)
_CANNOT = re.compile(r"(?i)\b(?:sorry|unable|can ?not|can.t|won.t|could ?n.t|decline|apologi[sz]e)\b")
_NUMBERS = ("start", "end")
_LONGEST_LINE = 2000
_LONGEST_NONE = 400
_HEADERS = {"entity": "text", "entities": "text", "name": "text", "mention": "text", "text": "text", "span": "text"}
_HEADERS |= {"type": "type", "label": "type", "category": "type", "class": "type", "entity type": "type"}
_HEADERS |= {"head": "head", "subject": "head", "tail": "tail", "object": "tail", "relation": "relation"}
_HEADERS |= {"predicate": "relation", "relationship": "relation", "start": "start", "end": "end"}


class _Line(NamedTuple):
    """A line without bullet and emphasis, whether it had a bullet, is a heading, or is one by emphasis only."""

    content: str
    is_item: bool
    is_heading: bool
    is_bold: bool = False


def is_none(answer: str) -> bool:
    """Tell whether an answer says in words that there are no annotations, in contrast to a refusal.

    >>> is_none("There are no named entities."), is_none("None."), is_none("I'm sorry, I can't do that.")
    (True, True, False)
    """
    if len(answer) > _LONGEST_NONE or _CANNOT.search(answer):
        return False
    return _NONE.fullmatch(answer) is not None or _NO_ITEMS.search(answer) is not None


def items_of(answer: str, names: Haystack) -> Value | None:
    """Return the items in the lines of an answer, in the shape of JSON; None if there are none.

    >>> items_of("- Ada (PER)", Haystack("Ada left")).content, items_of("(Ada, met, Bo)", Haystack("")).content
    ([{'text': 'Ada', 'type': 'PER'}], [['Ada', 'met', 'Bo']])
    """
    if _BROKEN.match(answer):
        return None
    lines = [line for line in answer.splitlines() if line.strip() and len(line) <= _LONGEST_LINE]
    rows = [_cells(line) for line in lines if line.strip().startswith("|") and line.count("|") > 2]
    if len(rows) > 1 and all(map(_RULE.fullmatch, rows[1])):
        return Value(list(_table(rows)))
    tokens = [_TOKEN.fullmatch(line.strip()) for line in lines]
    if len(lines) > 1 and all(tokens):
        return Value([[token[1], token[2]] for token in tokens if token])
    if (objects := _values(lines) or _objects(lines)) is not None:
        return Value(objects)
    items: list[Any] = []
    heading = ""
    empty = 0
    for line in map(_plain, lines):
        items_before = len(items)
        section = _SECTION.match(line.content)
        content = line.content[section.end() :] if section else line.content
        if (triples := _triples(content)) is not None:
            items += triples
        elif section and section[1]:
            items += _relations(content)
        elif section and _NAMED.match(content):
            items += _line_items(line._replace(content=content), heading, names)
        elif line.is_heading and not (line.is_bold and names.has(line.content)):
            heading = "" if _NO_TYPE.fullmatch(line.content) else line.content
        else:
            items += _line_items(line, heading, names)
        empty += line.is_item and len(items) == items_before and not is_none(line.content)
    left = f"{many(empty, 'line')} of the list {'names' if empty == 1 else 'name'} nothing that is read; left out"
    return Value(items, (left,) if empty else ()) if items else None


def _values(lines: list[str]) -> list[dict[str, Any]] | None:
    """Return the rows of comma-separated values, if the first line names the columns."""
    names = [name.strip().lower() for name in lines[0].split(",")] if lines else []
    if len(names) < 2 or not all(name in _HEADERS for name in names):
        return None
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True)]
    return list(_table([rows[0], [], *rows[1:]]))


def _objects(lines: list[str]) -> list[dict[str, Any]] | None:
    """Return the objects of ``key: value`` lines, as in YAML; a dash, or a repeated key, begins a new object."""
    objects: list[dict[str, Any]] = []
    for index, line in enumerate(lines):
        part = _KEY.fullmatch(line)
        if part is None and not index and line.rstrip().endswith(":"):
            continue
        name = "" if part is None else _HEADERS.get(part[2].lower(), "")
        if part is None or not name:
            return None
        if part[1] or not objects or name in objects[-1]:
            objects.append({})
        value = _bare(part[3])
        objects[-1][name] = int(value) if name in _NUMBERS and value.isdecimal() else value
    return objects if objects and all(len(item) > 1 for item in objects) else None


def _cells(line: str) -> list[str]:
    return [_BOLD.sub("", cell).strip() for cell in line.strip().strip("|").split("|")]


def _table(rows: list[list[str]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as objects; columns without a known name are text and type, by position."""
    names = [_HEADERS.get(cell.lower(), "") for cell in rows[0]]
    if not {"text", "head"} & set(names):
        names = ["text", "type", *names[2:]][: len(names)]
    for row in rows[2:]:
        cells = {name: cell for name, cell in zip(names, row, strict=False) if name and cell}
        yield {name: int(cell) if name in _NUMBERS and cell.isdecimal() else cell for name, cell in cells.items()}


def _plain(line: str) -> _Line:
    content = " ".join(line.strip().replace("\t", " | ").split())
    hashes = content.startswith("#")
    bullet = _BULLET.match(content)
    content = content[bullet.end() :] if bullet else content.lstrip("# ")
    content = _BOLD.sub("", content).strip()
    is_short = len(content.split()) <= 3
    names_type = content.endswith(":") and is_short
    is_bold = bullet is None and is_short and _ALL_BOLD.fullmatch(line.strip()) is not None
    heads = hashes or names_type
    content = content.removesuffix(":") if names_type else content
    return _Line(content, bullet is not None, heads or is_bold, is_bold and not heads)


def _triples(content: str) -> list[list[str]] | None:
    """Return the triples of a line that has nothing else."""
    bars = [part.strip() for part in content.split(" | ")]
    if len(bars) == 3 and all(bars) and not content.startswith(("(", "[", "<")):
        return [bars]
    triples, offset = [], 0
    while match := _TRIPLE.match(content, offset):
        offset = match.end()
        parts = next((match[1].split(sign) for sign in ";|," if match[1].count(sign) == 2), [])
        if len(parts) != 3 or not all(map(str.strip, parts)):
            return None
        triples.append([part.strip().strip("\"'") for part in parts])
    return triples if triples and offset == len(content) else None


def _relations(content: str) -> Iterator[Any]:
    """Yield the relations that a line lists, with arrows or dashes between their parts, or as ``met(Ada, Bo)``.

    Any other part is yielded as a relation without an end, so that it is reported.
    """
    if is_none(content):
        return
    for part in filter(None, re.split(r"; ?|(?<=\)), ?", content.rstrip("."))):
        applied = _APPLIED.fullmatch(part)
        ends = [applied[2], applied[1], applied[3]] if applied else _BETWEEN_ENDS.split(part)
        whole = len(ends) == 3 and all(map(str.strip, ends))
        yield [_bare(end) for end in ends] if whole else {"head": part, "tail": ""}


def _line_items(line: _Line, heading: str, names: Haystack) -> Iterator[dict[str, str]]:
    """Yield the mentions of a line: names with types, a type with names, or a name in the list below a type."""
    named, offset = [], 0
    while match := _NAMED.match(line.content, offset):
        named.append((match[1].lstrip(",; "), match[2]))
        offset = match.end()
    if named and offset == len(line.content):
        for name, label in named:
            if line.is_item or _CAPITALS.fullmatch(label) or names.has(name):
                yield {"text": _bare(name), "type": label}
        return
    between = _BETWEEN.search(line.content, 1)
    if between is not None and between.end() < len(line.content):
        left, right = line.content[: between.start()], line.content[between.end() :]
        yield from _pair_items(_bare(left), right, line, names)
    elif line.is_item and (heading or names.has(_bare(line.content))):
        yield {"text": _bare(line.content), **({"type": heading} if heading else {})}


def _pair_items(left: str, right: str, line: _Line, names: Haystack) -> Iterator[dict[str, str]]:
    """Yield the mentions of a line with two sides: a name and its type, or a type and its names."""
    several = [_bare(part) for part in re.split("[,;]", right) if part.strip()]
    if names.has(left):
        is_type = False
    elif any(map(names.has, several)):
        is_type = True
    elif line.is_item or _CAPITALS.fullmatch(left) or _CAPITALS.fullmatch(right):
        is_type = _CAPITALS.fullmatch(left) is not None and _CAPITALS.fullmatch(right) is None
    else:
        return
    if not is_type:
        yield {"text": left, "type": _bare(right)}
        return
    for name in several:
        if not _NONE.fullmatch(name):
            yield {"text": name, "type": left}


def _bare(name: str) -> str:
    """Return a name without surrounding quotes."""
    name = name.strip()
    return name[1:-1] if len(name) > 2 and name[0] in "\"'“‘" and name[-1] in "\"'”’" else name
