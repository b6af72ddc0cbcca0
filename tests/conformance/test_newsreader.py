"""Every case of the NewsReader pack down both roads.

Through the command line: what is printed, and every file that is written. And, where the program scores, its files as
documents by the protocol: the same counts, and the same ratios to the last digit that is printed.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from karat.cli import run
from karat.protocols.newsreader.drop_in.evaluate import read_published
from tests.conformance import packs
from tests.conformance.bunches import in_bunches
from tests.protocols.newsreader.extracted import as_printed, printed, scored

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
DROP_IN_ONLY = packs.drop_in_only("newsreader")
NO_ARGUMENTS = {"ev_noargs"}
"""Cases without what the command line asks for, which is a fault of usage and not of input."""


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


@in_bunches("case", SYNTHETIC)
def test_synthetic(
    case: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source = packs.synthetic("newsreader") / case["cwd"]
    folder = os.fsencode(tmp_path / "case")
    shutil.copytree(os.fsencode(source), folder, ignore=shutil.ignore_patterns(b"expected"))
    monkeypatch.chdir(tmp_path / "case")
    check(case, source, tmp_path / "case", capfdbinary)


@pytest.mark.skipif(not PUBLIC, reason="the public NewsReader data are not beside the repository")
@in_bunches("case", PUBLIC)
def test_public(
    case: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source = packs.SHARED / "newsreader" / "public"
    for name in ("data", "expected"):
        (tmp_path / name).symlink_to(source / name)
    monkeypatch.chdir(tmp_path)
    check(case, source, tmp_path, capfdbinary)


def check_protocol(case: dict, source: Path, folder: Path) -> None:
    """Score the files of a case by the protocol, and compare with what the program printed."""
    expected, lines = printed((source / case["expected"]["stdout"]).read_text("latin-1"))
    gold, system = (read_published(str(folder / name)) for name in case["args"][:2])
    counts, values = scored("newsreader-ned", gold, system)
    assert counts == expected
    assert len(lines) == (2 if case["expected"]["exit"] == "zero" else 0)
    for regime, cells in zip(values, lines, strict=False):
        assert as_printed(values[regime], published=True) == cells


@in_bunches("case", [case for case in SYNTHETIC if case["id"] not in DROP_IN_ONLY])
def test_synthetic_by_protocol(case: dict) -> None:
    source = packs.synthetic("newsreader") / case["cwd"]
    check_protocol(case, source, source)


@pytest.mark.skipif(not PUBLIC, reason="the public NewsReader data are not beside the repository")
@in_bunches("case", [case for case in PUBLIC if case["id"] not in DROP_IN_ONLY])
def test_public_by_protocol(case: dict) -> None:
    source = packs.SHARED / "newsreader" / "public"
    check_protocol(case, source, source)


def test_only_what_scores_nothing_stays_with_the_drop_in() -> None:
    """Every case that is left out exists; those of the evaluation are left out by name, and the others all are."""
    cases = {case["id"]: case for case in [*SYNTHETIC, *PUBLIC]}
    if PUBLIC:
        assert DROP_IN_ONLY.keys() <= cases.keys()
    extractions = {name for name, case in cases.items() if case["program"] != "evaluate.pl"}
    assert extractions <= DROP_IN_ONLY.keys()
    nothing_counted = {"ev_regex_bad", "ev_nogold", "ev_nosys", "ev_noout", "ev_noargs"}
    assert DROP_IN_ONLY.keys() & cases.keys() - extractions == nothing_counted
