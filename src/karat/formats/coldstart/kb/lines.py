"""The lines of a knowledge base: tab-separated assertions below the run id, ``subject predicate object …``.

Blank lines and comments are passed over, and the confidence at the end of a line, which may be missing, is taken off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from karat.vocabularies.coldstart.text import split_comment, trim, trimmer

CONFIDENCE = "1.0"
"""The confidence of an assertion that has none."""
_CONFIDENCE = re.compile(r"\d+\.\d+")


def assertion_lines(blocks: Iterable[str], number: int, *, gaps: bool) -> Iterator[tuple[int, list[str], str, str]]:
    """Yield the number of every line that asserts something, its fields, its confidence and its comment.

    ``blocks`` are texts of whole lines, the first of which has this number. Fields without text count if there may be
    ``gaps``, unless they are at the end. This loop is where a large file spends its time, so it trims no block that
    has nothing to trim.
    """
    confidences: dict[str, str] = {}
    for text in blocks:
        trim_field = trimmer(text)
        for line_number, line in enumerate(text.split("\n"), number):
            comment = ""
            if "#" in line:
                line, comment = split_comment(line)
                fields = list(map(trim, line.rstrip("\t").split("\t")))
            elif trim_field is None:
                fields = line.split("\t")
            else:
                fields = list(map(trim_field, line.rstrip("\t").split("\t")))
            if not (gaps or all(fields)):
                fields = list(filter(None, fields))
            if not any(fields):
                continue
            confidence = confidences.get(fields[-1])
            if confidence is not None:
                fields.pop()
            elif _CONFIDENCE.fullmatch(fields[-1]):
                confidence = fields.pop()
                confidences[confidence] = confidence
            else:
                confidence = CONFIDENCE
            yield line_number, fields, confidence, comment
        number = line_number + 1
