"""Every case of the Cold Start KB pack through the command line, stream by stream and file by file."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from karat.cli import run
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

SUITE = "coldstart-kb"
SYNTHETIC = packs.manifest(SUITE)
PUBLIC = packs.public(SUITE)
PROGRAMS = {
    "CS-ValidateKB.pl": "validate-kb",
    "CS-ResolveQueries.pl": "resolve-queries",
    "CS-GenerateQueries.pl": "generate-queries",
}
STREAMS = {"stdout", "stderr"}
NO_PUBLIC = pytest.mark.skipif(not PUBLIC, reason="the public Cold Start data are not beside the repository")


def command(case: dict) -> list[str]:
    profile = ["-profile", "2015.11"] if case["id"].endswith("_r201511") else []
    return ["coldstart", PROGRAMS[case["program"]], *profile, *case["args"]]


def without_places(log: str) -> str:
    """Return a log without the place that stands for several, which is an arbitrary one in the reference."""
    return re.sub(r" \((?:(?! \().)* and (\d+) other (places?)\)$", r" (* and \1 other \2)", log, flags=re.MULTILINE)


def sorted_lines(text: str) -> list[str]:
    return sorted(text.split("\n"))


def first_line(text: str) -> str:
    return text.split("\n")[0]


COMPARISONS = {
    "exact": str,
    "any_of": str,
    "log": without_places,
    "any_of_log": without_places,
    "sorted_lines": sorted_lines,
    "first_line": first_line,
}


def files_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def check(case: dict, source: Path, folder: Path, capfd) -> None:
    for name in case["inputs"]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, folder / name)
    before = files_below(folder)

    status = run(command(case))

    out, err = capfd.readouterr()
    written = files_below(folder) - before
    found = {"stdout": out, "stderr": err} | {name: (folder / name).read_bytes().decode() for name in written}
    expected = {"stdout": {"compare": "exact"}} | case["expected"]
    assert status != 0 if case["exit"] == "nonzero" else status == case["exit"], err
    assert written == set(expected) - STREAMS
    for name, rule in expected.items():
        if rule["compare"] == "own_words":
            continue
        view = COMPARISONS[rule["compare"]]
        files = rule.get("files") or ([rule["file"]] if "file" in rule else [])
        texts = [(source / file).read_bytes().decode() for file in files] or [""]
        assert view(found[name]) in [view(text) for text in texts], name


@in_bunches("case", SYNTHETIC)
def test_synthetic(case, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    check(case, packs.synthetic(SUITE) / case["dir"], tmp_path, capfd)


@NO_PUBLIC
@in_bunches("case", PUBLIC)
def test_public(case, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    check(case, packs.SHARED / SUITE / "public" / case["dir"], tmp_path, capfd)


def test_no_case_of_this_pack_scores_anything():
    assert {case["id"] for case in SYNTHETIC + PUBLIC} == set(packs.drop_in_only(SUITE))
