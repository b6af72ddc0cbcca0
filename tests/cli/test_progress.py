"""Progress is shown where somebody watches, once something takes long, and leaves nothing behind."""

from __future__ import annotations

import io
import os
import pty
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from karat.cli import progress, run
from karat.io.progress import expect, see, step, take, watched, watching
from karat.io.terminal import guard_streams, show_status, tell

EXAMPLES = Path(__file__).parents[2] / "examples"
HIPE = [str(EXAMPLES / "hipe" / f"{name}.tsv") for name in ("gold", "system-a", "system-b")]
CONLL = [str(EXAMPLES / "coreference" / f"{name}.conll") for name in ("gold", "system")]
COMMANDS = {
    "score": ["score", "hipe2022-nel", *HIPE],
    "explain": ["explain", "hipe2022-nel", *HIPE[:2]],
    "convert": ["convert", HIPE[0], "-", "--to", "jsonl"],
    "compare": ["compare", "hipe2022-nel", *HIPE],
    "leaderboard": ["leaderboard", "hipe2022-nel", *HIPE],
    "report": ["report", "hipe2022-nel", *HIPE[:2], "-o", "report.html"],
    "hipe": [
        "hipe",
        "evaluate",
        "-r",
        HIPE[0],
        "-p",
        HIPE[1],
        "-t",
        "nerc_coarse",
        "--skip-check",
        "--profile",
        "2020",
    ],
    "newsreader": ["newsreader", "evaluate", "gold.tsv", "system.tsv", "pairs.tsv"],
    "ehealthkd": ["ehealthkd", "score", "--gold", "gold", "--submit", "submit", "--scenarios", "1", "--runs", "1"],
    "coldstart": ["coldstart", "stats", str(EXAMPLES / "coldstart" / "kb.tac")],
    "omin": ["omin", "evaluate", str(EXAMPLES / "omin" / "results"), "--gold", str(EXAMPLES / "omin" / "gold")],
    "conll2012": ["conll2012", "all", *CONLL],
}
LINE = b"\r\x1b[K"
"""What puts a line of progress in the place of another."""
COMMANDS["omin"] += ["--tokens", str(EXAMPLES / "omin" / "faa.conll"), "-o", "tables"]


class Terminal:
    """What a pseudo terminal was sent."""

    def __init__(self) -> None:
        self.main, self.end = pty.openpty()
        self.sent = b""

    def read(self) -> None:
        """Read until nobody writes any more."""
        try:
            while piece := os.read(self.main, 65_536):
                self.sent += piece
        except OSError:  # the other end is closed
            os.close(self.main)

    @property
    def rows(self) -> list[bytes]:
        """The lines that stand there in the end: what was taken away is gone."""
        return [row.rpartition(LINE)[2] for row in self.sent.replace(b"\r\n", b"\n").split(b"\n")]


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """Let standard output and standard error be a pseudo terminal."""
    shown = Terminal()
    reader = threading.Thread(target=shown.read)
    reader.start()
    with monkeypatch.context() as patch, ExitStack() as stack:
        for name in ("stdout", "stderr"):
            stream = io.TextIOWrapper(io.FileIO(os.dup(shown.end), "w"), "utf-8", write_through=True)
            patch.setattr(sys, name, stack.enter_context(stream))
        guard_streams()
        try:
            yield shown
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os.close(shown.end)
    reader.join()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give some commands their files, and nobody colours."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    for name in ("gold.tsv", "system.tsv"):
        Path(name).write_text("a.naf\t1-2\tBern\ta b\n")
    for name in ("gold", "submit/run1"):
        scenario = tmp_path / name / "scenario1-main"
        scenario.mkdir(parents=True)
        (scenario / "output.txt").write_text("El asma\n")
        (scenario / "output.ann").write_text("T1\tConcept 3 7\tasma\n")
    return tmp_path


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock show something before the command begins, and again and again."""
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_BETWEEN", 0.0005)


def shown_by(words: list[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    with terminal(monkeypatch) as shown:
        assert run(words) == 0
    return shown


@pytest.mark.usefixtures("folder", "at_once")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_how_far_it_is_and_leaves_nothing_of_it(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = shown_by(COMMANDS[command], monkeypatch)
    line = f"{command}: ".encode()
    assert LINE + line in shown.sent
    assert not any(row.startswith(line) and row.endswith(b"0:00") for row in shown.rows)
    assert b"\x1b" not in b"".join(shown.rows)


@pytest.mark.usefixtures("folder", "at_once")
@pytest.mark.parametrize("command", ["score", "explain", "convert", "hipe", "conll2012"])
def test_nothing_is_shown_once_results_are(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_by(COMMANDS[command], monkeypatch)
    quiet = shown_by(["--quiet", *COMMANDS[command]], monkeypatch)
    assert shown.rows == quiet.rows


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("flag", ["--quiet", "--no-progress"])
def test_who_wants_none_has_none(flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in ([flag, *COMMANDS["score"]], [*COMMANDS["score"], flag]):
        assert LINE not in shown_by(words, monkeypatch).sent


@pytest.mark.usefixtures("at_once")
def test_there_is_none_in_a_pipe(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(COMMANDS["score"]) == 0
    assert "\x1b" not in "".join(capfd.readouterr())


def test_what_is_short_is_not_worth_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINE not in shown_by(COMMANDS["score"], monkeypatch).sent


def test_what_has_no_size_is_counted_in_bytes(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "absent"):
        shown = progress.Progress("score")
        shown.take(str(tmp_path / name), 0)
        assert f"{name}, 0 MB read" in shown.line()


def test_a_remark_takes_the_place_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as shown:
        show_status("score: 1 documents read")
        sys.stderr.write("a remark\n")
    assert shown.rows == [b"a remark", b""]


def test_a_line_is_no_longer_than_the_terminal_is_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    with terminal(monkeypatch) as shown:
        show_status("a\x1b very long name of a file")
    assert shown.sent.decode() == "\r\x1b[Ka\\x1b very long na…"


def steps() -> None:
    step(2, 7, "team 3: nel")


def documents() -> None:
    expect(4)
    assert list(watched("a")) == ["a"]
    see(1)


def blocks() -> None:
    take(HIPE[0], Path(HIPE[0]).stat().st_size // 2)


def packed() -> None:
    take(HIPE[0], 5_000_000)


@pytest.mark.parametrize(
    ("tell", "line"),
    [
        (steps, "rank: [2/7] team 3: nel, 0:10"),
        (documents, "rank: 2 documents read, 0 a second, about 0:10 left, 0:20"),
        (blocks, "rank: gold.tsv, 50% read, 0:10"),
        (packed, "rank: gold.tsv, 5 MB read, 0:10"),
        (lambda: None, "rank: 0:10"),
    ],
)
def test_the_line_says_what_is_known(tell: Callable[[], None], line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    shown = progress.Progress("rank")
    with watching(shown):
        tell()
    assert shown.line() == line


def test_no_line_comes_between_a_remark_and_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def show_lines() -> None:
        for _ in range(3000):
            show_status("half of it is read")

    with terminal(monkeypatch) as shown:
        clock = threading.Thread(target=show_lines)
        clock.start()
        for _ in range(3000):
            tell("a remark")
        clock.join()
        show_status("")
    assert shown.rows == [b"a remark"] * 3000 + [b""]
