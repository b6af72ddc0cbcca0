"""One JSON object with all results, full digits; undefined is ``null``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.scores import Scores


def render(scores: Sequence[Scores]) -> str:
    """Return ``{"scores": [...]}`` with one object for each system.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", None),)
    >>> text = render([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])
    >>> json.loads(text)["scores"][0]["rows"]
    [{'measure': 'f1', 'regime': 'strict', 'average': 'micro', 'layer': 'NE', 'value': None}]
    """
    return json.dumps({"scores": [result.to_dict() for result in scores]}, ensure_ascii=False, indent=2) + "\n"
