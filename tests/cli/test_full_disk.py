"""A disk that fills up is one sentence, and nothing half-written is left, whoever writes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from karat.cli import run

resource = pytest.importorskip("resource", reason="the limit of file sizes is that of Unix")

EXAMPLES = Path(__file__).parents[2] / "examples"
HIPE = [str(EXAMPLES / "hipe" / f"{name}.tsv") for name in ("gold", "system-a", "system-b")]
COMMANDS = {
    "score": ["score", "hipe2022-nerc-coarse", *HIPE[:2], "--save", "out", "--out", os.devnull],
    "part": ["score", "hipe2022-nerc-coarse", *HIPE[:2], "--part", "1/2", "--save", "out"],
    "convert": ["convert", HIPE[0], "out", "--to", "jsonl"],
    "report": ["report", "hipe2022-nerc-coarse", *HIPE[:2], "-o", "out"],
    "leaderboard": ["leaderboard", "hipe2022-nerc-coarse", *HIPE, "--view", "json", "--out", "out"],
    "omin": [
        "omin",
        "evaluate",
        str(EXAMPLES / "omin" / "results"),
        "--gold",
        str(EXAMPLES / "omin" / "gold"),
        "-o",
        "out",
    ],
    "newsreader": ["newsreader", "evaluate", "gold.tsv", "gold.tsv", "out"],
}
MOST = 400
"""Bytes that a file may have."""


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_left(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.tsv").write_text("".join(f"{number}.naf\t1-2\tBern\ta b\n" for number in range(50)))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, before[1]))
    try:
        status = run(COMMANDS[command])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert status == 3
    told = capfd.readouterr().err.splitlines()
    assert told[-1].startswith("karat: ")
    assert told[-1].endswith("cannot be written: file too large")
    assert [path.name for path in tmp_path.iterdir()] == ["gold.tsv"]
