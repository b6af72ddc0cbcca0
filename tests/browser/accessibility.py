"""What axe-core says of a page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

AXE = Path(os.environ.get("KARAT_AXE", Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"))
_RULES = ("wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice")


def violations(page: Any) -> list[tuple[str, list[str]]]:
    """Return the rules that a page breaks, each with the first places; skip the test where axe-core is absent.

    The page must have been opened with ``bypass_csp``, since its policy lets no foreign script in.
    """
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm install --no-save axe-core)")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(  # to describe every node that keeps a rule takes as long as to look at it
        "(rules) => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", list(_RULES)
    )
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]][:3]) for rule in found["violations"]]
