"""How results are shown, by name; each view is a module with a function ``render``."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from karat.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.scores import Scores

VIEWS: dict[str, tuple[str, str]] = {
    "table": ("karat.views.table", "aligned text for the terminal"),
    "tsv": ("karat.views.tsv", "one number per line, tab-separated, full digits"),
    "csv": ("karat.views.csv", "a line per system and regime for spreadsheets, full digits"),
    "json": ("karat.views.json", "one JSON object, full digits"),
    "jsonl": ("karat.views.jsonl", "one JSON object per number, full digits"),
    "markdown": ("karat.views.markdown", "a table for README files and issues"),
    "latex": ("karat.views.latex", "a booktabs table for papers"),
    "html": ("karat.views.html", "a table for web pages and notebooks"),
}
"""The module and a description of each view."""
IDENTIFYING = ("csv", "json")
"""The views that show digests of the content of both sides."""


def render(name: str, scores: Sequence[Scores], **options: Any) -> str:
    r"""Return the results of one or more systems under the same protocol as text that ends with a line end.

    An unknown view is an error with suggestions. The text can always be written as UTF-8.

    >>> from karat.scores import Scores
    >>> from karat.tally import Tallies
    >>> render("tsv", [Scores("hipe2022-nel", "team1", (), "karat:1.0", Tallies([], []))]).splitlines()[-1]
    '# karat:1.0'
    """
    if name not in VIEWS:
        raise unknown("view", name, VIEWS)
    text: str = importlib.import_module(VIEWS[name][0]).render(scores, **options)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
