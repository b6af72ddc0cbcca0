"""The protocol against the programs: the same counts on the cases of the pack, for queries and for LDC queries."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.conformance import packs
from tests.protocols.coldstart.slot_files import CY, POOL, QUERIES, RUN, Q, answer, judged, write

import karat as api
from karat.cli import run as karat
from karat.errors import InputError
from karat.protocols.coldstart.options import queries_of

FILES = ["q.xml", "run.tab.txt", "pool.fqec"]
CASES = [
    case
    for case in packs.manifest("coldstart-sf")
    if case["program"] == "cs-score" and not case["expected_exit"] and case["args"] == FILES
]
TWICE = "s095-round2-query-in-xml"
"""The rows of this case are printed twice and then added twice: the quirk second-round-counts-twice."""
REFUSED = {"s141-empty-pool": "the file is empty", "s152-empty-value": "fill every column"}
"""What the programs take for nothing, and the readers of Karat for a mistake."""
UNCOUNTED = ("right", "missed", "repeated", "unclassed", "unasked", "alternative")


def counts_of(row):
    """Return GT, Right, Wrong and Dup of a row."""
    counts = row.counts
    wrong = sum(number for key, number in counts.items() if key not in UNCOUNTED)
    return [counts["right"] + counts["missed"], counts["right"], wrong, counts["duplicate"] + counts["surplus"]]


def programs(folder: Path, files: list[str], *, index: Path, mapping: Path) -> dict[str, list[list[str]]]:
    """Return the cells of the sums and means that the programs print, by regime."""
    found = {}
    scores = folder / "scores"
    assert karat(["coldstart", "score", "-tabs", "-output_file", str(scores), *files]) == 0
    for regime, how in (("sf", None), ("ldc-max", "MAX"), ("ldc-random", "RANDOM"), ("ldc-mean", "MEAN")):
        out = folder / regime if how else scores
        if how:
            switches = ["-tabs", "-score", how, "-mapping", str(mapping), "-output_file", str(out)]
            assert karat(["coldstart", "project-scores", *switches, str(index), str(scores)]) == 0
        lines = [line.split("\t") for line in out.read_text("utf-8").splitlines()]
        found[regime] = [[cell.strip() for cell in cells] for cells in lines if cells[0].startswith("ALL-")]
    return found


def layer_of(hop: str) -> str:
    return "all hops" if hop == "ALL" else f"hop {hop}"


def runs_of(path: Path, folder: Path) -> list[Path]:
    """Write every run of a file to a file of its own."""
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines(keepends=True):
        if line.count("\t") > 5:
            found.setdefault(line.split("\t")[2], []).append(line)
    for number, lines in enumerate(found.values()):
        (folder / f"{number}.tab.txt").write_text("".join(lines), "utf-8")
    return [folder / f"{number}.tab.txt" for number in range(len(found))]


@pytest.mark.parametrize("case", CASES, ids=lambda one: one["id"])
def test_counts_of_queries_and_of_ldc_queries(case, tmp_path):
    folder = packs.synthetic("coldstart-sf") / case["folder"] / case["cwd"]
    queries, together, pool = (folder / name for name in FILES)
    points = {name: f"CS{number // 2}" for number, name in enumerate(sorted(queries_of(str(queries)).content))}
    index, mapping = tmp_path / "index", tmp_path / "mapping"
    index.write_text("".join(f"{point}\t{query}\n" for point, query in [*points.items()][: max(2, len(points) - 1)]))
    mapping.write_text("".join(f"{query} {point}\n" for point, query in points.items()))
    options = {"queries": queries, "index": index, "mapping": mapping}
    runs = runs_of(together, tmp_path)
    if len(runs) > 1:
        with pytest.raises(InputError, match=f"holds {len(runs)} runs .* give each a file of its own"):
            api.score("tac2015-sf", pool, together, **options)
    if case["id"] in REFUSED:
        with pytest.raises(InputError, match=REFUSED[case["id"]]):
            api.score("tac2015-sf", pool, together, **options)
        return
    for run in runs:
        scores = api.score("tac2015-sf", pool, run, **options)
        rows = {(row.regime, row.average, row.layer): row for row in scores if row.measure == "f1"}
        for regime, lines in programs(
            tmp_path, [*map(str, (queries, run, pool))], index=index, mapping=mapping
        ).items():
            for name, _, hop, *numbers in lines:
                if name == "ALL-Micro" and (regime == "sf" or case["id"] != TWICE):
                    row = rows.get((regime, "micro", layer_of(hop)))
                    assert (counts_of(row) if row else [0] * 4) == [*map(int, numbers[:4])], (regime, hop)
                elif name == "ALL-Macro" and hop == "0":
                    row = rows.get((regime, "macro-query", "hop 0"))
                    assert f"{(row and row.value) or 0:.4f}" == numbers[-1], regime


@st.composite
def evaluations(draw: st.DrawFn) -> tuple[list[str], list[str], dict[str, str]]:
    """Draw a run, a pool and an index of some entry points, of which each may have nothing or only what is wrong."""
    run, pool, index = [], [], {}
    for point in [Q[:-1] + end for end in "abcd"]:
        for at in range(draw(st.integers(0, 3))):
            name, place = f"v{at}", f"d1:{at}0-{at}2"
            is_right = draw(st.booleans())
            line = judged(Q, name, place, "C" if is_right else "W", str(draw(st.integers(1, 2))) if is_right else "0")
            pool += [line.replace(Q, point)] if draw(st.booleans()) else []
            run += [answer(Q, name, place).replace(Q, point)] if draw(st.booleans()) else []
        index[point] = draw(st.sampled_from(["CS1", "CS2"]))
    return run, pool, index


@settings(max_examples=60, deadline=None)
@given(evaluations())
@example(
    (
        [answer(Q, "v1", "d1:10-12").replace(Q, Q[:-1] + "a")],
        [judged(Q, "v0", "d1:0-2", "W", "0").replace(Q, Q[:-1] + "b")]
        + [judged(Q, f"v{at}", f"d1:{at}0-{at}2", "C", str(at)).replace(Q, Q[:-1] + "a") for at in range(1, 6)],
        dict.fromkeys([Q[:-1] + "a", Q[:-1] + "b"], "CS1"),
    )
)
def test_the_means_at_hop_0_are_those_of_the_programs(evaluation):
    """An entry point of which the pool has only what is wrong, and which has no fill, counts with an F1 of 0."""
    run, pool, points = evaluation
    assume(run and pool)
    with TemporaryDirectory() as name:
        folder = Path(name)
        queries = "".join(QUERIES.replace(Q, point) for point in points)
        files = write(folder, run, pool, queries)
        index, mapping = folder / "index", folder / "mapping"
        index.write_text("".join(f"{point}\t{query}\n" for point, query in points.items()))
        mapping.write_text("".join(f"{query} {point}\n" for point, query in points.items()))
        options = {"queries": files[0], "index": index, "mapping": mapping}
        scores = api.score("tac2015-sf", files[2], files[1], **options)
        wanted = ("f1", "macro-query", "hop 0")
        rows = {row.regime: row for row in scores if (row.measure, row.average, row.layer) == wanted}
        for regime, lines in programs(folder, files, index=index, mapping=mapping).items():
            for cells in lines:
                if (cells[0], cells[2]) == ("ALL-Macro", "0"):
                    found = rows[regime].value if regime in rows else None
                    assert f"{found or 0:.4f}" == cells[-1], regime


def test_macro_over_rows(tmp_path):
    """Both children were found, with one wrong; the age of the first was found, that of the second was not."""
    run, pool = [*RUN, answer(Q, "Cy", "d2:0-1")], [*POOL, judged(CY, "7", "d1:70-70", "C", "2:1")]
    files = write(tmp_path, run, pool)
    index, mapping = tmp_path / "index", tmp_path / "mapping"
    index.write_text(f"{Q}\tCS1\n")
    mapping.write_text(f"CS1 {Q}\n")
    scores = api.score("tac2015-sf", files[2], files[1], queries=files[0], index=index, mapping=mapping)
    for regime, lines in programs(tmp_path, files, index=index, mapping=mapping).items():
        rows = {hop: cells[-1] for name, _, hop, *cells in lines if name == "ALL-Macro"}
        if regime != "sf":
            assert rows == {"0": "0.8000", "1": "0.5000", "ALL": "0.6000"}
        means = [scores.value(regime=regime, average="macro-query", layer=layer_of(hop)) for hop in ("0", "1", "ALL")]
        assert means == pytest.approx([4 / 5, 2 / 3, 3 / 4])
