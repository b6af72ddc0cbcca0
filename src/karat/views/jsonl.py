"""One JSON object per number, each with its system, protocol and signature, full digits; undefined is ``null``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.scores import Scores


def render(scores: Sequence[Scores]) -> str:
    """Return one line for each number.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 0.5),)
    >>> render([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])[:77]
    '{"system": "team1", "protocol": "small", "signature": "karat:1.0", "measure":'
    """
    lines = []
    for result in scores:
        about = {"system": result.system, "protocol": result.protocol, "signature": result.signature}
        lines += [json.dumps(about | row, ensure_ascii=False) for row in result.to_dict()["rows"]]
    return "".join(line + "\n" for line in lines)
