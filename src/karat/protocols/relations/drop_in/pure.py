"""What run_eval.py of PURE counts and prints, of lines that have both sides.

Most files are plain: what is listed are numbers of tokens that are there, and a label behind them. The rows of a
sentence are compared as they are then. Any other file is read, or refused, as documents are, and judged by the
protocol, which counts the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, chain
from operator import add
from typing import Annotated, Any, NamedTuple

import msgspec

from karat.errors import InputError
from karat.files import byte_blocks, is_file
from karat.measures.published import whole_zero_prf

_Name = Annotated[str, msgspec.Meta(min_length=1)]
_Nothing = Annotated[list[Any], msgspec.Meta(max_length=0)]
_Entity = tuple[int, int, _Name]
_Relation = tuple[int, int, int, int, str]
_Clusters = list[list[tuple[int, int]]]


class ProgramCounts(NamedTuple):
    """What a program has counted of one label or of all, for one of its numbers."""

    gold: int = 0
    system: int = 0
    correct: int = 0


class PureTotals(NamedTuple):
    """The counts of entities, of relations, and of relations whose ends are typed right."""

    entities: ProgramCounts
    relations: ProgramCounts
    strict: ProgramCounts


class _PlainLine(msgspec.Struct):
    """A line whose layers are lists of rows, one for each sentence; what else it says is not looked at."""

    sentences: list[list[_Name]]
    ner: list[list[_Entity]]
    relations: list[list[_Relation]]
    predicted_ner: list[list[_Entity]]
    predicted_relations: list[list[_Relation]]
    doc_key: str | int | None = None
    clusters: _Clusters = []
    predicted_clusters: _Clusters = []
    events: _Nothing = []
    predicted_events: _Nothing = []
    event_clusters: _Nothing = []
    predicted_event_clusters: _Nothing = []


class _NotPlainError(Exception):
    """A line says something in a place where a plain one does not."""


_NOT_PLAIN = (_NotPlainError, InputError, UnicodeDecodeError, msgspec.DecodeError, RecursionError)


def totals_of(path: str) -> PureTotals:
    """Return the counts of a file."""
    if is_file(path):
        with suppress(*_NOT_PLAIN):  # reading it as documents tells what is wrong, if something is
            return _added(_plain_counts(path))
    from karat.protocols.relations.counted import ENTITIES, REL, REL_PLUS
    from karat.protocols.relations.drop_in.program import counts_of

    regimes = counts_of("pure", path)
    return PureTotals(*(regimes[regime][None] for regime in (ENTITIES, REL, REL_PLUS)))


def _added(counts: Iterable[tuple[int, ...]]) -> PureTotals:
    sums = [0] * 7
    for document_counts in counts:
        sums = list(map(add, sums, document_counts))
    entities, relations = ProgramCounts(*sums[:3]), ProgramCounts(*sums[3:6])
    return PureTotals(entities, relations, relations._replace(correct=sums[6]))


def _plain_counts(path: str) -> Iterator[tuple[int, ...]]:
    """Yield the counts of each sentence of a plain file: entities, relations, and those that are strictly right."""
    decoder = msgspec.json.Decoder(_PlainLine)
    for block in byte_blocks(path):
        for line in block.decode().removesuffix("\n").split("\n"):
            yield from _sentence_counts(decoder.decode(line))


def _sentence_counts(line: _PlainLine) -> Iterator[tuple[int, ...]]:
    layers = line.ner, line.predicted_ner, line.relations, line.predicted_relations
    if any(len(layer) != len(line.sentences) for layer in layers):
        raise _NotPlainError
    ends = list(accumulate(map(len, line.sentences), initial=0))
    for first, end, golds, systems, gold_relations, system_relations in zip(ends, ends[1:], *layers, strict=False):
        _check_places(first, end, golds, systems)
        _check_places(0, ends[-1], gold_relations, system_relations)
        known, related = set(golds), set(gold_relations)
        correct = [entity for entity in systems if entity in known]
        places = {entity[:2] for entity in correct}
        right = [relation for relation in system_relations if relation in related]
        strict = sum([relation[:2] in places and relation[2:4] in places for relation in right])
        yield len(golds), len(systems), len(correct), len(gold_relations), len(system_relations), len(right), strict
    for clusters in (*line.clusters, *line.predicted_clusters):
        _check_places(0, ends[-1], clusters)


def _check_places(first: int, end: int, *layers: Iterable[tuple[Any, ...]]) -> None:
    """Raise an error unless all rows have tokens from the first to the one before the end, in their order."""
    for row in chain.from_iterable(layers):
        if not first <= row[0] <= row[1] < end or (len(row) == 5 and not first <= row[2] <= row[3] < end):
            raise _NotPlainError


def printed(path: str, totals: PureTotals) -> str:
    """Return what the program prints."""
    lines = [f"Evaluation result {path}"]
    for name, counts in zip(("NER", "REL", "REL (strict)"), totals, strict=True):
        precision, recall, f1 = whole_zero_prf(counts.correct, counts.system, counts.gold)
        lines.append(f"{name} - P: {precision:f}, R: {recall:f}, F1: {f1:f}")
    return "\n".join(lines) + "\n"
