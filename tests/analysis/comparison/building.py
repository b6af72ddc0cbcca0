"""Runs of seqeval with given counts, for tests of what is made of runs."""

from __future__ import annotations

from collections.abc import Sequence

from karat.evaluation.registry import protocol
from karat.evaluation.run import Run
from karat.evaluation.tally import Group, Tallies, Tally


def run_of(units: Sequence[Sequence[int]], name: str = "a", *, labels: Sequence[str] = (), **fields: object) -> Run:
    """Return a run whose units have so many right, system and gold items; labels, if any, have the same each."""
    rows: list[Tally] = []
    for right, actual, possible in units:
        counts = (possible, actual, right, 0, 0)
        rows.append({Group("", "", label): counts for label in (None, *labels)})
    names = [f"d{place:03}" for place in range(len(units))]
    given = {
        "protocol": "seqeval",
        "unit": "document",
        "system": name,
        "options": {},
        "counts": protocol("seqeval").with_options().counts,
        "tallies": Tallies(names, rows),
        "documents": names,
        "words": [0] * len(units),
        "metadata": {},
        "gold_digest": "0",
        "system_digest": name,
        "gold_content": "0",
        "system_content": name,
    }
    return Run(**(given | fields))  # type: ignore[arg-type]
