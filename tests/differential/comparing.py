"""What a comparison is, and how one is run."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.differential.programs import Printed, Python, folder, has_modules

Case = Callable[[Random, Path, "Program"], str | None]
"""Makes a random case in a folder, runs both, and returns in what they differ, or an empty text.

``None`` says that the program failed, so that there is nothing to compare.
"""


class Reference(NamedTuple):
    """A program that Karat is compared with: where it comes from, what it needs, and how a case is made."""

    name: str
    repository: str
    file: str
    case: Case
    modules: tuple[str, ...] = ()
    commit: str = ""
    """The revision that Karat reproduces, if it is not the last."""
    runs_by: str = ""
    """The interpreter that it is run by, if it is neither Perl nor the one of the folder."""
    needs: tuple[str, ...] = ()
    """What the Python that runs Karat must be able to import."""
    beside: tuple[str, ...] = ()
    """Other repositories that it imports from."""

    @property
    def folder(self) -> str:
        """The name of its folder: that of the repository, and the revision if it is not the last."""
        return "-".join(filter(None, (self.repository.rpartition("/")[2], self.commit)))

    def missing(self) -> str:
        """Return what is not there, in words, or nothing."""
        root = folder()
        if root is None:
            return "KARAT_REFERENCES names no folder"
        wanted = {self.repository: (f"{self.folder}/{self.file}", self.commit)} if self.repository else {}
        wanted |= {repository: (repository.rpartition("/")[2], "") for repository in self.beside}
        for repository, (file, commit) in wanted.items():
            if not (root / file).exists():
                at = f" at {commit}" if commit else ""
                return f"{root.name}/{file} is not there: clone github.com/{repository}{at}"
        runs_by = "perl" if self.file.endswith(".pl") else self.runs_by
        if runs_by and shutil.which(runs_by) is None:
            return f"{runs_by} is not installed"
        if self.modules and not has_modules(root, self.modules):
            return f"venv/bin/python of the folder cannot import {', '.join(self.modules)}"
        if absent := [name for name in self.needs if find_spec(name) is None]:
            return f"Karat's own Python cannot import {', '.join(absent)}"
        return ""


class Program(NamedTuple):
    """A reference that is there: its folder, its file, and the process for programs in Python."""

    root: Path
    file: Path
    python: Python


class Compared(NamedTuple):
    """What came of a case: in what a reference and Karat differ, if they do."""

    seed: int
    told: str


def compared(reference: Reference, number: int, seed: int = 0) -> Iterator[Compared]:
    """Yield what came of so many random cases; those in which the program failed are left out."""
    root = folder()
    assert root is not None
    base = root / reference.folder if reference.repository else root
    program = Program(base, base / reference.file, Python(root))
    try:
        for place in range(seed, seed + number):
            with tempfile.TemporaryDirectory(prefix="karat-") as room, chdir(room):
                random = Random(f"{reference.name}:{place}")  # noqa: S311 - nothing here is secret
                told = reference.case(random, Path(room), program)
            if told is not None:
                yield Compared(place, told)
    finally:
        program.python.close()


def same(theirs: Printed, ours: Printed) -> str | None:
    """Compare what is printed, also before the program fails."""
    if bool(theirs[0]) != bool(ours[0]):
        return f"status {theirs[0]} and {ours[0]}\n{theirs[2][-400:]}\n{ours[2][-400:]}"
    if theirs[1] != ours[1]:
        return f"prints\n{theirs[1][-700:]}\nand\n{ours[1][-700:]}"
    return None if theirs[0] else ""
