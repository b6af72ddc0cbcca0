"""Every case of the eHealth-KD pack down both roads.

Through the programs: reports on standard output and files, byte for byte. And every pair of files that a program judges
on the way through ``karat.score``: the same counts, and the same ratios to the last bit.
"""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from karat.cli import run
from karat.protocols.ehealthkd.drop_in.score_2020 import evaluate, printed, read
from karat.protocols.ehealthkd.rules import Rules
from tests.conformance import packs
from tests.conformance.bunches import in_bunches
from tests.protocols.ehealthkd.roads import Spy, compare

SYNTHETIC = packs.manifest("ehealthkd")
PUBLIC = packs.public("ehealthkd")
DROP_IN_ONLY = packs.drop_in_only("ehealthkd")
COMMANDS = {
    "score": ["score", "--edition"],
    "evaltest": ["rank", "--edition"],
    "score_2021": ["rank", "--edition"],
    "codalab_eval": ["codalab"],
}


def check_second_road(case: dict[str, Any], spy: Spy) -> None:
    """Score what the program judged by the protocols; where it judges nothing, the case is listed with the reason."""
    judged = [pair for pair in spy.judged if pair.part]
    assert bool(judged) == (case["id"] not in DROP_IN_ONLY)
    for pair in judged:
        compare(pair)


def test_cases_of_the_drop_in_only_are_cases() -> None:
    assert DROP_IN_ONLY.keys() <= {case["id"] for case in (*SYNTHETIC, *PUBLIC)}


def command(case: dict[str, Any]) -> list[str]:
    words = COMMANDS[case["program"]]
    return ["ehealthkd", *words, *([case["edition"]] if len(words) > 1 else []), *case["args"]]


def summary(text: str) -> list[str]:
    """Return the lines of the 2021 summary on standard error; warnings beside it are in our own words."""
    return [line for line in text.splitlines() if "scenario" in line and line.rpartition(":")[0].endswith(NAMES)]


NAMES = ("_f1", "_precision", "_recall", "_best")


def check(case: dict[str, Any], expected: Path, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = {path for path in folder.rglob("*") if path.is_file()}
    status = run(command(case))
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    written = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path not in before
    }
    wanted = case["expected"]
    if wanted["exit"] != 0:
        assert status in (2, 3), err
        assert written == set()
        assert err.startswith(("karat: ", "Usage: ", "warning: ", "UserWarning: ")) or summary(err)
        if status == 3:
            assert out == (expected / wanted["stdout"]).read_bytes().decode()
        return
    assert status == 0, err
    assert out == (expected / wanted["stdout"]).read_bytes().decode()
    if case["edition"] == "2021" and case["program"] == "score":
        assert summary(err) == summary((expected / wanted["stderr"]).read_text("utf-8"))
    assert written == set(wanted.get("files", {}))
    for name, stored in wanted.get("files", {}).items():
        assert (folder / name).read_bytes() == (expected / stored).read_bytes(), name


@in_bunches("case", [one for one in SYNTHETIC if one["program"] != "api"])
def test_synthetic(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source = packs.synthetic("ehealthkd") / case["cwd"].split("/")[0]
    folder = tmp_path / "case"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("expected"))
    working = folder.joinpath(*case["cwd"].split("/")[1:])
    monkeypatch.chdir(working)
    spy = Spy(monkeypatch)
    check(case, source, working, capfd)
    check_second_road(case, spy)


@in_bunches("case", [one for one in SYNTHETIC if one["program"] == "api"])
def test_switches_of_the_matching(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    source = packs.synthetic("ehealthkd") / case["cwd"]
    monkeypatch.chdir(source)
    gold, system, *words = case["args"]
    switches = {name: value == "1" for name, value in (word.split("=") for word in words)}
    spy = Spy(monkeypatch)
    result = evaluate(read(gold, system, Rules(**switches)))
    items = str(printed(result, verbose=True).text).partition("--------------------\n")[0]
    numbers = "".join(f"{name} {result.metrics[name]}\n" for name in ("recall", "precision", "f1"))
    assert items + numbers == (source / case["expected"]["stdout"]).read_bytes().decode()
    check_second_road(case, spy)


@cache
def unpacked(names: tuple[str, ...], folder: Path) -> Path:
    for name in names:
        packs.unpack(packs.SHARED / "ehealthkd" / "public" / name, folder)
    return folder


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ehealthkd")


@pytest.mark.skipif(not PUBLIC, reason="the public eHealth-KD data are not beside the repository")
@in_bunches("case", PUBLIC, size=1)
def test_public(
    case: dict[str, Any], room: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = room / str(abs(hash(tuple(case["unpack"]))))
    working = unpacked(tuple(case["unpack"]), folder) / case["cwd"]
    monkeypatch.chdir(working)
    spy = Spy(monkeypatch)
    check(case, packs.SHARED / "ehealthkd" / "public", working, capfd)
    check_second_road(case, spy)
