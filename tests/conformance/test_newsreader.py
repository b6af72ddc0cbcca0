"""Every case of the NewsReader pack through the command line: what is printed and every file that is written."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from karat.cli import run
from tests.conformance import packs

SYNTHETIC = packs.manifest("newsreader")
PUBLIC = packs.public("newsreader")
PROGRAMS = {
    "goldFiveSentences.pl": "gold",
    "goldFiveSentencesWithRedirects.pl": "gold-with-redirects",
    "systemFiveSentences.pl": "system",
    "systemFiveSentencesNotEnglish.pl": "system-not-english",
    "systemFiveSentencesWithRedirects.pl": "system-with-redirects",
    "evaluate.pl": "evaluate",
}
NO_ARGUMENTS = {"ev_noargs"}
"""Cases without what the command line asks for, which is a fault of usage and not of input."""


def label(case: dict) -> str:
    return case["id"]


def same(found: bytes, expected: bytes, how: str) -> bool:
    if how == "multiset":
        return Counter(found.split(b"\n")) == Counter(expected.split(b"\n"))
    assert how == "exact"
    return found == expected


def check(case: dict, source: Path, folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Run a case in a folder; where the program fails, Karat says so, prints as much as it, and writes nothing."""
    (folder / "out").mkdir(exist_ok=True)
    before = {path for path in folder.rglob("*") if path.is_file()}

    status = run(["newsreader", PROGRAMS[case["program"]], *case["args"]])

    out, err = capfdbinary.readouterr()
    assert b"Traceback" not in err
    written = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path not in before
    }
    expected = case["expected"]
    assert same(out, (source / expected["stdout"]).read_bytes(), case["compare"]["stdout"])
    if expected["exit"] != "zero":
        assert status == (2 if case["id"] in NO_ARGUMENTS else 3)
        assert err.strip()
        assert not written
        return
    assert status == 0, err
    assert written == set(expected["files"])
    for name, stored in expected["files"].items():
        assert same((folder / name).read_bytes(), (source / stored).read_bytes(), case["compare"][name]), name


@pytest.mark.parametrize("case", SYNTHETIC, ids=label)
def test_synthetic(
    case: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source = packs.synthetic("newsreader") / case["cwd"]
    folder = os.fsencode(tmp_path / "case")
    shutil.copytree(os.fsencode(source), folder, ignore=shutil.ignore_patterns(b"expected"))
    monkeypatch.chdir(tmp_path / "case")
    check(case, source, tmp_path / "case", capfdbinary)


@pytest.mark.skipif(not PUBLIC, reason="the public NewsReader data are not beside the repository")
@pytest.mark.parametrize("case", PUBLIC, ids=label)
def test_public(
    case: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source = packs.SHARED / "newsreader" / "public"
    for name in ("data", "expected"):
        (tmp_path / name).symlink_to(source / name)
    monkeypatch.chdir(tmp_path)
    check(case, source, tmp_path, capfdbinary)
