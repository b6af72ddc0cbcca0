"""Models of entities and relations that score themselves: SpERT and PL-Marker, without the model."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

import karat
from karat.errors import KaratError
from tests.differential.comparing import Program, Reference
from tests.differential.relations import scierc_document, written_sides
from tests.fuzz.calling import call

_SCRIPTS = Path(__file__).parent / "scripts"
_SYMMETRIC = ("CONJUNCTION", "COMPARE")
_PLMARKER_LABELS = (*_SYMMETRIC, "PART-OF", "USED-FOR", "HYPONYM-OF")
_PLMARKER = {"f1": "rel", "f1_with_ner": "rel+", "ner_f1": "entities"}
_PLMARKER_TYPES = {"A": "Method", "B": "Task"}


def linked(document: dict[str, Any]) -> dict[str, Any]:
    """Return a line without relations whose ends are no entities, which these programs cannot have."""
    for prefix in ("", "predicted_"):
        places = [{(first, last) for first, last, _ in rows} for rows in document[f"{prefix}ner"]]
        document[f"{prefix}relations"] = [
            [row for row in rows if {tuple(row[:2]), tuple(row[2:4])} <= known]
            for rows, known in zip(document[f"{prefix}relations"], places, strict=True)
        ]
    return document


def _spert(random: Random, room: Path, program: Program) -> str | None:
    documents = [linked(scierc_document(random, f"d{number}")) for number in range(random.randint(1, 3))]
    (room / "both.json").write_text("".join(f"{json.dumps(document)}\n" for document in documents), "utf-8")
    theirs = program.python(_SCRIPTS / "spert_scores.py", [str(program.root), "both.json"], room)
    if theirs.status:
        return None
    ours = call(["spert", "both.json"])
    blocks = [
        [sorted(line.rstrip() for line in part.split("\n")) for part in out.split("\n\n")]
        for out in (theirs.out, ours.out)
    ]
    return "" if blocks[0] == blocks[1] else f"{documents}\nprints\n{theirs.out}\nand\n{ours.out}{ours.err}"


def _plmarker(random: Random, room: Path, program: Program) -> str | None:
    documents = []
    repeats = random.random() < 0.1
    for number in range(random.randint(1, 3)):
        document = linked(scierc_document(random, f"d{number}", _PLMARKER_LABELS))
        for layer in ("ner", "predicted_ner"):
            document[layer] = [_typed(rows) for rows in document[layer]]
        if not repeats:
            document["relations"] = [_once(rows) for rows in document["relations"]]
        documents.append(document)
    (room / "scierc").mkdir()
    (room / "scierc" / "both.json").write_text("".join(f"{json.dumps(line)}\n" for line in documents), "utf-8")
    theirs = program.python(_SCRIPTS / "plmarker_scores.py", [str(program.root), "scierc/both.json"], room)
    try:
        scores = karat.score("relations", *written_sides(documents, room), format="scierc", profile="plmarker")
    except KaratError as error:
        return None if theirs.status else f"{documents}\n{theirs.out}\n{error}"
    rows = {row.regime: row.value for row in scores if row.measure == "f1" and row.average == "micro"}
    found = {name: rows.get(regime) for name, regime in _PLMARKER.items()}
    if theirs.status:
        return None if None in found.values() else f"{documents}\n{theirs.err}\nand\n{found}"
    wanted = json.loads(theirs.out)
    near = all(isclose(found[name] or 0, value, abs_tol=1e-12) for name, value in wanted.items())
    return "" if near else f"{documents}\n{wanted} and {found}"


def _once(rows: list[list[Any]]) -> list[list[Any]]:
    """Return relations of which none is there again, nor a symmetric one in the other direction."""
    kept: dict[Any, list[Any]] = {}
    for row in rows:
        ends = (tuple(row[:2]), tuple(row[2:4]))
        kept.setdefault((tuple(sorted(ends)) if row[4] in _SYMMETRIC else ends, row[4]), row)
    return [row for (ends, label), row in kept.items() if label not in _SYMMETRIC or ends[0] != ends[1]]


def _typed(rows: list[list[Any]]) -> list[list[Any]]:
    """Return entities with types of the program, of each place one."""
    places = {(first, last): _PLMARKER_TYPES[label] for first, last, label in rows}
    return [[*place, label] for place, label in places.items()]


SPERT = Reference("spert", "lavis-nlp/spert", "spert/evaluator.py", _spert, ("sklearn",))
PLMARKER = Reference("plmarker", "thunlp/PL-Marker", "run_re.py", _plmarker, ("numpy",))
