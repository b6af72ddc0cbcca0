"""run_eval.py of PURE: precision, recall and F1 of entities, relations, and relations with typed ends."""

from __future__ import annotations

from collections.abc import Mapping

from karat.cli.drop_in import ProgramOutput
from karat.measures.published import whole_zero_prf
from karat.protocols.relations.counted import ENTITIES, REL, REL_PLUS
from karat.protocols.relations.drop_in.counts import CountsByLabel, DraftedFiles, evaluate
from karat.protocols.relations.drop_in.counts import read as read_files

__all__ = ["evaluate", "printed", "read"]

_NAMES = {ENTITIES: "NER", REL: "REL", REL_PLUS: "REL (strict)"}


def read(path: str) -> DraftedFiles:
    """Read SciERC lines with predictions beside the gold."""
    return read_files("pure", path)


def printed(path: str, regimes: Mapping[str, CountsByLabel]) -> ProgramOutput:
    """Return what the program prints."""
    lines = [f"Evaluation result {path}"]
    for regime, name in _NAMES.items():
        counts = regimes[regime][None]
        precision, recall, f1 = whole_zero_prf(counts.correct, counts.system, counts.gold)
        lines.append(f"{name} - P: {precision:f}, R: {recall:f}, F1: {f1:f}")
    return ProgramOutput("\n".join(lines) + "\n")
