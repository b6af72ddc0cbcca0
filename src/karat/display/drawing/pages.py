"""HTML for notebooks and pages: fragments with their own style, and pages with a strict security policy."""

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
"""The style of a frame, whose height can be changed."""


@cache
def style() -> str:
    """Return the style of a fragment, which affects nothing outside it."""
    return files("karat.display.drawing").joinpath("style.css").read_text("utf-8")


def fragment(body: str) -> str:
    """Return a fragment for any page or notebook, without a script or external resources."""
    return f'<div class="karat">\n<style>\n{style()}</style>\n{body}</div>\n'


def page(title: str, body: str) -> str:
    """Return a whole page around a fragment."""
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
    """Return a text from the data as escaped HTML."""
    return escape(visible(text))


class Showing(NamedTuple):
    """HTML to be displayed in a notebook or saved as a page.

    If there is something to read, notebooks and pages have the reader of the report; ``body``, which needs no script,
    replaces it in notebooks that do not allow frames.
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
        """Return it as a whole page."""
        if self.reading is None:
            return page(self.title, self.body)
        from karat.display.drawing.reader.page import reader_page

        return reader_page(self.reading)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file as a whole page."""
        from karat.io.outputs import write_whole

        write_whole({path: self.page()})
