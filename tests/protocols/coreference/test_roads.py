"""Two roads to one number: the drop-in for the official scorer, and ``karat.score``, on files drawn at random."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.errors import InputError
from karat.measures.published import truncated_percent
from karat.protocols.coreference.drop_in.program import METRICS, Program

RATIOS = re.compile(r"Recall: \((\S+) / (\S+)\) (\S+)%\tPrecision: \((\S+) / (\S+)\) (\S+)%\tF1: (\S+)%")
PARTS = ("found", "gold", "given", "system")
MENTIONS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 3)), max_size=6)
"""The first token of each mention, how many follow, and its chain."""
FILES = st.lists(st.tuples(st.sampled_from("abc"), MENTIONS), min_size=1, max_size=4)
"""Documents with their names, some of which may be repeated."""


def columns(documents: list[tuple[str, list[tuple[int, int, int]]]]) -> str:
    """Return a file with these documents."""
    lines: list[str] = []
    for name, mentions in documents:
        cells: list[list[str]] = [[] for _ in range(8)]
        for start, more, chain in mentions:
            if more:
                cells[start].append(f"({chain}")
                cells[start + more].append(f"{chain})")
            else:
                cells[start].append(f"({chain})")
        rows = (f"{name}\t0\t{at}\tw\t{'|'.join(cell) or '-'}" for at, cell in enumerate(cells))
        lines += [f"#begin document ({name}); part 000", *rows, "#end document"]
    return "\n".join(lines) + "\n"


def printed(gold: str, system: str, metric: str) -> list[tuple[str, ...]] | str:
    """Return the numbers of the totals that the drop-in prints, or why it stops."""
    program = Program(gold, system, "none")
    try:
        program.run(metric)
    except InputError as error:
        return error.message
    return [match.groups() for match in RATIOS.finditer("".join(program.printed))]


@settings(max_examples=150)
@given(FILES, FILES)
def test_the_drop_in_prints_what_karat_counts(gold: list[tuple[str, list]], system: list[tuple[str, list]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/gold.conll", f"{folder}/system.conll"]
        for path, documents in zip(paths, (gold, system), strict=True):
            Path(path).write_text(columns(documents), encoding="utf-8")
        lines = {metric: printed(*paths, metric) for metric in METRICS}
        rows = {(row.measure, row.regime): row for row in karat.score("conll2012", *paths, zero="zero")}
    for metric, regime in METRICS.items():
        found = lines[metric]
        if isinstance(found, str):
            assert found.startswith("Found too many repeated mentions")
            continue
        regimes = ["mentions", *(["blanc-linked", "blanc-unlinked"] if metric == "blanc" else [regime])]
        for name, line in zip(regimes, found, strict=False):
            counts = rows["f1", name].counts
            assert [counts[part] for part in PARTS] == pytest.approx(
                [float(line[at]) for at in (0, 1, 3, 4)], rel=1e-14
            )
        # a sum that is rounded at each step may be cut off a hundredth of a per cent below the exact one
        margin = 0 if len({name for name, _ in gold}) == 1 else 0.0100001
        for measure, share in zip(("recall", "precision", "f1"), (found[-1][at] for at in (2, 5, 6)), strict=True):
            assert truncated_percent(rows[measure, regime].value) == pytest.approx(float(share), abs=margin, rel=0)
