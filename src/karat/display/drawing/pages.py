"""What is shown in notebooks and pages: a piece with its own style, and a page around it that lets nothing else in."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from karat.io.terminal import visible

if TYPE_CHECKING:
    import os

    from karat.display.drawing.reader.page import ReaderContent

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

_AROUND = """:root{color-scheme:light dark}body{margin:0;background:#fbfaf6}.karat{margin:0 auto}
@media(prefers-color-scheme:dark){body{background:#171612}}"""

_FRAME = (
    "display:block;width:100%;height:560px;border:1px solid #8a8273;border-radius:4px;resize:vertical;overflow:hidden"
)
"""The style of a frame, which somebody may make higher."""


@cache
def style() -> str:
    """Return the style of a piece, which touches nothing beside it."""
    return files("karat.display.drawing").joinpath("style.css").read_text("utf-8")


def fragment(body: str) -> str:
    """Return a piece that can stand in any page or notebook: no script, nothing from elsewhere."""
    return f'<div class="karat">\n<style>\n{style()}</style>\n{body}</div>\n'


def page(title: str, body: str) -> str:
    """Return a whole page around a piece."""
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{marked_up(title)} · Karat</title>",
        f"<style>{_AROUND}</style>",
    ]
    start = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", "<main>"]
    return "\n".join([*start, f"{fragment(body)}</main>", "</body>", "</html>", ""])


def marked_up(text: str) -> str:
    """Return words of the data as they can stand in a page."""
    return escape(visible(text))


class Showing(NamedTuple):
    """A piece of a page: notebooks show it, and it can be kept as a page of its own.

    With documents to read, notebooks and pages have the reader of the report; the piece, which needs no script, stands
    in for it where a notebook lets no frame in.
    """

    title: str
    body: str
    reading: ReaderContent | None = None

    def _repr_html_(self) -> str:
        piece = fragment(self.body)
        if self.reading is None:
            return piece
        from karat.display.drawing.reader.page import reader_page

        about = f'class="karat-frame" title="{marked_up(self.title)}" style="{_FRAME}"'
        return f'<iframe {about} srcdoc="{escape(reader_page(self.reading, framed=True))}"></iframe>\n{piece}'

    def __repr__(self) -> str:
        return f"<{self.title}: shown in a notebook; save it to have a page>"

    def page(self) -> str:
        """Return it as a page of its own."""
        if self.reading is None:
            return page(self.title, self.body)
        from karat.display.drawing.reader.page import reader_page

        return reader_page(self.reading)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as a page of its own."""
        from karat.io.outputs import write_whole

        write_whole({path: self.page()})
