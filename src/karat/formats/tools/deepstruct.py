"""DeepStruct: one line a document, ``( head ; relation ; tail ) ( … )``, or recorded CSV files.

A line without triples is a document without relations. Records are named by the number of their line, from 0; with the
file of the records they get their ids and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.files import lines
from karat.formats.base import Problems
from karat.formats.tools.base import Records, ToolOptions
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document

Triple = tuple[str, str, str]
_FIRST = re.compile(r"\s*\( [^;()]{1,200} ; [^;()]{1,200} ; ")


def parse_triples(line: str) -> list[Triple]:
    """Return the triples of a line; brackets inside of their parts are taken away, as the model puts them anywhere.

    >>> parse_triples(" ( RYAN ; place lived ; NASHVILLE ) ( RYAN ; company ; PIS - 1 )")
    [('RYAN', 'place lived', 'NASHVILLE'), ('RYAN', 'company', 'PIS - 1')]
    """
    triples: list[Triple] = []
    for triple in line.strip().split(") (") if line.strip() else ():
        parts = [part.strip() for part in triple.replace("(", "").replace(")", "").split(";")]
        if len(parts) != 3:
            raise InputError(
                f"the triple {shown(triple.strip())} has {len(parts)} parts; expected head ; relation ; tail"
            )
        triples.append((parts[0], parts[1], parts[2]))
    return triples


def native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of native output."""
    records = Records(options.records)
    for index, line in enumerate(lines(path)):
        with problems.catching(path, index + 1):
            name = records.name(index) or str(index)
            draft = Draft(name, records.text(name), Origin(path, index + 1, problems))
            for triple in parse_triples(line):
                draft.triple(*triple)
            yield draft.document()


def sniff(head: str) -> bool:
    """Say whether a file begins as the output of the tool does."""
    return _FIRST.match(head) is not None
