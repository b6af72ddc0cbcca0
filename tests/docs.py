"""The examples of the documentation: found in a page, run in order in one folder, compared with what the page shows.

A page may hold four kinds of fenced blocks that mean something here:

- ``console``: lines that begin with ``$ `` are commands, the lines below each are what it prints on either stream;
- ``python``: a session with ``>>>`` prompts, or plain code that later sessions of the page use;
- any block with ``title="name"``: a file of that name, written to the folder;
- ``sh`` and all others: only to be read.

A line ``...`` stands for any lines. A block below a line ``<!-- needs NAME -->`` is run only where that module is
installed. ``python -m tests.docs`` writes what commands print now into the pages, and what is derived from the code.
"""

from __future__ import annotations

import doctest
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import BinaryIO, NamedTuple
from unittest import mock

import karat
from karat.cli import run
from tests import derived, floorplan

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "examples/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
_FENCE = re.compile(r"^```(?P<kind>\w*)(?:.*title=\"(?P<title>[^\"]+)\")?")
_NEEDS = re.compile(r"<!-- needs (\w+) -->")
_VERSION = re.compile(r"karat:\d[^|\s]*|(?<=karat, version )\S+")
_SHELL = {"|", ">", "<", ">>", "&&", ";"}
_PIPED = re.compile(r"karat (?P<words>[^|<>&;]+) \| (?P<rest>[^<>&;]+)")
_REDIRECTED = re.compile(r"karat (?P<words>[^|<>&;]+) > (?P<file>[^|<>&;\s]+)")


class Block(NamedTuple):
    """A fenced block: its kind, the file it is to be (or nothing), the index of its first line, and its lines.

    ``lacking`` is the module that it needs and that is not installed, if there is one.
    """

    kind: str
    title: str | None
    first: int
    lines: list[str]
    lacking: str | None = None


class Command(NamedTuple):
    """A command of a page and what the page shows below it, with the place of that among the lines of the page."""

    text: str
    first: int
    shown: list[str]


def blocks(lines: list[str]) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    opening: tuple[str, str | None, int] | None = None
    for index, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if opening is None:
            found = _FENCE.match(line)
            assert found is not None
            opening = (found["kind"], found["title"], index + 1)
        else:
            kind, title, first = opening
            needed = _NEEDS.fullmatch(lines[first - 2]) if first > 1 else None
            lacking = needed[1] if needed and importlib.util.find_spec(needed[1]) is None else None
            yield Block(kind, title, first, lines[first:index], lacking)
            opening = None
    assert opening is None, "a fenced block is never closed"


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block; a backslash at the end of a line continues it."""
    found: list[Command] = []
    for index, line in enumerate(block.lines):
        if line.startswith("$ "):
            found.append(Command(line[2:], block.first + index + 1, []))
        elif found[-1].text.endswith("\\") and not found[-1].shown:
            text = f"{found[-1].text[:-1].rstrip()} {line.strip()}"
            found[-1] = Command(text, block.first + index + 1, [])
        else:
            found[-1].shown.append(line)
    return found


class Session:
    """Runs the examples of one page; the current folder must be the one they are to run in."""

    def __init__(self) -> None:
        self.status = 0
        self.names: dict[str, object] = {"__name__": "page"}
        self.path = [str(Path.cwd()), *sys.path]
        """Where modules are looked for: files of the page first."""

    def command(self, text: str) -> list[str]:
        """Run a command and return the lines it prints; Karat runs in this process where it comes first."""
        words = shlex.split(text)
        if words[0] == "karat" and _SHELL.isdisjoint(words):
            stream = io.BytesIO()
            self._karat(words[1:], stream, stream)
            output = stream.getvalue()
        elif match := _PIPED.fullmatch(text):
            stream, messages = io.BytesIO(), io.BytesIO()
            self._karat(shlex.split(match["words"]), stream, messages)
            output = messages.getvalue() + self._shell(match["rest"], stream.getvalue())
        elif match := _REDIRECTED.fullmatch(text):
            messages = io.BytesIO()
            with Path(match["file"]).open("wb") as file:
                self._karat(shlex.split(match["words"]), file, messages)
            output = messages.getvalue()
        else:
            output = self._shell(text)
        return [line.rstrip() for line in output.decode().replace("\r\n", "\n").splitlines()]

    def _karat(self, words: list[str], out: BinaryIO, messages: BinaryIO) -> None:
        written = {stream: io.TextIOWrapper(stream, encoding="utf-8", newline="") for stream in {out, messages}}
        with redirect_stdout(written[out]), redirect_stderr(written[messages]):
            self.status = run(words)
        for text in written.values():
            text.detach()  # which writes what is left, and leaves the stream open

    def _shell(self, text: str, data: bytes = b"") -> bytes:
        source = str(Path(karat.__file__).parents[1])
        programs = {"python3": "", "karat": "-m karat", "pytest": "-m pytest"}
        python = shlex.quote(sys.executable)
        own = "".join(f'{name}() {{ {python} {words} "$@"; }}\n' for name, words in programs.items())
        script = f"{own}(exit {self.status})\n{text}"
        # A page that calls pytest does not inherit the options of the run that tests it.
        inherited = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
        done = subprocess.run(
            ["sh", "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            input=data,
            env={**inherited, "PYTHONPATH": source, "LC_ALL": "C.UTF-8"},
            check=False,
        )
        self.status = done.returncode
        return done.stdout

    def python(self, block: Block, page: str) -> str:
        """Run a session or plain code and return what differs from the page, nothing if all is as shown."""
        text = "\n".join(block.lines) + "\n"
        with mock.patch.object(sys, "path", self.path):
            return self._run(text, block, page)

    def _run(self, text: str, block: Block, page: str) -> str:
        if ">>> " not in text:
            exec(compile("\n" * block.first + text, page, "exec"), self.names)  # noqa: S102 - our own pages
            return ""
        test = doctest.DocTestParser().get_doctest(text, self.names, page, page, block.first)
        test.globs = self.names
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
        runner.run(test, out=report.write, clear_globs=False)
        return report.getvalue()


def same(shown: list[str], printed: list[str]) -> bool:
    """Say whether a command printed what the page shows; versions may differ, ``...`` stands for any lines.

    >>> same(["a", "...", "z"], ["a", "b", "c", "z"]), same(["a"], ["a", "b"])
    (True, False)
    """
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(f"{line.rstrip()}\n") for line in _plain(shown))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _plain(printed))) is not None


def _plain(lines: list[str]) -> list[str]:
    return [_VERSION.sub("VERSION", line) for line in lines]


def left_out(page: Path) -> dict[str, int]:
    """Return the modules that examples of a page need and that are not installed, with the first line of an example."""
    found = list(blocks(page.read_text("utf-8").splitlines()))
    return {block.lacking: block.first for block in reversed(found) if block.lacking}


def check(page: Path) -> Iterator[str]:
    """Run a page in the current folder and yield what is not as it shows."""
    session = Session()
    for block in blocks(page.read_text("utf-8").splitlines()):
        if block.title:
            Path(block.title).write_text("".join(f"{line}\n" for line in block.lines), "utf-8")
        elif block.lacking:
            continue
        elif block.kind == "python":
            if found := session.python(block, page.name):
                yield found
        elif block.kind == "console":
            for command in commands(block):
                printed = session.command(command.text)
                if not same(command.shown, printed):
                    parts = [f"{page.name}:{command.first}: $ {command.text}", "shows:", *command.shown]
                    yield "\n".join([*parts, "prints:", *printed])


def update(page: Path) -> None:
    """Put what the commands of a page print now in the place of what it shows, where that differs."""
    lines = page.read_text("utf-8").splitlines()
    session = Session()
    changes: list[tuple[Command, list[str]]] = []
    for block in blocks(lines):
        if block.title:
            Path(block.title).write_text("".join(f"{line}\n" for line in block.lines), "utf-8")
        elif block.lacking:
            continue
        elif block.kind == "python":
            sys.stdout.write(session.python(block, page.name))
        elif block.kind == "console":
            for command in commands(block):
                printed = session.command(command.text)
                if not same(command.shown, printed):
                    changes.append((command, printed))
    for command, printed in reversed(changes):
        lines[command.first : command.first + len(command.shown)] = printed
    page.write_text(derived.renewed("".join(f"{line}\n" for line in lines)), "utf-8")


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    derived.PICTURE.write_text(derived.picture(floorplan.plan(floorplan.modules())), "utf-8")
    for one in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "examples", Path(folder) / "examples")
            with chdir(folder):
                update(one)
