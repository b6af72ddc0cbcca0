"""The reader as HTML: its part of any page, its data and script, and a page of its own.

A page of its own shows the reader first and further information behind it. A notebook shows the same page in a
frame, where it has no address to link to.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple

from karat._version import __version__
from karat.display.drawing.reader.parts import PagePart, pack
from karat.errors import many, plural
from karat.io.terminal import visible

if TYPE_CHECKING:
    from karat.display.drawing.reader.units import ReaderUnit

SCRIPTS = (
    *("base", "store", "list", "marks", "text", "arcs", "chains", "tables", "answers", "copying", "inspector"),
    *("filters", "reader", "ledger", "main"),
)
"""The parts of the script, in their order; each is a file of its own."""
MANY_UNITS = 100
"""Above this number of units, those with the lowest scores come first."""


class ReaderSystem(NamedTuple):
    """A system in the reader: its letter, its name, and the signature of its scores."""

    letter: str
    name: str
    signature: str = ""


class Subject(NamedTuple):
    """The subject of the reader: the protocol, its task, the name of a unit, and the regimes."""

    protocol: str
    task: str
    unit: str
    regimes: Sequence[str] = ("verdict",)
    """The regimes under which some item is judged."""
    regime: str = "verdict"
    """The regime that is shown first."""


class ReaderContent(NamedTuple):
    """The documents of a page: its title, what is read, the systems, and every unit with a score for each of them.

    ``about`` is HTML with further information, ``cut`` a sentence on what the page leaves out. With ``differ``, the
    reader begins with the items on which the systems differ.
    """

    title: str
    subject: Subject
    systems: Sequence[ReaderSystem]
    units: Sequence[ReaderUnit]
    scores: Sequence[Sequence[float | None]]
    about: str = ""
    cut: str = ""
    differ: bool = False


def meta_of(
    subject: Subject, systems: Sequence[ReaderSystem], units: int | None, items: int, layers: Iterable[str]
) -> dict[str, Any]:
    """Return the data that the script needs; a report adds to it.

    Args:
        subject: what is read.
        systems: the systems, in their order.
        units: the number of units; None for a page without a reader.
        items: the number of items of all units.
        layers: the layers of the items.

    """
    return {
        **subject._asdict(),
        "systems": [side._asdict() for side in systems],
        "shown": min(len(systems), 2),
        "signature": "\n".join(side.signature for side in systems),
        "sentence": "",
        "flags": "",
        "view": "reader",
        "order": "worst" if systems and (units or 0) > MANY_UNITS else "given",
        "layered": subject.task in ("entities", "linking") and any(layers),
        "typed": subject.protocol.startswith(("tac-edl", "gerbil")),
        "chained": subject.task == "coreference",
        "reads": units is not None,
        "number": "",
        "measures": [],
        "measured": "",
        "items_text": f"{items:,}".replace(",", "\u2009") + f" items in {many(units or 0, subject.unit)}",
    }


def sections(meta: Mapping[str, Any]) -> str:
    """Return the reader and the ledger, which the script fills."""
    return _filled("sections.html", meta)


def foot(meta: Mapping[str, Any], parts: Sequence[PagePart]) -> str:
    """Return what stands at the end of a page: its keys, its data, and the script."""
    blocks = [
        f'<script type="application/octet-stream" id="part-{part.name}">{part.content}</script>' for part in parts
    ]
    return _filled("foot.html", meta, meta=data_block(meta), parts="\n".join(blocks), script=script())


def _filled(name: str, known: Mapping[str, Any], **content: str) -> str:
    unit = known["unit"]
    words = {"unit": unit, "Unit": unit.capitalize(), "Units": plural(unit).capitalize(), "items": known["items_text"]}
    escaped = {word: escape(text) for word, text in words.items()}
    return _template(name).substitute(escaped, **content)


@cache
def _template(name: str) -> Template:
    return Template(_part(f"markup/{name}"))


def _part(path: str) -> str:
    return files("karat.display.drawing.reader").joinpath(path).read_text("utf-8")


@cache
def script() -> str:
    """Return the script of the page."""
    return '"use strict";\n(() => {\n' + "\n".join(_part(f"static/{name}.js") for name in SCRIPTS) + "})();\n"


@cache
def style() -> str:
    """Return the style of the page."""
    return _part("static/report.css")


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


def data_block(content: Any) -> str:
    """Return JSON that can stand in a page, whatever the names in it.

    >>> data_block({"name": "</script>"})
    '{"name":"\\\\u003c/script>"}'
    """
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("&", "\\u0026")


def reader_page(reading: ReaderContent, *, framed: bool = False) -> str:
    """Return a page of its own, or one that stands in a frame."""
    subject, systems, units = reading.subject, reading.systems, reading.units
    parts, items = pack(units, len(systems), subject.regimes, reading.scores)
    layers = {row.layer for unit in units for row in unit.rows}
    meta = meta_of(subject, systems, len(units), items, layers) | {"framed": framed, "differ": reading.differ}
    text = _template("page.html").substitute(
        policy=escape(policy()),
        version=__version__,
        title=escape(visible(reading.title)),
        style=style(),
        cut=f'<p class="cut" role="note">{escape(visible(reading.cut))}</p>' if reading.cut else "",
        about='<a href="#view=about" data-view="about">About</a>' if reading.about else "",
        about_section=_about(reading.about) if reading.about else "",
        sections=sections(meta),
        foot=foot(meta, parts),
    )
    return without_surrogates(text)


def without_surrogates(text: str) -> str:
    """Return a text that UTF-8 can encode: lone surrogates become escapes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text  # a page of several megabytes is not copied


def _about(markup: str) -> str:
    return f'<section class="view" id="view-about" aria-label="About" hidden><div class="page">{markup}</div></section>'
