"""The later OMIn program about named entities, ``ner_semeval.py``: entities as labelled spans of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from karat.errors import InputError, many
from karat.formats._omin_cells import shown
from karat.formats._omin_locating import NOWHERE, Words, glue_possessive, locate
from karat.formats._omin_tokens import read_tokens
from karat.formats._typed_tables import Cell, Table, read_table
from karat.measures.published import whole_zero_f1
from karat.model import Span
from karat.protocols.omin.drop_in import printing
from karat.protocols.omin.drop_in.printing import Prf
from karat.protocols.omin.drop_in.report import Report
from karat.protocols.omin.schemes import (
    CASES,
    CORRECT,
    DUMMY,
    PARTIAL,
    REGIMES,
    SHORTER,
    TYPE_SETS,
    Entity,
    Verdict,
    among,
    in_published_order,
    judge_one_to_one,
    judge_published,
)

_IDS = ("c5_unique_id", "c5_id", "id")
"""The columns in which results may have the ids of documents."""


class Request(NamedTuple):
    """What the later program is asked: the files, the set of types, and whether types are compared."""

    results: str
    gold: str
    tokens: str
    type_set: str
    untyped: bool = False
    corrected: bool = False


class Judged(NamedTuple):
    """The entities of a gold document, as they are compared, and the verdicts on them."""

    id: str
    gold: list[Entity]
    system: list[Entity]
    verdicts: list[Verdict]


class SpanResult(NamedTuple):
    """The judged documents, precision, recall and F1 by regime, and both sides for warnings."""

    documents: list[Judged]
    scores: dict[str, Prf]
    gold: _Side
    system: _Side


def evaluate_spans(request: Request) -> Report:
    """Score entities as labelled spans of tokens, and return the later program's table."""
    tool = printing.tool_name(request.results)
    documents, results, gold, system = span_results(request)
    table = (printing.untyped_ner if request.untyped else printing.typed_ner)(tool, results)
    if request.corrected:
        lost = sum(one[1:] == NOWHERE for document in documents for one in (*document.gold, *document.system))
        remarks = [*gold.remarks, *system.remarks, *([f"{many(lost, 'mention')} not in the tokens"] if lost else [])]
        return Report(table, tuple(remarks))
    unlocated = [
        [side.all_rows[document.id][index] for document in documents for index in _lost(document, side is gold)]
        for side in (gold, system)
    ]
    return Report("".join(map(printing.unlocated, unlocated)) + table)


def _lost(document: Judged, gold: bool) -> list[int]:
    """Return the indices of the entities that are not in the tokens."""
    entities = document.gold if gold else document.system
    return [index for index, entity in enumerate(entities) if entity.start == NOWHERE[0]]


def span_results(request: Request) -> SpanResult:
    """Locate and judge the entities of every gold document, and score them."""
    tokens = read_tokens(request.tokens)
    gold = _Side.of_gold(read_table(request.gold), request)
    system = _Side.of_results(read_table(request.results), request)
    documents = judged_documents(gold, system, tokens, request)
    counts = Counter(verdict.case for one in documents for verdict in one.verdicts)
    return SpanResult(documents, {regime: regime_scores(counts, regime) for regime in REGIMES}, gold, system)


def regime_scores(counts: Mapping[str, int], regime: str) -> Prf:
    """Return precision, recall and F1 of counted cases under a regime."""
    total = sum(counts.get(case, 0) for case in CASES)
    correct = sum(counts.get(case, 0) for case in CORRECT[regime])
    half = sum(counts.get(case, 0) for case in PARTIAL.get(regime, ()))
    credit = correct + 0.5 * half if regime in ("partial", "type") else correct
    actual, possible = total - counts.get("missed", 0), total - counts.get("spurious", 0)
    precision = credit / actual if actual else 0
    recall = credit / possible if possible else 0
    return precision, recall, whole_zero_f1(precision, recall)


class _Side:
    """The entities and labels of one side by document: those of complete rows, and of all rows for the warnings."""

    def __init__(
        self, table: Table, ids: Sequence[Cell], entities: Sequence[Cell], labels: Sequence[Cell], request: Request
    ) -> None:
        self.ids = list(dict.fromkeys(ids))
        self.all_rows: dict[Cell, list[Cell]] = {}
        self.rows: dict[Cell, list[tuple[str, Cell]]] = {}
        self.remarks: list[str] = []
        needed = [request.untyped or label is not None for label in labels] if request.corrected else table.complete()
        dropped = 0
        for key, entity, label, kept in zip(ids, entities, labels, needed, strict=True):
            self.all_rows.setdefault(key, []).append(entity)
            if kept and isinstance(entity, str):
                self.rows.setdefault(key, []).append((entity, label))
            else:
                dropped += entity is not None
        if dropped:
            self.remarks.append(f"{table.path}: passed over {many(dropped, 'row')} without an entity or a label")

    @classmethod
    def of_gold(cls, table: Table, request: Request) -> _Side:
        entities = table.column("entities")
        for row, (cell, complete) in enumerate(zip(entities, table.complete(), strict=True)):
            if complete and not isinstance(cell, str):
                raise table.fault(row, f"the entity is {shown(cell)}; expected a text")
        labels = table.column("labels") if "labels" in table else [DUMMY] * len(table)
        return cls(table, table.column("id"), entities, labels, request)

    @classmethod
    def of_results(cls, table: Table, request: Request) -> _Side:
        names = [name for name in _IDS if name in table]
        if len(names) > 1 and not request.corrected:
            message = f"there are several columns of ids, {', '.join(names)}, where the published program stops"
            raise InputError(f"{message}; keep one of them", path=table.path, line=1)
        ids = table.column(names[0] if names else _IDS[1], f"expected one of {', '.join(_IDS)}")
        entities: list[Cell] = []
        for row, cell in enumerate(table.column("entities")):
            if not isinstance(cell, str) and not request.corrected:
                advice = "take the row out, or choose --profile corrected, which passes over it"
                raise table.fault(row, f"the entity is {shown(cell)}, where the published program stops; {advice}")
            entities.append(cell.upper() if isinstance(cell, str) else cell)
        labels = [SHORTER.get(cell, cell) if isinstance(cell, str) else cell for cell in table.column("labels")]
        return cls(table, ids, entities, labels, request)


def judged_documents(gold: _Side, system: _Side, tokens: Mapping[str, Sequence[str]], request: Request) -> list[Judged]:
    """Locate and judge the entities of every gold document."""
    labels = None if request.untyped and request.corrected else TYPE_SETS[request.type_set]
    judge: Callable[[Sequence[Entity], Sequence[Entity]], list[Verdict]]
    judge = judge_one_to_one if request.corrected else judge_published
    found: list[Judged] = []
    for key in gold.ids:
        if not isinstance(key, str) or key not in tokens:
            message = f"the tokens of document {key!r} are not there; give the token file of this gold with --tokens"
            raise InputError(message, path=request.tokens)
        words = dict(enumerate(tokens[key]))
        rows = gold.rows.get(key, []), system.rows.get(key, [])
        if request.corrected:
            sides = [_entities(side, _locate_corrected, words, request.untyped) for side in rows]
        else:
            sides = []
            for side in rows:
                glue_possessive(words, key)
                sides.append(_entities(side, locate, words, untyped=False))
            sides[0] = in_published_order(sides[0])
        ours, theirs = sides
        found.append(Judged(key, ours, theirs, judge(among(ours, labels), among(theirs, labels))))
    return found


def _entities(
    rows: Sequence[tuple[str, Cell]], find: Callable[[Sequence[str], Words], list[Span]], words: Words, untyped: bool
) -> list[Entity]:
    spans = find([entity for entity, _ in rows], words)
    return [Entity(DUMMY if untyped else label, *span) for (_, label), span in zip(rows, spans, strict=True)]


def _locate_corrected(mentions: Sequence[str], words: Words) -> list[Span]:
    """Locate mentions with the possessives and full stops of both sides as tokens of their own."""
    plain = {number: word.removeprefix("/") if word in ("/.", "/?") else word for number, word in words.items()}
    return locate([mention.replace("'S", " 'S").replace("  ", " ") for mention in mentions], plain)
