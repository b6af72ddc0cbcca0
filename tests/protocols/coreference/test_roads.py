"""Two roads to one number: the drop-in for the official scorer, and ``karat.score``, on files drawn at random."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
import karat.formats
from karat.errors import InputError
from karat.formats.base import Problems
from karat.measures.published import truncated_percent
from karat.protocols.coreference.drop_in.conll2012 import METRICS, evaluate, read

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
    run = evaluate(read(gold, system), metric, "none")
    if run.failure is not None:
        assert isinstance(run.failure, InputError)
        return run.failure.message
    return [match.groups() for match in RATIOS.finditer("".join(run.lines))]


ROWS = "#begin document (a); part 000\na\t0\t0\tJos\xe9\t(1)\na\t0\t1\tsaw\t-\na\t0\t2\tit\t(1)\n#end document\n"
ODD = {
    "as it is": ROWS.encode(),
    "no documents": b"",
    "blank": b"\n",
    "CR alone": ROWS.replace("\n", "\r").encode(),
    "CRLF": ROWS.replace("\n", "\r\n").encode(),
    "Windows-1252": ROWS.encode("cp1252"),
    "a name in Windows-1252": ROWS.replace("(a)", "(\xe9)").encode("cp1252"),
    "a name in UTF-8": ROWS.replace("(a)", "(\xe9)").encode(),
    "a byte order mark": b"\xef\xbb\xbf" + ROWS.encode(),
    "a word of two": ROWS.replace("\xe9", "\xe9 saw").replace("a\t0\t1\tsaw\t-\n", "").encode(),
}
"""Files that are bytes to the official scorer, and only line feeds end their lines."""


@pytest.mark.parametrize("gold", ODD)
@pytest.mark.parametrize("system", ODD)
def test_odd_files_count_as_the_drop_in_counts_them(gold: str, system: str, tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("gold.conll", "system.conll")]
    for path, name in zip(paths, (gold, system), strict=True):
        Path(path).write_bytes(ODD[name])
    rows = {(row.measure, row.regime): row for row in karat.score("conll2012", *paths, zero="zero")}
    for metric, regime in METRICS.items():
        found = printed(*paths, metric)
        name = "blanc-linked" if metric == "blanc" else regime
        counts = rows["f1", name].counts
        assert [float(found[1][at]) for at in (0, 1, 3, 4)] == [counts[part] for part in PARTS]


def test_what_is_odd_about_a_file_is_said(tmp_path: Path) -> None:
    problems = {}
    for name, content in ODD.items():
        path = tmp_path / "a.conll"
        path.write_bytes(content)
        problems[name] = Problems()
        documents = list(karat.formats.read(path, "conll2012", problems=problems[name], options={"rules": "official"}))
        if name in ("CRLF", "Windows-1252"):
            assert documents[0].text == "Jos\xe9 saw it"
        if name == "CR alone":
            assert [document.text for document in documents] == [""]
    said = {name: found.found[0].message for name, found in problems.items() if found.found}
    assert said.keys() == {"CR alone", "Windows-1252", "a name in Windows-1252"}
    assert said["CR alone"].startswith("the document has no lines")
    assert said["Windows-1252"] == "byte 0xe9 is not UTF-8; read as Windows-1252"


def test_a_side_without_documents_is_noted(tmp_path: Path) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.touch()
    full.write_text(ROWS, "utf-8")
    assert "the gold has no document" in karat.score("conll2012", empty, full).notes
    assert "the system has no document" in karat.score("conll2012", full, empty).notes
    scores = karat.score("coval", empty, full)
    assert scores.notes == (
        "left out 1 system document that the gold lacks: (a); part 000",
        "the gold has no chains",
        "the system has no chains that count",
    )
    assert {row.value for row in scores} == {None}
    with pytest.raises(InputError, match="the system lacks 1 document"):
        karat.score("coval", full, empty)


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
