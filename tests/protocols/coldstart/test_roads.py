"""Both roads: the protocol counts what the programs print, on the cases of the packs and on random evaluations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.conformance import packs
from tests.protocols.coldstart.slot_files import CY, POOL, QUERIES, RUN, Q, answer, judged, write

import karat as api
from karat.cli import run as karat
from karat.errors import InputError
from karat.protocols.coldstart.options import queries_of
from karat.vocabularies.coldstart.query_ids import follow_up_digits

SUITE = "coldstart-sf"
PROTOCOL = "tac2015-sf"
SYNTHETIC = packs.manifest(SUITE)
PUBLIC = packs.public(SUITE)
BOTH = [case for case in SYNTHETIC + PUBLIC if case["id"] not in packs.drop_in_only(SUITE)]
FILES = ["q.xml", "run.tab.txt", "pool.fqec"]
PLAIN = [case for case in SYNTHETIC if case in BOTH and case["args"] == FILES]
TWICE = "s095-round2-query-in-xml"
"""The rows of this case are printed twice and then added twice: the quirk second-round-counts-twice."""
WITH_VALUE = ("-combo", "-discipline", "-error_file", "-output_file", "-queries", "-runids")
CODE = re.compile("[CWXISL]")
UNCOUNTED = ("right", "missed", "repeated", "unclassed", "unasked", "alternative")


def counts_of(row):
    """Return GT, Right, Wrong and Dup of a row."""
    counts = row.counts
    wrong = sum(number for key, number in counts.items() if key not in UNCOUNTED)
    return [counts["right"] + counts["missed"], counts["right"], wrong, counts["duplicate"] + counts["surplus"]]


def programs(folder: Path, files: list[str], *switches: str, index: Path, mapping: Path) -> dict[str, list[list[str]]]:
    """Return the cells of the sums and means that the programs print, by regime."""
    found = {}
    scores = folder / "scores"
    assert karat(["coldstart", "score", "-tabs", "-output_file", str(scores), *switches, *files]) == 0
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


def case_id(case: dict[str, Any]) -> str:
    return case["id"]


def home(case: dict[str, Any]) -> Path:
    """Return the folder of a case."""
    return packs.SHARED / SUITE / "public" if case in PUBLIC else packs.synthetic(SUITE) / case["folder"]


def test_every_case_goes_down_both_roads_or_has_a_reason_not_to():
    known = {case["id"] for case in SYNTHETIC + PUBLIC}
    listed = packs.drop_in_only(SUITE)
    assert [name for name in listed if name not in known] == [] or not PUBLIC
    assert all(case["program"] == "cs-score" and not case["expected_exit"] for case in BOTH)
    assert len(BOTH) == len(SYNTHETIC + PUBLIC) - len(known & set(listed))


def switches_and_files(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the switches of the program with their values, and the files."""
    words, switches = list(words), {}
    while words[0].startswith("-"):
        switches[words[0]] = words.pop(1) if words[0] in WITH_VALUE else ""
        words.pop(0)
    return switches, words


def asked(text: str, wanted: str | None, folder: Path) -> str:
    """Return the text of a query file with the queries that the switch -queries chooses."""
    if wanted is None:
        return text
    listed = folder / wanted
    ids = listed.read_bytes().decode().split("\n") if listed.is_file() else wanted.split(":")
    queries = re.finditer(r'<query id="(.*?)".*?</query>', text, re.S)
    return "".join(query[0] for query in queries if query[1] in ids)


def lines_of(folder: Path, files: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines of runs and pools, with the run of each; a line of a pool has none."""
    for name in files:
        path = folder / name
        for file in sorted(path.glob("*.tab.txt")) if path.is_dir() else [path]:
            for line in file.read_bytes().decode().split("\n"):
                cells = line.split("\t")
                if line.strip() and not line.startswith("#"):
                    yield "" if all(map(CODE.fullmatch, cells[5:7])) else cells[2], line


def divided(lines: list[tuple[str, str]], folder: Path) -> tuple[Path, dict[str, Path]]:
    """Write the pool to one file and every run to a file of its own."""
    texts: dict[str, list[str]] = {"": []}
    for run, line in lines:
        texts.setdefault(run, []).append(f"{line}\n")
    paths = {run: folder / f"{number}.tab.txt" for number, run in enumerate(texts)}
    for run, path in paths.items():
        path.write_bytes("".join(texts[run]).encode())
    return paths.pop(""), paths


@pytest.mark.parametrize("case", BOTH, ids=case_id)
def test_the_sums_of_the_pack(case, tmp_path):
    folder = home(case) / case["cwd"]
    switches, files = switches_and_files(case["args"])
    queries = tmp_path / "queries.xml"
    text = "".join((folder / name).read_text("utf-8") for name in files if name.endswith(".xml"))
    queries.write_text(asked(text, switches.get("-queries"), folder), "utf-8")
    pool, runs = divided(list(lines_of(folder, [name for name in files if not name.endswith(".xml")])), tmp_path)
    printed = switches.get("-output_file", "stdout").replace("STDERR", "stderr")
    table = (home(case) / case["expected"][printed]).read_text("utf-8").splitlines()
    sums = [line.split() for line in table if line.startswith("ALL-Micro")]
    if not sums:  # what nothing is counted of has no sum
        sums = [["ALL-Micro", run, "ALL", *["0"] * 4, *["0.0000"] * 3] for run in runs]
    for _, run, hop, *numbers in sums:
        options = {"queries": queries, "discipline": switches.get("-discipline", "ASSESSED")}
        scores = api.score(PROTOCOL, pool, runs[run], **options)
        rows = {row.measure: row for row in scores if (row.average, row.layer) == ("micro", layer_of(hop))}
        assert (counts_of(rows["f1"]) if rows else [0] * 4) == [*map(int, numbers[:4])], (run, hop)
        values = [rows[name].value if rows else None for name in ("precision", "recall", "f1")]
        assert [f"{value or 0:.4f}" for value in values] == numbers[4:], (run, hop)


@pytest.mark.parametrize(
    ("name", "reason"), [("s141-empty-pool", "the file is empty"), ("s152-empty-value", "fill every column")]
)
def test_what_the_program_takes_for_nothing_is_refused(name, reason):
    case = next(case for case in SYNTHETIC if case["id"] == name)
    queries, run, pool = (home(case) / case["cwd"] / file for file in FILES)
    with pytest.raises(InputError, match=reason):
        api.score(PROTOCOL, pool, run, queries=queries)


@pytest.mark.parametrize("case", PLAIN, ids=case_id)
def test_the_sums_and_means_of_ldc_queries(case, tmp_path):
    folder = home(case) / case["cwd"]
    queries, together, pool = (folder / name for name in FILES)
    points = {name: f"CS{number // 2}" for number, name in enumerate(sorted(queries_of(str(queries)).content))}
    index, mapping = tmp_path / "index", tmp_path / "mapping"
    index.write_text("".join(f"{point}\t{query}\n" for point, query in [*points.items()][: max(2, len(points) - 1)]))
    mapping.write_text("".join(f"{query} {point}\n" for point, query in points.items()))
    options = {"queries": queries, "index": index, "mapping": mapping}
    runs = runs_of(together, tmp_path)
    if len(runs) > 1:
        with pytest.raises(InputError, match=f"holds {len(runs)} runs .* give each a file of its own"):
            api.score(PROTOCOL, pool, together, **options)
    for run in runs:
        scores = api.score(PROTOCOL, pool, run, **options)
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


Lines = list[tuple[str, ...]]
POINTS = [Q[:-1] + end for end in "abc"]
QUERY = re.search(r"<query .*</query>", QUERIES, re.S)[0]


def run_line(query: str, slot: str, value: str, place: str, relation: str) -> str:
    return f"{query}\t{slot}\trun1\t{relation}\t{value}\tSTRING\t{place}\t1.0"


def pool_line(query: str, slot: str, value: str, place: str, relation: str, judgment: str, ec: str) -> str:
    return f"a\t{query}:{slot}\t{relation}\t{value}\t{place}\t{judgment}\t{judgment}\t{ec}"


@st.composite
def fills(
    draw: st.DrawFn, query: str, slot: str, above: str | None
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Draw answers to a query, and assessments of some of them and of others; only below a class can one be right."""
    values = draw(st.lists(st.sampled_from("abAB"), min_size=1, max_size=4, unique=True))
    run, pool = [], []
    for number, value in enumerate(values):
        place = f"d1:{number}0-{number}2"
        relation = draw(st.sampled_from(["d1:0-99", place]))
        line = (query, slot, value, place, relation)
        run += [line] * draw(st.integers(0, 2))
        judgment = draw(st.sampled_from("CCCXWISL" if above else "WISL"))
        ec = f"{above}:{draw(st.integers(1, 2))}" if judgment in "CX" else "0"
        pool += [(*line, judgment, ec)] if draw(st.booleans()) else []
    return draw(st.permutations(run)), pool


@st.composite
def two_hops(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Draw a run and a pool with children and their ages, parents before their children."""
    run, pool = [], []
    for point in POINTS:
        children, assessed = draw(fills(point, "per:children", point))
        known = {(line[2], line[3]): line[-1] for line in assessed}
        run += children
        pool += assessed
        for value, place in dict.fromkeys([line[2:4] for line in children] + [*known]):
            ec = known.get((value, place), "0")
            below = f"{point}_{follow_up_digits(point, value, place)}"
            ages, assessed = draw(fills(below, "per:age", ec if ec != "0" else None))
            run += ages if (value, place) in [line[2:4] for line in children] else []
            pool += assessed
    return [run_line(*line) for line in run], [pool_line(*line) for line in pool]


@given(two_hops(), st.sampled_from(["published", "corrected"]), st.sampled_from(["ASSESSED", "STRING_CASE"]))
def test_random_evaluations_count_the_same_by_both_roads(evaluation, profile, discipline):
    run, pool = evaluation
    assume(run and pool)
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = write(folder, run, pool, "".join(QUERY.replace(Q, point) for point in POINTS))
        index, mapping = folder / "index", folder / "mapping"
        index.write_text("".join(f"{point}\tCS{number // 2}\n" for number, point in enumerate(POINTS)))
        mapping.write_text(f"CS0 {POINTS[1]}\nCS1 {POINTS[2]}\n")
        switches = ["-profile", profile.replace("published", "2015"), "-discipline", discipline]
        options = {"queries": files[0], "index": index, "mapping": mapping}
        scores = api.score(PROTOCOL, files[2], files[1], profile=profile, discipline=discipline, **options)
        rows = {(row.regime, row.layer): row for row in scores if (row.measure, row.average) == ("f1", "micro")}
        for regime, lines in programs(folder, files, *switches, index=index, mapping=mapping).items():
            for title, _, hop, *numbers in lines:
                if title == "ALL-Micro":
                    row = rows.get((regime, layer_of(hop)))
                    assert (counts_of(row) if row else [0] * 4) == [*map(int, numbers[:4])], (regime, hop)


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
        scores = api.score(PROTOCOL, files[2], files[1], **options)
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
    scores = api.score(PROTOCOL, files[2], files[1], queries=files[0], index=index, mapping=mapping)
    for regime, lines in programs(tmp_path, files, index=index, mapping=mapping).items():
        rows = {hop: cells[-1] for name, _, hop, *cells in lines if name == "ALL-Macro"}
        if regime != "sf":
            assert rows == {"0": "0.8000", "1": "0.5000", "ALL": "0.6000"}
        means = [scores.value(regime=regime, average="macro-query", layer=layer_of(hop)) for hop in ("0", "1", "ALL")]
        assert means == pytest.approx([4 / 5, 2 / 3, 3 / 4])
