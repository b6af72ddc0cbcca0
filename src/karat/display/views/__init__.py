"""Views of results by name; the module of a view is imported when the view is first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from karat.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.evaluation.scores import Scores

VIEWS = {
    "table": "karat.display.views.table",
    "tsv": "karat.display.views.values",
    "csv": "karat.display.views.values",
    "json": "karat.display.views.values",
    "jsonl": "karat.display.views.values",
    "markdown": "karat.display.views.papers",
    "latex": "karat.display.views.papers",
    "html": "karat.display.views.papers",
}
"""The module of each view of scores."""
IDENTIFYING = ("csv", "json")
"""The views that show content digests of both sides."""


def render(name: str, scores: Sequence[Scores], **options: Any) -> str:
    r"""Return the results of one or more systems under the same protocol as text that ends with a line end.

    An unknown view is an error with suggestions. The text can always be written as UTF-8.

    >>> from karat.evaluation.scores import Scores
    >>> from karat.evaluation.tally import Tallies
    >>> render("tsv", [Scores("hipe2022-nel", "team1", (), "karat:1.0", Tallies([], []))]).splitlines()[-1]
    '# karat:1.0'
    """
    if name not in VIEWS:
        raise unknown("view", name, VIEWS)
    view = getattr(importlib.import_module(VIEWS[name]), f"scores_{name}")
    return writable(view(scores, **options))


def writable(text: str) -> str:
    """Return a text that UTF-8 can encode: lone surrogates become escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
