"""Documents of Universal Anaphora in short: words with blanks between them, each ``form~identity~bridging~deixis``.

A form ``*`` is an empty node. A markable is ``(entity:id:fields``, and closes with ``)``, as in
``Ada~(1:a:ElementOf=3)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from karat.api import score
from karat.evaluation.registry import protocol
from karat.evaluation.scores import Scores
from karat.formats.base import Problems
from karat.formats.universal_anaphora.read import AnaphoraFileOptions, read_lines
from karat.model import Document

_MARKABLE = re.compile(r"\(([^:=()]+):([^:()]+)")
COUNTS = protocol("universal-anaphora").with_options().counts
PAIR = "Ada~(1:a:ElementOf=3) met Bo~(2:b:ElementOf=3) they~(3:c) sang Ada~(1:d) left they~(3:e) and Cy~(4:f)"
"""Two entities, and a third that is both of them."""


def document(words: str, name: str = "d", column: str = "identity") -> Document:
    """Return a document with these words."""
    lines = [f"# newdoc id = {name}", *_rows(words)]
    (found,) = read_lines(lines, f"{name}.conllua", Problems(), AnaphoraFileOptions(column))  # type: ignore[arg-type]
    return found


def _rows(words: str) -> Iterator[str]:
    number = zeros = 0
    for word in words.split():
        form, *cells = word.split("~")
        cells = [_MARKABLE.sub(r"(EntityID=\1|MarkableID=\2", cell).replace(":", "|") for cell in cells]
        zeros = zeros + 1 if form == "*" else 0
        number += form != "*"
        row = f"{number}.{zeros}" if zeros else str(number)
        yield " ".join([row, "_" if zeros else form, *"_" * 8, *(cell or "_" for cell in [*cells, "", "", ""][:3])])


def scores(gold: str, system: str, **options: str) -> Scores:
    """Score two documents in short."""
    column = options.get("evaluate", "identity")
    sides = [document(words, column=column) for words in (gold, system)]
    return score("universal-anaphora", [sides[0]], [sides[1]], **options)


def counts(gold: str, system: str, measure: str, **options: str) -> tuple[float, ...]:
    """Return the four counts of a measure: found, gold, given, system."""
    (tally,) = scores(gold, system, **options).tallies.rows
    (numbers,) = tally.values()
    place = COUNTS.index(f"{measure}-found")
    return tuple(numbers[place : place + 4])


def value(gold: str, system: str, regime: str, measure: str = "f1", **options: str) -> float | None:
    """Return one number."""
    return scores(gold, system, **options).value(measure, regime=regime)
