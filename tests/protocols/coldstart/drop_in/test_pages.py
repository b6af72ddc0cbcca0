from __future__ import annotations

import pytest
from tests.protocols.coldstart.drop_in.pages import BEGIN, FOLDER, PARTS, filled

from karat.vocabularies.coldstart.problems import catalogue
from karat.vocabularies.coldstart.schema import Schema

PAGES = sorted(FOLDER.glob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_generated_parts_are_current(path):
    page = path.read_text("utf-8")
    assert filled(page) == page, "run python -m tests.protocols.coldstart.drop_in.pages"


def test_every_generated_part_stands_somewhere():
    text = "".join(path.read_text("utf-8") for path in PAGES)
    assert all(BEGIN.format(name) in text for name in PARTS)
    assert all(f"| `{name}` |" in text for name in catalogue())
    assert all(f"| `{predicate.name}` |" in text for predicate in Schema().predicates())
