"""Parts shared by the readers of tools: JSON lines, the file of the records, and telling native from recorded files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Problems, Reader, Want
from karat.formats.typed_tables import TypedTable, read_table
from karat.io import STDIN, lines, peek, text_blocks
from karat.model import Document
from karat.settings import choice, option

MAX_JSON = 1 << 28
"""Characters of a file that has to be read as one piece of JSON."""

IDS = ("id", "c5_id", "c5_unique_id", "c5", "doc_key", "doc_id")
TEXTS = ("text", "sample", "c119_input", "c119_text", "c119", "input", "original_sentence")
_KEY = re.compile(r"[^_]*/[0-9]+_([^_]+)(?:_[0-9]+)*")

Native = Callable[[str, Problems, Any], Iterator[Document]]
"""Reads one file: its path, where problems go, and the options of the tool."""


@dataclass(frozen=True)
class ToolOptions:
    """Options for the output of any tool."""

    records: str = option(
        "", "a CSV file with the ids and texts of the records, where the tool does not give them", metavar="FILE"
    )


def conversion(what: str) -> Any:
    """Declare the option that selects all printed items or only those that the published conversion keeps."""
    return choice(
        ("auto", "complete", "published"),
        f"all {what}, or those that the published conversion keeps; auto: all of native output, a CSV file as recorded",
    )


class ToolReader(NamedTuple):
    """The reader of a tool's output: a function, or a class that builds documents from printed output.

    ``sniff`` and ``recorded`` replace the declared ways in which output is recognised and recorded in CSV files.
    """

    native: Any
    options: type[Any] = ToolOptions
    sniff: Callable[[str], bool] | None = None
    recorded: Native | None = None


def reader(native: Native, recorded: Native) -> Reader:
    """Return the reader of a tool, given the functions for native output and for a recorded CSV file."""

    def read(path: str, *, problems: Problems, want: Want, options: Any) -> Iterator[Document]:
        del want
        chosen = recorded if is_table(peek(path)) else native
        seen: set[str] = set()
        bare = 0
        for document in chosen(path, problems, options):
            if document.id in seen:
                message = f"document {shown(document.id)} is there twice; remove one, or join them"
                problems.error(path, None, message)
                continue
            seen.add(document.id)
            document.source = path
            bare += lacks_text(document)
            yield document
        if bare:
            report_bare(path, problems, bare)

    return read


def lacks_text(document: Document) -> bool:
    """Tell whether mentions have no span only because the text is unknown."""
    return not document.text and any(not mention.spans for mention in document.mentions)


def report_bare(path: str, problems: Problems, documents: int) -> None:
    """Report documents without a text."""
    message = f"{many(documents, 'document')} without a text, so mentions have no places"
    problems.repair(path, None, f"{message}; name the file of the records with --read records=FILE")


def is_table(head: str) -> bool:
    """Tell whether a file begins with the header of a recorded CSV file.

    >>> is_table("c5_id,c119_input,corefs"), is_table('{"id": "a", "text": "b"}')
    (True, False)
    """
    first = head.removeprefix("\ufeff").partition("\n")[0]
    names = {name.strip().strip('"') for name in first.split(",")}
    return not first.startswith(("{", "[")) and not names.isdisjoint((*IDS, "index"))


def has_keys(head: str, *keys: str) -> bool:
    """Tell whether the first line is a JSON object with these keys, as far as its beginning shows.

    >>> has_keys('{"id": "a", "ents": [{"start": 0', "ents", "start"), has_keys('["ents"]', "ents")
    (True, False)
    """
    first = head.removeprefix("\ufeff").lstrip().partition("\n")[0]
    return first.startswith("{") and all(re.search(rf'"{re.escape(key)}"\s*:', first) for key in keys)


def json_objects(path: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON object of each line with the line number; any other value is an error."""
    for line_number, line in enumerate(lines(path), start=1):
        content = line.removeprefix("\ufeff").strip()
        if not content:
            continue
        try:
            value = decode(content)
        except InputError as error:
            problems.error(path, line_number, f"{error.message}; expected one JSON object a line")
            continue
        if isinstance(value, dict):
            yield line_number, value
        else:
            problems.error(path, line_number, f"the line holds {kind(value)}; expected a JSON object")


def each_record(path: str, problems: Problems, build: Callable[[dict[str, Any], int], Document]) -> Iterator[Document]:
    """Yield the document that is built from the JSON object of each line; faulty ones are errors."""
    for line, record in json_objects(path, problems):
        with problems.catching(path, line):
            yield build(record, line)


def json_file(path: str) -> Any:
    """Return the content of a file with a single JSON value."""
    blocks: list[str] = []
    size = 0
    for block in text_blocks(path):
        size += len(block)
        if size > MAX_JSON:
            raise InputError(f"the file is longer than {MAX_JSON:,} characters; split it", path=path)
        blocks.append(block)
    return decode("".join(blocks).removeprefix("\ufeff"), path)


def companion(path: str, given: str, name: str, advice: str) -> str:
    """Return the file that belongs to another: the given one, or the one of that name beside it."""
    beside = given or ("" if path == STDIN else str(Path(path).with_name(name)))
    if not beside or not (given or Path(beside).is_file()):
        raise InputError(f"there is no {name} beside it; {advice}", path=path)
    return beside


def decode(content: str, path: str | None = None) -> Any:
    """Return the value of some JSON; unless a path is given, an error has no place yet."""
    try:
        return msgspec.json.decode(content)
    except msgspec.DecodeError as error:
        raise InputError(f"not JSON: {error}", path=path) from error
    except RecursionError as error:
        raise InputError("the JSON is nested too deeply", path=path) from error
    except UnicodeEncodeError as error:
        raise InputError("the JSON holds half a surrogate pair", path=path) from error


def kind(value: Any) -> str:
    """Return what a JSON value is, in words.

    >>> kind([1]), kind("a"), kind(None)
    ('a list', 'a text', 'nothing')
    """
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "nothing"}
    return names.get(type(value), "a number")


def checked(value: Any, shape: Any, what: str, *, path: str | None = None, line: int | None = None) -> Any:
    """Return the value if it has the type; else raise an error that says what was expected, and where."""
    try:
        return msgspec.convert(value, shape, strict=True)
    except msgspec.ValidationError as error:
        reason = str(error).replace(" - at `$", " at `$")
        message = f"{what} cannot be read: {reason[:1].lower()}{reason[1:]}"
        raise InputError(message, path=path, line=line) from error


class DocumentNames:
    """Assigns ids to the documents of a file; those without an id are numbered, which is reported once."""

    def __init__(self, path: str, problems: Problems) -> None:
        self._path, self._problems = path, problems
        self._number = 0
        self._said = False

    def of(self, record: Mapping[str, Any], line: int) -> str:
        """Return the id that a record states, or its number."""
        self._number += 1
        given = next((record[key] for key in IDS if record.get(key) is not None), None)
        if isinstance(given, str | int) and str(given):
            return plain_key(str(given))
        if not self._said:
            self._said = True
            self._problems.repair(self._path, line, "documents without an id are named by their number: 1, 2, …")
        return str(self._number)


def plain_key(key: str) -> str:
    """Return the record id within a document key, or the key unchanged.

    >>> plain_key("faa/0_19800217031649I_0_0"), plain_key("my_doc")
    ('19800217031649I', 'my_doc')
    """
    match = _KEY.fullmatch(key)
    return match[1] if match else key


def text_of(record: Mapping[str, Any]) -> str | None:
    """Return the text that a record states, or None."""
    text = next((record[key] for key in TEXTS if key in record), None)
    if text is not None and not isinstance(text, str):
        raise InputError(f"the text is {kind(text)}; expected a text")
    return text


class Records:
    """The file of the records: texts by id, and ids by row number, for tools that write the latter."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._ids: list[str] = []
        self._texts: dict[str, str] = {}
        if path:
            table = read_table(path)
            ids = column_among(table, IDS)
            texts = column_among(table, TEXTS)
            for name, text in zip(table.column(ids), table.column(texts), strict=True):
                self._ids.append(str(name))
                self._texts.setdefault(str(name), "" if text is None else str(text))

    def text(self, name: str, given: str | None = None) -> str | None:
        """Return the text of a record, or None; raises an error if the file has another text than the tool read.

        Differences of case and trailing blanks are accepted; the text of the file is used.
        """
        recorded = self._texts.get(name)
        if recorded is None or given is None:
            return given if recorded is None else recorded.rstrip()
        if len(recorded.rstrip()) == len(given.rstrip()) and recorded.rstrip().lower() == given.rstrip().lower():
            return recorded.rstrip()
        raise InputError(f"document {shown(name)} has another text than in {self.path}; name the file of its records")

    def name(self, row: int) -> str | None:
        """Return the id of the record in a row, counted from 0; None without a file."""
        if not self.path:
            return None
        if len(self._ids) != len(self._texts):
            message = "records have several rows; the tool names records by row, so name a file with one row for each"
            raise InputError(message, path=self.path)
        if row >= len(self._ids):
            raise InputError(f"there is no row {row} (from 0), which the tool names", path=self.path)
        return self._ids[row]


def column_among(table: TypedTable, names: tuple[str, ...]) -> str:
    """Return the first of the names that is a column of the table, or ``""``."""
    for name in names:
        if name in table:
            return name
    columns = ", ".join(map(repr, table.names[:20]))
    raise InputError(f"there is no column {' or '.join(names)}, only {columns}", path=table.path, line=1)
