"""What run_eval.py of PURE counts and prints, of lines that have both sides."""

from __future__ import annotations

from typing import NamedTuple

from karat.measures.published import whole_zero_prf


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


def evaluate(path: str) -> PureTotals:
    """Return the counts of a file."""
    from karat.protocols.relations.counted import ENTITIES, REL, REL_PLUS
    from karat.protocols.relations.drop_in import spert

    regimes = spert.evaluate("pure", path)
    return PureTotals(*(regimes[regime][None] for regime in (ENTITIES, REL, REL_PLUS)))


def printed(path: str, totals: PureTotals) -> str:
    """Return what the program prints."""
    lines = [f"Evaluation result {path}"]
    for name, counts in zip(("NER", "REL", "REL (strict)"), totals, strict=True):
        precision, recall, f1 = whole_zero_prf(counts.correct, counts.system, counts.gold)
        lines.append(f"{name} - P: {precision:f}, R: {recall:f}, F1: {f1:f}")
    return "\n".join(lines) + "\n"
