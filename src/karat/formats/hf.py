"""Hugging Face data sets as Parquet or Arrow files: tokens with a column of tags, or a text with spans.

Tags are mostly numbers, whose names are in the metadata that ``datasets`` writes; numbers without names are refused,
not guessed. ``datasets`` itself is not required.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tag_schemes import OUTSIDE, decode, guess_scheme
from karat.errors import InputError, many
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.arrow import ARROW, PARQUET, STREAM, ArrowTable, open_table, table_of
from karat.formats.parts.assembly import Assembly, SentenceWords
from karat.formats.parts.json_items import read_as, texts_of
from karat.formats.parts.offset_units import Offsets, check_stated
from karat.model import Document
from karat.settings import option

_TOKENS, _SPANS = ("tokens", "words"), ("spans", "entities")
_PLACE = frozenset(("start", "end", "label"))
_IGNORED = -100
_PREFIXED = re.compile(r"[BIELSU]-.")

DataRow = dict[str, Any]


class _Span(msgspec.Struct):
    start: int
    end: int
    label: str | int


@dataclass(frozen=True)
class HfOptions:
    """Which column has the tags, and the names of its numbers."""

    tags: str = option("", "the column of tags, if there are several", metavar="COLUMN")
    names: str = option("", "what the numbers of tags mean, from 0 on, with commas between", metavar="NAMES")


def read(path: str, *, problems: Problems, want: Want, options: HfOptions) -> Iterator[Document]:
    """Yield a document for each row; a faulty row or a repeated id is an error."""
    del want
    with problems.catching(path), open_table(path) as table:
        yield from _read(path, table, problems, options)


def read_objects(objects: Any, *, problems: Problems, want: Want, options: HfOptions) -> Iterator[Document]:
    """Yield a document for each row of a ``Dataset``."""
    del want
    yield from _read("objects", table_of(objects), problems, options)


def _read(path: str, table: ArrowTable, problems: Problems, options: HfOptions) -> Iterator[Document]:
    tags = _tags(table, options)
    build = partial(_tagged, tags) if tags else _spanned(table, options)
    taken: set[str] = set()
    for position, row in enumerate(table.rows, start=1):
        name = str(position if row.get("id") is None else row["id"])
        if name in taken:
            problems.error(path, None, f"document {shown(name)} is there twice; remove one")
            continue
        taken.add(name)
        with problems.catching(path, of=f"document {shown(name)}: "):
            document = build(name, row)
            document.source = path
            yield document
    if tags and (message := tags.report()):
        problems.repair(path, None, message)


class _Tags:
    """A column of tags with its tokens, and the problems to report about it."""

    def __init__(self, tokens: str, column: str, names: list[str] | None) -> None:
        self.tokens, self.column, self.names = tokens, column, names
        self.bare = None if names is None else not any(map(_PREFIXED.match, names))
        """Whether labels stand alone, without a prefix; not known before the first of tags that are texts."""
        self.ignored = self.broken = 0

    def texts(self, tags: list[Any]) -> list[str]:
        """Return the tags of a row with their prefixes."""
        texts = [self._text(tag) for tag in tags]
        labelled = [text for text in texts if text != OUTSIDE]
        if self.bare is None and labelled:
            self.bare = not any(map(_PREFIXED.match, labelled))
        return [text if text == OUTSIDE or not self.bare else f"I-{text}" for text in texts]

    def _text(self, tag: Any) -> str:
        if tag == _IGNORED:
            self.ignored += 1
            return OUTSIDE
        if self.names is None:
            return str(tag or OUTSIDE)
        return _named(tag, self.names, self.column)

    def report(self) -> str:
        """Return a sentence on what was read differently from how it is written, or ``""``."""
        parts = []
        if self.ignored:
            verb = "is" if self.ignored == 1 else "are"
            parts.append(f"{many(self.ignored, 'tag')} {verb} -100, which training ignores; read as O")
        if self.bare:
            parts.append(f"the names of {self.column} have no B- and I-: neighbours of one label are one mention")
        if self.broken:
            parts.append(f"{many(self.broken, 'tag')} of {self.column} read as conlleval does, outside of any scheme")
        return "; ".join(parts)


def _named(tag: int | None, names: list[str], column: str) -> str:
    if tag is None or not 0 <= tag < len(names):
        raise InputError(f"the tag {tag} of {column} has no name; there are {len(names)}, from 0 on")
    return names[tag]


def _tags(table: ArrowTable, options: HfOptions) -> _Tags | None:
    """Return the tag column: the one the options name, the only one with names, or the only one."""
    tokens = next((name for name in _TOKENS if name in table.names), "")
    if not tokens:
        return None
    known = _class_names(table)
    held = {column.name: column.holds for column in table.lists if column.holds in ("text", "number")}
    columns = [name for name in held if name != tokens]
    choice = [options.tags] if options.tags in columns else [name for name in columns if name in known] or columns
    if len(choice) != 1 or (options.tags and choice != [options.tags]):
        listed = ", ".join(map(shown, choice)) or "missing"
        raise InputError(f"the columns of tags beside {tokens!r} are {listed}; name one with --read tags=COLUMN")
    (column,) = choice
    if held[column] == "text":
        return _Tags(tokens, column, None)
    return _Tags(tokens, column, _names(column, known, options))


def _names(column: str, known: dict[str, list[str]], options: HfOptions) -> list[str]:
    """Return the names of a column's numbers, from the options or else from the file."""
    names = [name.strip() for name in options.names.split(",")] if options.names else known.get(column)
    if not names:
        advice = "say what they mean with --read names=O,B-PER,…"
        raise InputError(f"the tags of the column {column!r} are numbers without names; {advice}")
    return names


def _class_names(table: ArrowTable) -> dict[str, list[str]]:
    """Return the names of classes by column, as written by any version of ``datasets``."""
    try:
        features = msgspec.json.decode(table.metadata)["info"]["features"] if table.metadata else {}
        parts = {name: _inner(feature) for name, feature in features.items()}
        labels = {name: _inner(part.get("label", part)) for name, part in parts.items()}
        named = {name: label["names"] for name, label in labels.items() if label.get("names")}
        return msgspec.convert(named, dict[str, list[str]])
    except (msgspec.MsgspecError, RecursionError, LookupError, TypeError, AttributeError) as error:
        message = "what stands under 'huggingface' beside the columns is not as datasets writes it"
        raise InputError(f"{message}: {error}") from error


def _inner(feature: Any) -> Any:
    """Return the feature of a list's elements, in any version's form; other features are returned unchanged."""
    part = feature[0] if isinstance(feature, list) else feature
    return part.get("feature", part)


def _tagged(tags: _Tags, name: str, row: DataRow) -> Document:
    forms, given = [form or "" for form in row[tags.tokens] or []], row[tags.column] or []
    if len(forms) != len(given):
        raise InputError(f"it has {many(len(forms), 'token')} and {many(len(given), 'tag')}")
    words = SentenceWords([forms], "hf")
    assembly = Assembly(name, words.text, words.table, _metadata(row, tags.tokens, tags.column))
    texts = tags.texts(given)
    chunks, broken = decode(texts, "IOB1" if tags.bare else guess_scheme([texts]))
    tags.broken += len(broken)
    for chunk in chunks:
        assembly.mention([words.span(chunk.start, chunk.end)], (chunk.label,))
    return assembly.document


def _metadata(row: DataRow, *read: str) -> dict[str, str]:
    """Return the other columns of a row; values that JSON lacks, such as dates, as Python prints them."""
    plain = msgspec.to_builtins(row, enc_hook=str, str_keys=True)
    return texts_of(plain, ("id", *read))


def _spanned(table: ArrowTable, options: HfOptions) -> Callable[[str, DataRow], Document]:
    """Return a function that makes a document of a row with a text and spans in characters."""
    columns = [column.name for column in table.lists if column.name in _SPANS and _PLACE.issubset(column.holds)]
    if len(columns) != 1 or "text" not in table.names:
        listed = ", ".join(map(shown, table.names))
        raise InputError(f"the columns are {listed}; expected 'tokens' and a column of tags, or 'text' and 'spans'")
    (column,) = columns
    known = _class_names(table)

    def build(name: str, row: DataRow) -> Document:
        text = read_as(row["text"], str)
        assembly = Assembly(name, text, metadata=_metadata(row, "text", column))
        offsets = Offsets(text)
        for values in _structures(row[column] or []):
            span = read_as(values, _Span)
            label = span.label
            if isinstance(label, int):
                label = _named(label, _names(column, known, options), column)
            place = offsets.span(span.start, span.end)
            check_stated(text, place, values.get("text"))
            assembly.mention([place], (label,), attributes=texts_of(values, _PLACE))
        return assembly.document

    return build


def _structures(value: list[DataRow] | dict[str, list[Any]]) -> list[DataRow]:
    """Return a list of structures, even if it is stored as a structure of lists.

    >>> _structures({"start": [0, 4], "label": ["PER", "LOC"]})
    [{'start': 0, 'label': 'PER'}, {'start': 4, 'label': 'LOC'}]
    """
    if isinstance(value, list):
        return value
    lists = [values or [] for values in value.values()]
    if len(set(map(len, lists))) > 1:
        raise InputError(f"the lists of {', '.join(map(shown, value))} differ in length: {[*map(len, lists)]}")
    return [dict(zip(value, values, strict=True)) for values in zip(*lists, strict=True)]


def sniff_bytes(head: bytes) -> bool:
    """Tell whether a file begins as Parquet and Arrow files do.

    >>> sniff_bytes(b"PAR1"), sniff_bytes(b"ARROW1"), sniff_bytes(b"PK")
    (True, True, False)
    """
    return head.startswith((PARQUET, ARROW, STREAM))


FORMAT = Format(
    name="hf",
    title="data sets of Hugging Face: Parquet or Arrow files with tokens and tags, or with spans",
    known_by="the first bytes of Parquet or Arrow files",
    read=read,
    read_objects=read_objects,
    sniff_bytes=sniff_bytes,
    suffixes=(".parquet", ".arrow"),
    options=HfOptions,
    layers="mentions with one span and one label, tokens, metadata",
)
