"""The lines of a knowledge base: tab-separated assertions below the run id, ``subject predicate object …``.

Blank lines and comments are passed over, and the confidence at the end of a line, which may be missing, is taken off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from karat.vocabularies.coldstart.text import split_comment, trim, trimmer

CONFIDENCE = "1.0"
"""The confidence of an assertion that has none."""
_CONFIDENCE = re.compile(r"\d+\.\d+")


def assertion_lines(blocks: Iterable[str], first_line: int, *, gaps: bool) -> Iterator[tuple[int, list[str], str, str]]:
    """Yield the number of every line that asserts something, its fields, its confidence and its comment.

    ``blocks`` are texts of whole lines, the first of which has this number. Fields without text count if there may be
    ``gaps``, unless they are at the end. This loop is where a large file spends its time, so lines of a block that has
    nothing to trim, and so no field without text, are only split.
    """
    confidences: dict[str, str] = {}
    for text in blocks:
        trim_field = trimmer(text)
        is_plain = trim_field is None and "#" not in text
        for line_number, line in enumerate(text.split("\n"), first_line):
            comment = ""
            if is_plain:
                if not line:
                    continue
                fields = line.split("\t")
            else:
                fields, comment = _fields(line, trim_field)
                fields = fields if gaps else list(filter(None, fields))
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
        first_line = line_number + 1


def _fields(line: str, trim_field: Callable[[str], str] | None) -> tuple[list[str], str]:
    """Return the fields of a line, and its comment."""
    if "#" in line:
        line, comment = split_comment(line)
        return list(map(trim, line.rstrip("\t").split("\t"))), comment
    return [field if trim_field is None else trim_field(field) for field in line.rstrip("\t").split("\t")], ""
