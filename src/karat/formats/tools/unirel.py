"""UniRel: triples as printed, ``[[(head, relation, tail), …]]``, one document a line, or recorded CSV files."""

from __future__ import annotations

from collections.abc import Iterator

from karat.errors import InputError
from karat.formats._literals import NotALiteralError, parse_list
from karat.formats._typed_tables import read_table
from karat.formats.base import Format, Problems
from karat.formats.tools import printed, recorded, triples
from karat.formats.tools.base import Records, ToolOptions, checked, has_keys, reader
from karat.formats.tools.draft import Draft, Origin
from karat.formats.tools.triples import Triple
from karat.model import Document

_RAW = "c119_output"
_EXPECTED = "expected [[('HEAD', '/the/relation', 'TAIL'), …]]"


def parse_triples(text: str) -> list[Triple]:
    """Return the triples of a printed list.

    >>> parse_triples("[[('IN', '/location/location/contains', 'ENGINE')]]"), parse_triples("[[]]")
    ([('IN', '/location/location/contains', 'ENGINE')], [])
    """
    try:
        found = parse_list(text)
    except NotALiteralError as error:
        raise InputError(f"the triples cannot be read: {error}; {_EXPECTED}") from error
    return [triple for part in checked(found, list[list[tuple[str, str, str]]], "the triples") for triple in part]


def _builder(options: ToolOptions) -> printed.Build:
    records = Records(options.records)

    def build(name: str, text: str, given: str | None, origin: Origin) -> Document:
        draft = Draft(name, records.text(name, given), origin)
        triples.add(draft, parse_triples(text))
        return draft.document()

    return build


def _native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    return printed.in_lines(path, problems, "output", _builder(options))


def _recorded(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Return the triples as recorded, or what stands in the cells of raw output if that is all there is."""
    table = read_table(path)
    if _RAW in table and "head" not in table:
        return printed.in_cells(table, _RAW, problems, _builder(options))
    return recorded.triples(path, problems, options)


FORMATS = {
    "unirel": Format(
        name="unirel",
        title="UniRel: triples as printed in JSON lines, or as recorded in CSV",
        read=reader(_native, _recorded),
        sniff=lambda head: has_keys(head, "output") and "[[" in head.partition("\n")[0],
        options=ToolOptions,
        layers="mentions, relations",
    )
}
