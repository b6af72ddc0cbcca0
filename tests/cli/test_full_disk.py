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
    "split": ["split", HIPE[0], "-n", "2", "-o", "out"],
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
    "compare": ["compare", "hipe2022-nerc-coarse", *HIPE, "--resamples", "5", "--view", "json", "--out", "out"],
    "explain": ["explain", "hipe2022-nerc-coarse", *HIPE[:2], "--view", "jsonl", "--out", "out"],
    "facts": ["facts", "hipe2022-nerc-coarse", *HIPE[:2], "-o", "out"],
    "judge pool": ["judge", "pool", *HIPE[1:], "--kind", "mention", "-o", "out"],
    "codabench": ["leaderboard", "hipe2022-nerc-coarse", HIPE[0], "--codabench", "out"],
    "ontology": ["ontology", "build", "out", "gold.tsv"],
    "folder": ["convert", HIPE[0], "out", "--to", "naf", "--lossy"],
    "demo": ["demo", "out"],
    "newsreader": ["newsreader", "evaluate", "gold.tsv", "gold.tsv", "out"],
}
MOST = 400
"""Bytes that a file may have."""


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_left(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # modules would be cut off, too, and stay so
    line = {"ontology": "Q{0}\tP279\tQ1\n"}.get(command, "{0}.naf\t1-2\tBern\ta b\n")
    head = {"ontology": "node1\tlabel\tnode2\n"}.get(command, "")
    Path("gold.tsv").write_text(head + "".join(line.format(number) for number in range(2, 90)))
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
