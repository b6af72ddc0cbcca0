"""What must run on every Python from 3.11.0 on, in any folder and locale: what would not is found in the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module, those of f-strings in parts, each with its line."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_no_pattern_has_a_possessive_group():
    """Before Python 3.11.5 such groups match too little; possessive characters and sets of them do not."""
    found = [f"{path}:{line}" for path in SOURCES for line, text in texts(path) if POSSESSIVE_GROUP.search(text)]
    assert found == []


@pytest.mark.parametrize(
    ("pattern", "is_one"), [(r"(?:ab?c)*+", True), (r"(a|b){2,}+", True), (r"(?>a)", True), (r"[^)]*+\)+", False)]
)
def test_possessive_groups_are_found(pattern, is_one):
    assert bool(POSSESSIVE_GROUP.search(pattern)) == is_one


def test_no_archive_is_unpacked_with_a_filter_as_argument():
    """Before Python 3.11.4 ``extractall`` has no such argument; to set ``extraction_filter`` does no harm there."""
    paths = [*SOURCES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    for path in paths:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "extract" in node.func.attr:
                assert "filter" not in {word.arg for word in node.keywords}, f"{path}:{node.lineno}"


def test_make_starts_no_script_of_the_virtual_environment():
    """The first line of a script names its interpreter, and names it wrongly where the path has a blank."""
    lines = (ROOT / "Makefile").read_text("utf-8") + (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    started = re.findall(r"(?:\$\(BIN\)|\.venv/bin)/(\S+)", lines)
    assert set(started) == {"python"}
