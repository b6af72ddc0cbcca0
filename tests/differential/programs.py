"""Running programs of others: Python programs in one process of their own interpreter, Perl programs one by one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_SERVER = Path(__file__).parent / "scripts" / "server.py"
PATIENCE = 60
"""Seconds that a program may take for one case."""


class Printed(NamedTuple):
    """The exit status of a program, and what it printed."""

    status: int
    out: str
    err: str


def folder() -> Path | None:
    """Return the folder with the programs, if one is named."""
    named = os.environ.get("KARAT_REFERENCES")
    return Path(named).resolve() if named else None


def interpreter(root: Path) -> str:
    """Return the interpreter that has what the programs import."""
    own = root / "venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def has_modules(root: Path, names: Sequence[str]) -> bool:
    """Say whether the interpreter of the programs can import these."""
    code = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
    return subprocess.run([interpreter(root), "-c", code, *names], capture_output=True, check=False).returncode == 0


class Python:
    """Runs Python programs one after the other, as if each were called by itself, without starting again."""

    def __init__(self, root: Path) -> None:
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
        self.process = subprocess.Popen(
            [interpreter(root), "-u", "-W", "ignore", str(_SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=environment,
        )

    def __call__(self, script: Path | str, words: Sequence[str], cwd: Path, imports: Path | None = None) -> Printed:
        """Run a program in a folder, a file or a module; ``imports`` is where modules are, if not beside the file."""
        found = imports or Path(script).parent
        asked = {"script": str(script), "words": list(words), "cwd": str(cwd), "imports": str(found)}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return Printed(*json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


def perl(script: Path, words: Sequence[str], cwd: Path, given: Path | None = None) -> Printed:
    """Run a Perl program, whose modules stand beside it, on a file as its standard input."""
    return _run(["perl", f"-I{script.parent}", f"-I{script.parent / 'lib'}", str(script), *words], cwd, given)


def python2(script: Path, words: Sequence[str], cwd: Path, given: Path) -> Printed:
    """Run a program of Python 2 on a file as its standard input."""
    return _run(["python2.7", str(script), *words], cwd, given)


def _run(command: Sequence[str], cwd: Path, given: Path | None) -> Printed:
    text = b"" if given is None else given.read_bytes()
    run = subprocess.run(command, cwd=cwd, input=text, capture_output=True, timeout=PATIENCE, check=False)
    return Printed(run.returncode, run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace"))
