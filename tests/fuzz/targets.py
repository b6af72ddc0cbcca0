"""What is damaged: one sample for every format, tool, command, index and table, as declared in ``targets.toml``."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
import tomllib
from contextlib import chdir
from functools import cache
from pathlib import Path

import msgspec

from tests.formats.test_exports import SAMPLES
from tests.fuzz.calling import call

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INPUT = "IN"

Files = dict[str, bytes]


class Declared(msgspec.Struct, forbid_unknown_fields=True):
    """What ``targets.toml`` says about a target, where the names are explained."""

    files: dict[str, str]
    read: str = ""
    options: dict[str, str] = {}
    words: str = ""
    prepare: str = ""
    beside: bool = False
    keeps: str = ""
    starts: str = ""
    share: float = 1.0


class Target(msgspec.Struct, frozen=True):
    """One sample: its kind (``format``, ``tool``, ``command`` or ``table``), the name Karat has for it, its files."""

    title: str
    kind: str
    name: str
    files: Files
    read: str
    options: dict[str, str]
    words: tuple[str, ...]
    beside: bool
    keeps: str
    starts: str
    share: float

    @property
    def is_format(self) -> bool:
        """Whether the sample is read as a format; otherwise a command line is called."""
        return not self.words


@cache
def targets() -> dict[str, Target]:
    """Return every target by its title."""
    declared = msgspec.convert(tomllib.loads((HERE / "targets.toml").read_text("utf-8")), dict[str, Declared])
    made = {title: _target(title, sample) for title, sample in declared.items()}
    exported = {f"format {name}": Declared({"export.json": json.dumps(items)}) for name, items in SAMPLES.items()}
    return {title: _target(title, sample) for title, sample in exported.items()} | made


def _target(title: str, declared: Declared) -> Target:
    kind, _, name = title.partition(" ")
    files = {name: _content(text) for name, text in declared.files.items()}
    if declared.prepare:
        files = _prepared(files, shlex.split(declared.prepare))
    read = declared.read or (next(iter(files)) if len(files) == 1 else ".")
    words = tuple(shlex.split(declared.words))
    short = name.partition("/")[0]
    starts = Path(sys.executable).name if declared.starts == "python" else declared.starts
    rest = (declared.beside, declared.keeps, starts, declared.share)
    return Target(title, kind, short, files, read, declared.options, words, *rest)


def _content(text: str) -> bytes:
    return (ROOT / text[1:]).read_bytes() if text.startswith("@") else text.encode()


def _prepared(files: Files, words: list[str]) -> Files:
    """Return the files with those that a command makes of them."""
    with tempfile.TemporaryDirectory() as folder:
        write(files, Path(folder, "in"))
        Path(folder, "out").mkdir()
        with chdir(Path(folder, "out")):
            called = call(placed(words))
        if called.status:
            raise AssertionError(f"{shlex.join(words)} ends with {called.status}: {called.err}")
        made = sorted(path for path in Path(folder, "in").rglob("*") if path.is_file())
        return {path.relative_to(Path(folder, "in")).as_posix(): path.read_bytes() for path in made}


def write(files: Files, folder: Path) -> None:
    """Write files into a folder, which is made if it is not there."""
    for name, content in files.items():
        path = folder / name
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def placed(words: list[str] | tuple[str, ...]) -> list[str]:
    """Return words as they are called in the folder for output, beside which the input stands."""
    start = os.path.join(os.pardir, "in")  # noqa: PTH118 - a word, not a path
    return [
        start + word[len(INPUT) :] if word.split("/")[0] == INPUT else word.replace(f"={INPUT}/", f"={start}/")
        for word in words
    ]
