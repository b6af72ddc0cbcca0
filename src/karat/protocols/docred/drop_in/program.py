"""What evaluation.py of DocRED computes from the files of a folder.

In plain files entities and evidence are numbers, and no title is there twice. Facts are compared as they are given
then. Any other file is read as documents are, and judged by the protocol, which counts the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from karat.errors import InputError
from karat.files import is_file, read_whole
from karat.measures.published import whole_zero_f1, whole_zero_ratio
from karat.protocols.docred import EVIDENCE, FACTS, TRAINING
from karat.protocols.docred.training import MAX_BYTES, TrainingFacts, training_facts

_DATA = {"train": "train_annotated", "distant": "train_distant"}
_NAMES = {
    FACTS: "RE_F1",
    EVIDENCE: "Evi_F1",
    "ign-annotated": "RE_ignore_annotated_F1",
    "ign-distant": "RE_ignore_distant_F1",
}

_Name = Annotated[str, msgspec.Meta(min_length=1)]
_NOT_PLAIN = (InputError, UnicodeDecodeError, msgspec.DecodeError, RecursionError)

_Key = tuple[str, str, int, int]
"""A title, a relation, and the numbers of head and tail."""


class _Vertex(msgspec.Struct):
    name: _Name
    sent_id: int


class _Label(msgspec.Struct):
    r: str
    h: int
    t: int
    evidence: list[int]


class _Record(msgspec.Struct):
    title: str
    vertexSet: list[Annotated[list[_Vertex], msgspec.Meta(min_length=1)]]  # noqa: N815 - the key of the format
    labels: list[_Label]


class _Result(msgspec.Struct):
    title: str
    r: str
    h_idx: int
    t_idx: int
    evidence: list[int] = []


class FactCounts(NamedTuple):
    """What is divided for one number: ``correct`` by ``gold`` for recall, and for precision the two of the system."""

    gold: int
    system: int
    correct: int
    correct_system: int


def figures_of(folder: str, profile: str) -> dict[str, float]:
    """Return the numbers that the program prints, by their names; where it would stop there is an error instead."""
    gold, result = (str(Path(folder, name)) for name in ("ref/dev_test.json", "res/result.json"))
    training = {
        regime: training_facts(_training_file(Path(gold).parent, _DATA[option], profile))
        for regime, option in TRAINING.items()
    }
    counts = plain_counts(gold, result, training) if profile == "published" else None
    if counts is None:
        counts = judged_counts(gold, result, training, profile)
    if not counts[FACTS].system:
        raise InputError("there is no fact to be scored; expected at least one", path=result)
    return {name: _f1(counts[regime], regime, result) for regime, name in _NAMES.items()}


def plain_counts(gold: str, result: str, training: Mapping[str, TrainingFacts]) -> dict[str, FactCounts] | None:
    """Return the counts of each regime; nothing if a file is not plain. ``training`` are the facts by their regime."""
    if not (is_file(gold) and is_file(result)):
        return None
    with suppress(*_NOT_PLAIN):  # reading the files as documents tells what is wrong, if something is
        records, results = _decoded(gold, list[_Record]), _decoded(result, list[_Result])
        entities = {record.title: record.vertexSet for record in records}
        if len(entities) == len(records) and all(map(_has_its_entities, records)):
            return _counted(records, results, entities, training)
    return None


def _decoded(path: str, shape: Any) -> Any:
    content = read_whole(path, MAX_BYTES).decode()  # which looks at what nobody reads, too
    return msgspec.json.decode(content, type=shape)


def _has_its_entities(record: _Record) -> bool:
    size = len(record.vertexSet)
    return all(0 <= label.h < size and 0 <= label.t < size for label in record.labels)


def _counted(
    records: Sequence[_Record],
    results: Sequence[_Result],
    entities: Mapping[str, Sequence[Sequence[_Vertex]]],
    training: Mapping[str, TrainingFacts],
) -> dict[str, FactCounts]:
    """Count each fact once: of the gold the evidence of the last, and of the system that of the first."""
    facts: dict[_Key, set[int]] = {
        (record.title, label.r, label.h, label.t): set(label.evidence) for record in records for label in record.labels
    }
    given: dict[_Key, set[int]] = {
        (fact.title, fact.r, fact.h_idx, fact.t_idx): set(fact.evidence) for fact in reversed(results)
    }
    right = facts.keys() & given.keys()
    counts = {FACTS: FactCounts(len(facts), len(given), len(right), len(right))}
    shared = sum([len(facts[key] & given[key]) for key in right])
    stated = sum([len(label.evidence) for record in records for label in record.labels])
    counts[EVIDENCE] = FactCounts(stated, sum([len(given[key]) for key in given if key[0] in entities]), shared, shared)
    for regime, known in training.items():
        seen = sum([_is_seen(key, entities[key[0]], known) for key in right])
        counts[regime] = FactCounts(len(facts), len(given) - seen, len(right), len(right) - seen)
    return counts


def _is_seen(key: _Key, entities: Sequence[Sequence[_Vertex]], known: TrainingFacts) -> bool:
    heads, tails = ([vertex.name for vertex in entities[entity]] for entity in key[2:])
    return known.have(key[1], heads, tails)


def judged_counts(gold: str, result: str, training: Mapping[str, TrainingFacts], profile: str) -> dict[str, FactCounts]:
    """Return the counts of each regime, as the protocol judges the documents of any files."""
    from karat.scoring import Evaluation, Reading, configure, load
    from karat.tally import Group

    options = {TRAINING[regime]: facts for regime, facts in training.items()}
    protocol, settings = configure("docred", {"profile": profile, **options})
    reading = Reading("docred", {"rules": "program", "records": gold})
    sides = load(protocol, settings, [gold, result], [reading] * 2)
    total = Evaluation(protocol, settings, *sides).tallies().total()
    row = dict(zip(protocol.counts, total.get(Group(), (0,) * len(protocol.counts)), strict=True))
    parts = ("gold", "system", "correct", "correct-system")
    return {regime: FactCounts(*(int(row[f"{regime}-{part}"]) for part in parts)) for regime in _NAMES}


def _training_file(folder: Path, name: str, profile: str) -> Path:
    """Return the file with the facts of training: the list beside the gold, unless corrected, or else the data."""
    kept, data = folder / f"{name}.fact", Path("..", "data", f"{name}.json")
    return kept if profile == "published" and kept.exists() else data


def _f1(counts: FactCounts, regime: str, path: str) -> float:
    """Return an F1 as the program computes it: one division after the other."""
    if not counts.gold or (not counts.system and regime in (FACTS, *TRAINING)):
        what = "the gold has none" if not counts.gold else "all that are given are right and of the training data"
        raise InputError(f"{_NAMES[regime]} is undefined: {what}", path=path)
    precision = whole_zero_ratio(counts.correct_system, counts.system)
    return whole_zero_f1(precision, whole_zero_ratio(counts.correct, counts.gold))
