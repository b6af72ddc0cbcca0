"""The page as text: one file with its style, script and data inside, and a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from karat.errors import MissingExtraError

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
    folder = files("karat.report").joinpath("static")
    parts = [folder.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


@cache
def style() -> str:
    """Return the style of the page."""
    return files("karat.report").joinpath("static", "report.css").read_text("utf-8")


def policy() -> str:
    """Return the content security policy: our script and our style, known by their digests, and nothing else."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script(), style())]
    rules = (
        "default-src 'none'",
        f"script-src 'sha256-{hashes[0]}'",
        f"style-src 'sha256-{hashes[1]}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
    )
    return "; ".join(rules)


_SIGNS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n\r"} | {0x7F: "␡"}
_SIGNS |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "⇄")


def visible(text: Any) -> Any:
    """Return a text from the data in which what cannot be seen, or turns the direction of a line, is a sign.

    >>> visible("a\x1bb\u202ec")
    'a␛b⇄c'
    """
    return text.translate(_SIGNS) if type(text) is str else text


def emphasised(text: str) -> str:
    """Return a sentence as markup in which what counts is set bold, and intervals recede.

    >>> str(emphasised("A beats B by 4.8 points [0.2, 9.5]; 83 items decide"))
    'A beats B by <b>4.8 points</b> <span class="quiet">[0.2, 9.5]</span>; <b>83 items</b> decide'
    """
    from markupsafe import Markup, escape

    bold = re.sub(r"(?<![\w.,-])\d[\d.\u2009]* (?:points?|items?)\b", r"<b>\g<0></b>", str(escape(visible(text))))
    return Markup(re.sub(r"\[[\d., −-]+\]", r'<span class="quiet">\g<0></span>', bold))  # noqa: S704 - it was escaped


def rendered(template: str, **content: Any) -> str:
    """Return a page that was filled in; everything that comes from data is escaped."""
    try:
        import jinja2
    except ImportError:
        raise MissingExtraError("karat report", "report") from None
    loader = jinja2.PackageLoader("karat.report", "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=visible
    )
    environment.filters["emphasised"] = emphasised
    page = environment.get_template(template)
    text = page.render(script=script(), style=style(), policy=policy(), **content)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def data_block(content: Any) -> str:
    """Return JSON that can stand in a page, whatever the names in it.

    >>> data_block({"name": "</script>"})
    '{"name":"\\\\u003c/script>"}'
    """
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("&", "\\u0026")


def kilobytes(texts: Sequence[str]) -> float:
    """Return how large texts are."""
    return sum(len(text.encode()) for text in texts) / 1000
