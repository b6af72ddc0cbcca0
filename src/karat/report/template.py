"""Fills the template of the report; everything that comes from data is escaped and made visible."""

from __future__ import annotations

import re
from typing import Any

from karat.display.drawing.reader.page import policy, style, without_surrogates
from karat.errors import needing

_SIGNS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n\r"} | {0x7F: "␡"}
_SIGNS |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "⇄")


def visible(text: Any) -> Any:
    """Return a text in which invisible and direction-changing characters are replaced by symbols.

    >>> visible("a\x1bb\u202ec")
    'a␛b⇄c'
    """
    return text.translate(_SIGNS) if type(text) is str else text


def emphasised(text: str) -> str:
    """Return a sentence as markup, with bold numbers and muted intervals.

    >>> str(emphasised("A beats B by 4.8 points [0.2, 9.5]; they differ on 83 items"))
    'A beats B by <b>4.8 points</b> <span class="quiet">[0.2, 9.5]</span>; they differ on <b>83 items</b>'
    """
    from markupsafe import Markup, escape

    bold = re.sub(r"(?<![\w.,-])\d[\d.\u2009]* (?:points?|items?)\b", r"<b>\g<0></b>", str(escape(visible(text))))
    return Markup(re.sub(r"\[[\d., −-]+\]", r'<span class="quiet">\g<0></span>', bold))  # noqa: S704 - it was escaped


def running(title: str) -> str:
    """Return the style that prints a title above every page and the page number below it.

    >>> "</style>" in running("</style>")
    False
    """
    said = "".join(char if char.isalnum() or char == " " else f"\\{ord(char):06x}" for char in visible(title)[:90])
    font = 'font: 9pt Palatino, "Palatino Linotype", P052, Georgia, serif; color: #6a6357'
    boxes = (
        f'@top-left {{ content: "{said}"; {font}; }}',
        f'@top-right {{ content: "Karat"; {font}; }}',
        f'@bottom-right {{ content: counter(page) " / " counter(pages); {font}; }}',
    )
    return f"@page {{ {' '.join(boxes)} }}"


def rendered(**content: Any) -> str:
    """Return the page from the template; everything from data is escaped."""
    with needing("karat report", "report"):
        import jinja2
    loader = jinja2.PackageLoader("karat.report", "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=visible
    )
    environment.filters["emphasised"] = emphasised
    page = environment.get_template("report.html")
    header = running(content["title"])
    text = page.render(style=style(), running=header, policy=policy(header), **content)
    return without_surrogates(text)
