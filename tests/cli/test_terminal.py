"""Whatever files and labels are called, a terminal obeys Karat and nobody else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import ENVIRONMENT, GOLD

pty = pytest.importorskip("pty")

EXAMPLES = Path(__file__).parents[2] / "examples"
EVIL = "x\x1b[2J\r\nEVIL\x07\u202e\x9b31m\x7f"
LINES = {
    "absent": ["validate", "{}absent"],
    "command": ["{}"],
    "option": ["validate", "--{}"],
    "choice": ["score", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--view", "{}"],
    "score": ["score", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--by", "label", "--fail-under", "1"],
    "tsv": ["score", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--by", "label", "--view", "tsv"],
    "json": ["score", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--by", "label", "--view", "json"],
    "markdown": ["score", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--by", "label", "--view", "markdown"],
    "html": ["score", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--by", "label", "--view", "html"],
    "latex": ["score", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--by", "label", "--view", "latex"],
    "explain": ["explain", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv"],
    "explain jsonl": ["explain", "hipe2022-nerc-coarse", "{}.tsv", "{}.tsv", "--view", "jsonl"],
    "convert": ["convert", "{}.conll", "out.jsonl", "--read", "scheme=IOB2"],
    "print": ["convert", "{}.tsv", "-", "--to", "jsonl"],
    "validate": ["validate", "{}.conll", "--read", "scheme=IOB2"],
    "validate jsonl": ["validate", "{}.conll", "--read", "scheme=IOB2", "--view", "jsonl"],
    "hipe rank": ["hipe", "rank", "{}submitted", "{}golds", "-o", "{}out"],
    "hipe evaluate": ["hipe", "evaluate", "--ref", "{}.tsv", "--pred", "{}.tsv", "--task", "nel", "--log", "{}"],
    "omin evaluate": ["omin", "evaluate", "{}omin/results", "-g", "{}omin/gold", "-o", "{}out"],
    "newsreader": ["newsreader", "gold", "{}golds", "{}absent/out"],
    "ontology build": ["ontology", "build", "{}index", "{}.claims"],
    "ontology info": ["ontology", "info", "{}absent"],
    "coldstart": ["coldstart", "validate-kb", "{}.kb"],
    "conll2012": ["conll2012", "muc", "{}absent", "{}absent"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evil")
    label = EVIL.replace("\r\n", "")
    (folder / f"{EVIL}.tsv").write_text(GOLD.replace("B-pers", f"B-{label}").replace("_\n# doc", "NoSpaceAfter\n# doc"))
    (folder / f"{EVIL}.conll").write_text("Bern B-loc\nBasel I-org\n")
    (folder / f"{EVIL}.claims").write_text("node1\tlabel\tnode2\nQ1\tP279\tQ2\n")
    (folder / f"{label}.kb").write_text(f"run1\n:A\ttype\t{label}\n:A\tmention\t{label}\td1:0-3\n")
    (folder / f"{EVIL}out").mkdir()
    for name, source in (("submitted", "team_bundle4_hipe2020_de_1.tsv"), ("golds", "HIPE-hipe2020-test-de.tsv")):
        (folder / f"{EVIL}{name}").mkdir()
        shutil.copy(EXAMPLES / "hipe" / "gold.tsv", folder / f"{EVIL}{name}" / source)
    shutil.copytree(EXAMPLES / "omin", folder / f"{EVIL}omin")
    shutil.copy(folder / f"{EVIL}omin/results/tool/ner.csv", folder / f"{EVIL}omin/results/tool/{EVIL}.csv")
    return folder


def on_a_terminal(words: list[str], folder: Path) -> bytes:
    """Return what a command shows on a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "karat", *words]
    with subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65_536):
                shown += part
        except OSError:  # what a terminal says when nobody writes to it any more
            pass
    os.close(ours)
    return shown


@pytest.mark.parametrize("name", LINES)
def test_no_name_is_obeyed(name: str, folder: Path) -> None:
    evil = EVIL.replace("\r\n", "") if name == "coldstart" else EVIL  # its lines are those of the program
    shown = on_a_terminal([word.format(evil) for word in LINES[name]], folder)
    assert b"Traceback" not in shown
    assert b"internal error" not in shown
    own = shown.replace(b"\r\x1b[K", b"").replace(b"\r\n", b"\n")  # the beginning of a status line, and a line end
    own = re.sub(rb"\x1b\[(?:[012]|3[1235]|7;3[15])m", b"", own)  # our own tones
    assert re.findall(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]", own) == []
    if name not in ("command", "option", "choice"):
        assert not any(line.startswith(b"EVIL") for line in own.split(b"\n"))


EXPLAIN = ["--quiet", "explain", "hipe2022-nerc-coarse"] + [
    str(EXAMPLES / "hipe" / name) for name in ("gold.tsv", "system-a.tsv")
]


def test_colours_are_for_terminals_that_show_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "TERM", "xterm")
    monkeypatch.setitem(ENVIRONMENT, "COLUMNS", "90")
    monkeypatch.setitem(ENVIRONMENT, "LC_ALL", "C.UTF-8")
    coloured = on_a_terminal(EXPLAIN, folder)
    assert b"\x1b[33m" in coloured
    assert "├".encode() in coloured
    monkeypatch.setitem(ENVIRONMENT, "NO_COLOR", "1")
    monkeypatch.setitem(ENVIRONMENT, "LC_ALL", "C")
    plain = on_a_terminal(EXPLAIN, folder)
    assert b"\x1b" not in plain
    assert b" |---------------------| PERS" in plain
    assert max(len(line.decode()) for line in plain.split(b"\r\n")) == 90


def test_a_pipe_gets_the_bytes_as_they_are(folder: Path) -> None:
    """What is meant for programs is not changed, as click would: only a terminal obeys."""
    words = ["convert", f"{EVIL}.tsv", "-", "--to", "hipe"]
    command = [sys.executable, "-m", "karat", *words]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, check=True)
    assert b"\x1b[2J" in done.stdout


@pytest.mark.parametrize("closed", ["2>&-", ">&-"])
def test_who_closes_a_stream_gets_the_status_all_the_same(closed: str, tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("Bern B-LOC\n")
    for file, status in (("gold.conll", 0), ("absent", 3)):
        command = ["sh", "-c", f'exec "$0" -m karat score conll2003 {file} {file} {closed}', sys.executable]
        assert subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, check=False).returncode == status
