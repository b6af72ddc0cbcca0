"""Finding the results of a comparison: the CSV files of a folder, and what their columns say they hold.

Native output of tools is made into the rows that the programs read; chains are scored as they are.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError, KaratError, many
from karat.formats import read
from karat.formats.base import Problems
from karat.formats.typed_tables import TypedTable
from karat.io import peek, real_path
from karat.io.archives import bare_name
from karat.model import Document, Mention
from karat.protocols.omin.drop_in.evaluate.tools import tool_of

_MOST_DEEP = 100
"""Folders inside of each other in which results are looked for."""
MAX_FILES = 10_000
"""Files in a folder of results; more are no folder of results."""

IDS = ("c5_id", "c5_unique_id", "c5", "id")
"""The columns in which results may have the ids of documents."""
CHAINS = "corefs"
PHRASES = "mentions"
LABELS = "labels"
TARGETS = {"qids": "", "cross_qid": "crossencoder", "bi_qid": "biencoder"}
"""The columns of identifiers, and whose they are, where a file has several."""
TITLES = {"cross_pred_entity": "crossencoder", "bi_pred_entity": "biencoder"}
"""The columns of linked titles, which the first evaluation took for the entities of BLINK."""
_TRIPLES = ("head", "relation", "tail")
_PRINTED = {"c119_coref", "c119_entity_linking", "c119_output"}
_KEPT = {CHAINS, PHRASES, "entities", "head"}
"""Columns of what a tool printed, and of what was made of it; a file with the first only is native output."""
_COMPLETE = {"ReFinED": ("refined", "c119_entity_linking")}
"""Tools whose recorded rows are only a part of what was printed, their readers, and the column of what was printed."""
_IDENTIFIER = re.compile(r"Q[0-9]+")
_ONLY_TITLES = "the links are titles and not identifiers, which the gold has; give the recorded CSV file"
_NATIVE = (".json", ".jsonl", ".out", ".log", ".txt")


class ResultFile(NamedTuple):
    """A file of results: where it is, its name within the folder, its task, its tool, and its columns.

    Native output has no columns but the name of the reader of the tool, until it is made into rows.
    """

    path: str
    name: str
    task: str
    tool: str
    columns: tuple[str, ...] = ()
    reader: str = ""
    remarks: tuple[str, ...] = ()
    table: TypedTable | None = None

    @property
    def ids(self) -> str:
        """The column of the ids of documents."""
        return next(name for name in IDS if name in self.columns)

    def has(self, names: Collection[str]) -> list[str]:
        """Return those of the names that are columns."""
        return [name for name in names if name in self.columns]


class Skipped(NamedTuple):
    """Results that are not in a table, or not in any if none is named, and why."""

    name: str
    reason: str
    table: str = ""


def find_results(folder: str, leave_out: Collection[str]) -> tuple[list[ResultFile], list[Skipped]]:
    """Return the results of a folder and of those below it, by name, and the files that are none.

    Files and folders whose names begin with a full stop are passed over, and so are the folders to be left out.
    """
    recognised: list[ResultFile] = []
    skipped: list[Skipped] = []
    for path in _files(folder, {real_path(left_out) for left_out in leave_out}):
        name = plain(os.path.relpath(path, folder))
        try:
            recognised.append(_recognise(path, name))
        except InputError as error:
            skipped.append(Skipped(name, reason(error, path)))
    return recognised, skipped


def _files(folder: str, leave_out: Collection[Path]) -> list[str]:
    paths: list[str] = []
    for parent, folders, names in os.walk(folder, onerror=_unreadable):
        folders[:] = sorted(
            name for name in folders if name[0] != "." and real_path(Path(parent, name)) not in leave_out
        )
        paths += (str(Path(parent, name)) for name in sorted(names) if name[0] != ".")
        if parent.count(os.sep) - folder.count(os.sep) > _MOST_DEEP:
            raise InputError(f"more than {_MOST_DEEP} folders are inside of each other", path=folder)
        if len(paths) > MAX_FILES:
            raise InputError(f"there are more than {MAX_FILES:,} files; name the folder of the results", path=folder)
    return paths


def _unreadable(error: OSError) -> None:
    raise InputError(f"the folder cannot be read: {error.strerror}", path=error.filename) from error


def _recognise(path: str, name: str) -> ResultFile:
    """Return the results that a file holds; what is none says why."""
    if not Path(path).is_file():
        raise InputError("is no file that can be read")
    _, ending = bare_name(name)
    if ending in _NATIVE:
        return _native(path, name)
    if ending != ".csv":
        raise InputError("is neither a CSV file nor output of a tool, by its name")
    columns = _header(path)
    if _KEPT.isdisjoint(columns) and not _PRINTED.isdisjoint(columns):
        return _native(path, name)
    task = _task(columns)
    if not any(name in columns for name in IDS):
        raise InputError(f"has no column of ids; expected one of {', '.join(IDS)}")
    tool = tool_of(name, task)
    return ResultFile(path, name, task, tool.name if tool else Path(name).parent.name or Path(name).stem, columns)


def _native(path: str, name: str) -> ResultFile:
    """Return the native output of a tool, which its folder or its name says."""
    tool = next((known for task in ("NER", "CR", "NEL") if (known := tool_of(name, task))), None)
    if tool is None:
        raise InputError("names no tool whose entities, links or chains could be read from what it printed")
    return ResultFile(path, name, tool.task, tool.name, reader=tool.reader)


def _header(path: str) -> tuple[str, ...]:
    first = peek(path).removeprefix("\ufeff").partition("\n")[0]
    if not first.strip():
        raise InputError("is empty; expected a CSV file with a header")
    try:
        return tuple(next(csv.reader([first])))
    except csv.Error as error:
        raise InputError(f"has a header that cannot be read: {error}") from error


def _task(columns: Collection[str]) -> str:
    if CHAINS in columns:
        return "CR"
    if all(name in columns for name in _TRIPLES):
        raise InputError("holds relations, which OMIn has rated by hand and not automatically")
    if any(name in columns for name in TITLES) or (PHRASES in columns and any(name in columns for name in TARGETS)):
        return "NEL"
    if "entities" in columns:
        return "NER"
    shown = ", ".join(plain(name) for name in list(columns)[:8])
    raise InputError(f"has no column of entities, linked mentions or chains, only {shown[:200]}")


def has_more(results: ResultFile) -> bool:
    """Return whether a file of recorded rows has also all that the tool printed."""
    return results.tool in _COMPLETE and _COMPLETE[results.tool][1] in results.columns


def as_rows(results: ResultFile) -> tuple[ResultFile, str]:
    """Return native entities or links as rows, and why links are not among them.

    Of recorded rows, all that the tool printed is read.
    """
    reader = results.reader or _COMPLETE[results.tool][0]
    options = {} if results.reader else {"conversion": "complete"}
    problems = Problems()
    documents = list(read(results.path, reader, problems=problems, options=options))
    if not documents:
        raise InputError("has no documents")
    linking = results.task == "NEL"
    columns = ("c5_id", PHRASES, "qids") if linking else ("c5_id", "entities", LABELS)
    rows = list(_rows(documents, linking=linking))
    table = TypedTable(results.path, columns, rows, [None] * len(rows))
    remarks = (*results.remarks, *_remarks(results, documents, problems.repairs))
    titles = linking and _has_only_titles(documents)
    known = columns[:2] if titles else columns
    return results._replace(columns=known, reader="", remarks=remarks, table=table), _ONLY_TITLES if titles else ""


def _remarks(results: ResultFile, documents: Iterable[Document], repairs: int) -> Iterator[str]:
    if not results.reader:
        yield "all that was printed in its rows is read; records of which no row was kept are lost"
    if repairs:
        yield f"{many(repairs, 'repair')} while reading; see karat validate"
    if any(mention.attributes.get("phrase") == "unknown" for document in documents for mention in document.mentions):
        yield "the output does not say which words are linked; titles stand for them"


def _rows(documents: Iterable[Document], *, linking: bool) -> Iterator[list[str]]:
    for document in documents:
        for mention in document.mentions:
            phrase = str(mention.attributes.get("given", mention.text))
            if phrase:
                yield [document.id, phrase, _target(mention) if linking else "".join(mention.labels[:1])]


def _target(mention: Mention) -> str:
    """Return the identifier that a mention is linked to, if it is one."""
    return next((link.target for link in mention.links if _IDENTIFIER.fullmatch(link.target)), "")


def _has_only_titles(documents: Iterable[Document]) -> bool:
    links = [link.target for document in documents for mention in document.mentions for link in mention.links]
    known = [target for target in links if target != "NIL"]
    return bool(known) and not any(map(_IDENTIFIER.fullmatch, known))


def reason(error: KaratError, path: str) -> str:
    """Return what an error says, on the results at a path: with the line, and with the file if it is another."""
    if not isinstance(error, InputError) or error.path not in (None, path):
        return plain(str(error))
    return plain(error.message if error.line is None else f"line {error.line}: {error.message}")


def plain(text: str) -> str:
    """Return a text that can be shown and written anywhere: on one line, all characters printable."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
