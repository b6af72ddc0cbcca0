"""The first OMIn program about named entities, ``ner_eval.py``: entities as texts, document by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from karat.errors import many
from karat.formats._omin_cells import shown
from karat.formats._typed_tables import Cell, Table, read_table
from karat.measures.published import whole_zero_prf
from karat.protocols.omin.drop_in import printing
from karat.protocols.omin.drop_in.report import Report
from karat.protocols.omin.texts import Meetings, as_published, one_to_one


class Request(NamedTuple):
    """What the first program is asked: the files, the columns of the results, and whether matches must be exact."""

    results: str
    gold: str
    id_column: str = "c5_id"
    entity_column: str = "entities"
    strict: bool = False
    corrected: bool = False


def evaluate_phrases(request: Request) -> Report:
    """Score entities as texts, and return the first program's table."""
    gold, system = read_table(request.gold), read_table(request.results)
    sides = by_document(gold, "id", "entities"), by_document(system, request.id_column, request.entity_column)
    tool = printing.tool_name(request.results)
    right: tuple[str, ...] = ("exact",) if request.strict else ("exact", "contained")
    remarks: list[str] = []
    if request.corrected:
        counted = [one_to_one(*pair) for pair in _gold_documents(sides, remarks)]
        found, wrong, missed = _add(counted, right)
    else:
        _refuse_odd_cells(gold, system, sides, strict=request.strict)
        documents = [key for key in (*sides[0], *sides[1]) if key is not None]
        pairs = [(_texts(sides[0].get(key)), _texts(sides[1].get(key))) for key in dict.fromkeys(documents)]
        pairs += [(_texts(sides[0].get(None)), []), ([], _texts(sides[1].get(None)))]
        found, wrong, missed = _add((as_published(*pair) for pair in pairs), right)
        missed += _odd(sides[0])
        wrong += _odd(sides[1])
    return Report(printing.seed_ner(tool, whole_zero_prf(found, found + wrong, found + missed)), tuple(remarks))


Rows = list[tuple[int, Cell]]
"""The cells of a document, each with its row."""


def by_document(table: Table, id_column: str, column: str) -> dict[Cell, Rows]:
    """Return the cells of a column by the id of their document, in file order."""
    found: dict[Cell, Rows] = {}
    advice = "name another one with -i or -e"
    for row, cell in enumerate(zip(table.column(id_column, advice), table.column(column, advice), strict=True)):
        found.setdefault(cell[0], []).append((row, cell[1]))
    return found


def _texts(rows: Rows | None) -> list[str]:
    return [cell for _, cell in rows or () if isinstance(cell, str)]


def _odd(side: Mapping[Cell, Rows]) -> int:
    return sum(not isinstance(cell, str) for rows in side.values() for _, cell in rows)


def _refuse_odd_cells(
    gold: Table, system: Table, sides: tuple[dict[Cell, Rows], dict[Cell, Rows]], *, strict: bool
) -> None:
    """Stop where the program stops: at an entity that is missing or a number, if it has to be compared."""
    for key, rows in sides[0].items():
        others = [] if key is None else sides[1].get(key, [])
        compared = [(system, row) for row in others]
        compared += [(gold, row) for row in rows if others and not strict]
        for table, (row, cell) in compared:
            if not isinstance(cell, str):
                advice = "fill it in, take the row out, or choose --profile corrected, which passes over it"
                raise table.fault(row, f"the entity is {shown(cell)}, where the published program stops; {advice}")


def _gold_documents(
    sides: tuple[dict[Cell, Rows], dict[Cell, Rows]], remarks: list[str]
) -> Iterable[tuple[list[str], list[str]]]:
    """Return the texts of the gold documents on both sides, and remark on what is passed over."""
    surplus = [rows for key, rows in sides[1].items() if key is None or key not in sides[0]]
    if surplus:
        remarks.append(f"passed over {many(sum(map(len, surplus)), 'row')} of documents that the gold lacks")
    for name, number in (("gold", _odd(sides[0])), ("result", _odd({key: sides[1].get(key, []) for key in sides[0]}))):
        if number:
            remarks.append(f"passed over {many(number, f'{name} row')} without an entity")
    return [(_texts(rows), [] if key is None else _texts(sides[1].get(key))) for key, rows in sides[0].items()]


def _add(counted: Iterable[Meetings], right: Collection[str]) -> tuple[int, int, int]:
    """Return how many gold texts are met, system texts are not, and gold texts are not."""
    gold: Counter[bool] = Counter()
    system: Counter[bool] = Counter()
    for one in counted:
        gold.update(meeting in right for meeting in one.gold)
        system.update(meeting in right for meeting in one.system)
    return gold[True], system[False], gold[False]
