"""What the model has no place for in a NAF file, kept as raw cells of the tokens, so that it can be written back.

============  ======================================================================================
column        cell of a token, in JSON; one without anything is empty
============  ======================================================================================
``TERM``      the ids of the terms that it belongs to
``ENTITY``    the entities that begin here as they stand: id, type, targets, references, attributes
``COREF``     the same of the coreference sets
``FORM``      how the file spells it, if not as the text does
``INSIDE``    the text of its subtokens
============  ======================================================================================

Cells are only what they were read from: where the mentions of a document say something else, the mentions count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from karat.errors import InputError
from karat.formats.naf.assembly import Assembly
from karat.formats.naf.layers import Marked
from karat.model import TokenTable

DIALECT = "naf"
TERM, ENTITY, COREF, FORM, INSIDE = "TERM", "ENTITY", "COREF", "FORM", "INSIDE"
_ENCODER = msgspec.json.Encoder()


class Kept(NamedTuple):
    """What the cells of a table say: the tokens of each term by their places, entities and coreference sets."""

    terms: dict[str, list[int]]
    entities: list[Marked]
    coreferences: list[Marked]


def raw_cells(assembly: Assembly) -> dict[str, Sequence[str]]:
    """Return the columns that keep what a file says beyond its mentions."""
    size = len(assembly.tokens)
    terms: list[list[str]] = [[] for _ in range(size)]
    for term in assembly.layers.terms:
        for place in dict.fromkeys(assembly.tokens_of(term) or ()):
            terms[place].append(term)
    columns = {
        TERM: [_json(sorted(names)) for names in terms],
        ENTITY: _begun(assembly, assembly.entities, size),
        COREF: _begun(assembly, assembly.sets, size),
        FORM: [
            _json(token.written) if token.written != form else ""
            for token, form in zip(assembly.tokens, assembly.laid.forms, strict=True)
        ],
        INSIDE: [_json(token.inside) for token in assembly.tokens],
    }
    return {name: cells for name, cells in columns.items() if any(cells)}


def _begun(assembly: Assembly, marks: Iterable[Marked], size: int) -> list[str]:
    """Return for each token what begins there, without the line in the file."""
    begun: list[list[Any]] = [[] for _ in range(size)]
    for mark in marks:
        if mark.spans:
            first = min(place for target in mark.spans[0] for place in assembly.tokens_of(target) or ())
            begun[first].append(mark[:-1])
    return [_json(cell) for cell in begun]


def _json(cell: Any) -> str:
    return _ENCODER.encode(cell).decode() if cell else ""


def kept(table: TokenTable, path: str) -> Kept:
    """Return what the cells of a table from NAF keep; other tables keep nothing.

    >>> kept(TokenTable(["Bern"], {"TERM": ['["t1"]']}, dialect="naf"), "").terms
    {'t1': [0]}
    """
    terms: dict[str, list[int]] = {}
    for place, names in enumerate(cells(table, TERM, list[str], path)):
        for name in names or ():
            terms.setdefault(name, []).append(place)
    marks = [
        [mark for begun in cells(table, name, list[Marked], path) for mark in begun or ()] for name in (ENTITY, COREF)
    ]
    return Kept(terms, marks[0], marks[1])


def cells(table: TokenTable, name: str, kind: Any, path: str) -> list[Any]:
    """Return the decoded cells of a column, ``None`` for empty ones; nothing if there is no such column."""
    if table.dialect != DIALECT:
        return []
    decoder = msgspec.json.Decoder(kind)
    try:
        return [decoder.decode(cell) if cell else None for cell in table.columns.get(name, ())]
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"a cell of the column {name} is not what is kept of NAF: {error}"
        raise InputError(f"{message}; leave the raw cells out", path=path or None) from error
