from __future__ import annotations

import pytest

from karat.coldstart.problems import catalogue
from karat.coldstart.schema import Schema
from tests.coldstart.pages import BEGIN, FOLDER, PARTS, filled

PAGES = sorted(FOLDER.glob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_generated_parts_are_current(path):
    page = path.read_text("utf-8")
    assert filled(page) == page, "run python -m tests.coldstart.pages"


def test_every_generated_part_stands_somewhere():
    text = "".join(path.read_text("utf-8") for path in PAGES)
    assert all(BEGIN.format(name) in text for name in PARTS)
    assert all(f"| `{name}` |" in text for name in catalogue())
    assert all(f"| `{one.name}` |" in text for one in Schema().predicates())
