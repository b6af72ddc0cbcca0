"""What a page with the reader carries inside: its script, its style, and the policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

SCRIPTS = (
    "base",
    "store",
    "list",
    "marks",
    "text",
    "arcs",
    "chains",
    "tables",
    "answers",
    "copying",
    "inspector",
    "filters",
    "reader",
    "ledger",
    "main",
)
"""The parts of the script, in their order; each is a file of its own."""


@cache
def script() -> str:
    """Return the script of the page."""
    folder = files("karat.drawing.reader").joinpath("static")
    parts = [folder.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


@cache
def style() -> str:
    """Return the style of the page."""
    return files("karat.drawing.reader").joinpath("static", "report.css").read_text("utf-8")


def policy(*styles: str) -> str:
    """Return the content security policy: our script and our styles, known by their digests, and nothing else."""
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (script(), style(), *styles)
    ]
    rules = (
        "default-src 'none'",
        f"script-src {hashes[0]}",
        f"style-src {' '.join(hashes[1:])}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
    )
    return "; ".join(rules)
