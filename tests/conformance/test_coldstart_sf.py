"""Every case of the Cold Start slot-filling pack through the command line, stream by stream and file by file."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from karat.cli import run
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

SUITE = "coldstart-sf"
SYNTHETIC = packs.manifest(SUITE)
PUBLIC = packs.public(SUITE)
PROGRAMS = {
    "cs-score": "score",
    "cs-validate-sf": "validate-sf",
    "cs-sf-queryid-corrector": "correct-query-ids",
    "cs-project-ldc": "project-scores",
}
STREAMS = {"stdout", "stderr"}
NO_PUBLIC = pytest.mark.skipif(not PUBLIC, reason="the public Cold Start data are not beside the repository")


def canonical(text: str) -> str:
    """Return diagnostics without the one place that stands for several, which is arbitrary in the reference."""
    text = re.sub(
        r"^(ERROR: Unknown slot name: .*?) \((?:(?! \().)* and \d+ other(?: places?)?\)$", r"\1", text, flags=re.M
    )
    return re.sub(r" \((?:(?! \().)* and (\d+) other(?: places?)?\)$", r" (<ANY> and \1 other)", text, flags=re.M)


def agree(found: str, expected: str, name: str) -> bool:
    """Compare as the pack says: usage by its first line, versions not at all, deaths of the reference by status."""
    if expected.startswith("ERROR: ") and name == "stdout" and "\n\n" in found:
        return found.split("\n")[0] == expected.split("\n")[0]
    if expected.endswith(" at PROGRAM\n"):
        return found.startswith("DIE: ")
    if "<VERSION>" in expected:
        return re.fullmatch(re.escape(expected).replace("<VERSION>", ".+"), found) is not None
    return canonical(found) == canonical(expected)


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check(case: dict, source: Path, folder: Path, capfd) -> None:
    inside = Path(case["cwd"])
    for name in case["inputs"]:
        target = folder / Path(name).relative_to(inside)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, target)
        target.chmod(0o644)
    before = files_below(folder)

    status = run(["coldstart", PROGRAMS[case["program"]], *case["args"]])

    out, err = capfd.readouterr()
    after = files_below(folder)
    found = {"stdout": out, "stderr": err} | {name: data.decode() for name, data in after.items()}
    assert status == case["expected_exit"], err
    for name, file in case["expected"].items():
        if file is None:
            assert name not in after
        else:
            expected = (source / file).read_bytes().decode()
            assert agree(found[name], expected, name), f"{name}\n{found[name]}\n---\n{expected}"
    new = {name for name, data in after.items() if before.get(name) != data}
    assert new <= set(case["expected"]) - STREAMS


@in_bunches("case", SYNTHETIC)
def test_synthetic(case, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    check(case, packs.synthetic(SUITE) / case["folder"], tmp_path, capfd)


@NO_PUBLIC
@in_bunches("case", PUBLIC)
def test_public(case, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    check(case, packs.SHARED / SUITE / "public", tmp_path, capfd)
