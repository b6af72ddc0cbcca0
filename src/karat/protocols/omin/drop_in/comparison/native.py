"""Native output of tools made into the rows that the programs read; chains are scored as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from karat.errors import InputError, many
from karat.formats import read
from karat.formats.base import Problems
from karat.formats.typed_tables import TypedTable
from karat.model import Document, Mention
from karat.protocols.omin.drop_in.comparison.results import LABELS, PHRASES, ResultFile

COMPLETE = {"ReFinED": ("refined", "c119_entity_linking")}
"""Tools whose recorded rows are only a part of what was printed, their readers, and the column of what was printed."""
_IDENTIFIER = re.compile(r"Q[0-9]+")
_ONLY_TITLES = "the links are titles and not identifiers, which the gold has; give the recorded CSV file"


def has_more(results: ResultFile) -> bool:
    """Say whether a file of recorded rows has also all that the tool printed."""
    return results.tool in COMPLETE and COMPLETE[results.tool][1] in results.columns


def as_rows(results: ResultFile) -> tuple[ResultFile, str]:
    """Return native entities or links as rows, and why links are not among them.

    Of recorded rows, all that the tool printed is read.
    """
    reader = results.reader or COMPLETE[results.tool][0]
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
