"""Every case of the HIPE pack down both roads: the drop-in byte by byte, and its numbers through ``karat.score``."""

from __future__ import annotations

import csv
import gzip
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from karat.cli import run
from karat.errors import KaratError
from tests.conformance import packs
from tests.conformance.bunches import in_bunches
from tests.protocols.hipe import roads

SYNTHETIC = packs.manifest("hipe")
PUBLIC = packs.public("hipe")
PROGRAMS = {"clef_evaluation.py": "evaluate", "normalize_linking.py": "normalize-linking"}
DROP_IN_ONLY = packs.drop_in_only("hipe")
NO_PUBLIC = pytest.mark.skipif(not PUBLIC, reason="the public HIPE data are not beside the repository")


def profiles(case: dict) -> list[str]:
    """Return the profiles that a case speaks of; link normalisation has only one."""
    if "published_rows" in case:
        return ["2020"]
    if case["program"] != "clef_evaluation.py":
        return ["current"]
    return ["current", "2022"]


def command(case: dict, profile: str = "current") -> list[str]:
    words = ["hipe", PROGRAMS[case["program"]], *case["args"]]
    return words if profile == "current" else [*words, "--profile", profile]


def lay_out(case: dict, folder: Path) -> Path:
    source = packs.synthetic("hipe") / "cases" / case["id"]
    for file in case["files"]:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / file, folder / file)
    for directory in case.get("mkdirs", ["out"]):
        (folder / directory).mkdir(parents=True, exist_ok=True)
    return source


def files_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def check_second_road(case: dict, profile: str, reports: list[Path], *, fails: bool) -> None:
    """Score the files of a case by the protocol: what the drop-in refuses is refused, else the numbers are its own."""
    if case["id"] in DROP_IN_ONLY:
        return
    words = command(case, profile)[2:]
    if fails:
        with pytest.raises(KaratError):
            roads.score(words)
        return
    (report,) = (text for text in (path.read_text("utf-8") for path in reports) if text.startswith("{"))
    roads.compare(json.loads(report), words)


def test_only_cases_of_the_pack_are_left_to_the_drop_in():
    public = {case["id"] for case in PUBLIC} or {case for case in DROP_IN_ONLY if case.startswith("p2")}
    assert DROP_IN_ONLY.keys() <= {case["id"] for case in SYNTHETIC} | public


def messages(log: str) -> Counter[str]:
    """Return the records of a log without their times; a record may have several lines."""
    return Counter(re.split(r"^(?:<TIME>|[\d-]+ [\d:,]+) - ", log, flags=re.MULTILINE))


@in_bunches("case,profile", [(one, two) for one in SYNTHETIC for two in profiles(one)])
def test_synthetic(case, profile, tmp_path, monkeypatch, capfd):
    source = lay_out(case, tmp_path)
    before = files_below(tmp_path)
    monkeypatch.chdir(tmp_path)
    expected = source / ("expected_2022" if profile == "2022" and "expected_2022" in case["variants"] else "expected")
    result = json.loads((expected / "result.json").read_text("utf-8"))

    status = run(command(case, profile))

    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    written = files_below(tmp_path) - before
    if result["kind"] == "ok":
        assert status == 0, err
        assert written == set(result["written"])
        for file in written - {case["log"]}:
            assert (tmp_path / file).read_bytes() == (expected / file).read_bytes(), file
        if case["log"] in written:
            assert messages((tmp_path / case["log"]).read_text("utf-8")) == messages(
                (expected / case["log"]).read_text("utf-8")
            )
    else:
        assert status == (2 if result["kind"] == "exit" else 3), err
        assert written == set()
        assert err.strip()
    reports = [tmp_path / file for file in written - {case["log"]}]
    check_second_road(case, profile, reports, fails=result["kind"] != "ok")


@NO_PUBLIC
@in_bunches("case,profile", [(one, two) for one in PUBLIC for two in profiles(one)], size=1)
def test_public(case, profile, tmp_path, monkeypatch, capfd):
    root = packs.SHARED / "hipe" / "public"
    for directory in ("out", "norm"):
        (tmp_path / directory).mkdir()
    for file, stored in case["inputs"].items():
        data = (root / stored).read_bytes()
        (tmp_path / file).write_bytes(gzip.decompress(data) if stored.endswith(".gz") else data)
    monkeypatch.chdir(tmp_path)
    for program, *arguments in case.get("prepare", []):
        assert run(["hipe", PROGRAMS[program], *arguments]) == 0
    before = files_below(tmp_path)

    status = run(command(case, profile))

    written = files_below(tmp_path) - before
    check_second_road(case, profile, [tmp_path / file for file in written if file != "run.log"], fails=status != 0)
    if "published_rows" in case:
        assert status == 0, capfd.readouterr().err
        check_rows(case, tmp_path / "out")
        return
    wanted = case["official"] if profile == "2022" else case["expected"]
    if not wanted:
        assert (status, written) == (3, set())
        return
    assert status == 0, capfd.readouterr().err
    for file, stored in wanted.items():
        made = tmp_path / file if case["program"] == "normalize_linking.py" else tmp_path / "out" / file
        data = (root / stored).read_bytes()
        data = gzip.decompress(data) if stored.endswith(".gz") else data
        if profile == "2022":  # some published files have LF line ends
            assert made.read_bytes().replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n"), file
        else:
            assert made.read_bytes() == data, file


FIXED = json.loads(packs.member("hipe", "fixed_mode.json"))["cases"]


@in_bunches("case", [one for one in SYNTHETIC if one["id"] in FIXED])
def test_corrected_links(case, tmp_path, monkeypatch, capfd):
    """The corrected link spans, as specified by hand; every case without the published program's own linking."""
    lay_out(case, tmp_path)
    monkeypatch.chdir(tmp_path)
    words = [word for word in command(case, "corrected") if word not in ("-g", "--original_nel", "--orig")]

    status = run(words)

    assert status == 0, capfd.readouterr().err
    roads.compare(json.loads(next((tmp_path / "out").glob("*.json")).read_text("utf-8")), words[2:])
    (report,) = (tmp_path / "out").glob("*.tsv")
    with report.open(newline="") as stream:
        rows = {row["Evaluation"]: row for row in csv.DictReader(stream, delimiter="\t")}
    for layer, expected in FIXED[case["id"]].items():
        column, cutoff = layer.split("@")
        for regime in ("fuzzy", "strict"):
            (row,) = (
                row
                for key, row in rows.items()
                if key.startswith(f"{column}-micro-{regime}-") and key.endswith(f"-TIME-ALL-LED-ALL-@{cutoff}")
            )
            assert {count: int(row[count]) for count in ("TP", "FP", "FN")} == expected[regime]
            if regime == "fuzzy":
                assert [float(row[measure]) for measure in ("P", "R", "F1")] == [
                    round(expected[measure], 3) for measure in ("P", "R", "F1")
                ]


def check_rows(case: dict, folder: Path) -> None:
    rows = {}
    for file in folder.glob("*.tsv"):
        with file.open(newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                rows[row["Evaluation"].replace("-TIME-ALL-LED-ALL", ""), row["Label"]] = row
    for published in case["published_rows"]:
        row = rows[published["Evaluation"], published["Label"]]
        for key in ("P", "R", "F1", "TP", "FP", "FN"):
            assert float(row[key]) == float(published[key]), (published, row)
