"""``karat demo``: the examples of the repository, in a folder, and the commands that it names."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

from tests.cli.conftest import Command

ROOT = Path(__file__).parents[2]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_examples_are_written_and_what_is_named_works(karat: Command, tmp_path: Path) -> None:
    shown = karat("demo")
    assert shown.status == 0
    assert files_in(tmp_path / "examples") == files_in(ROOT / "examples")
    for line in shown.out.splitlines()[1:]:
        program, *words = shlex.split(line)
        assert program == "karat"
        assert karat(*words).status == 0


def test_a_folder_that_is_there_is_left_alone(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    shown = karat("demo")
    assert (shown.status, shown.err) == (
        3,
        "karat: examples: exists already; choose another folder:  karat demo FOLDER\n",
    )
    assert karat("demo", "here").status == 0


def test_a_wheel_has_the_examples() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert declared["wheel"]["force-include"] == {"examples": "karat/examples"}
