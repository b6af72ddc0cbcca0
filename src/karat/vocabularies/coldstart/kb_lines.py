"""The lines of a knowledge base file: tab-separated assertions after the run id, ``subject predicate object …``.

Blank lines and comments are skipped, and the confidence at the end of a line, which is optional, is split off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from karat.vocabularies.coldstart.text import split_comment, trim, trimmer

CONFIDENCE = "1.0"
"""The confidence of an assertion that has none."""
_CONFIDENCE = re.compile(r"\d+\.\d+")


def assertion_lines(blocks: Iterable[str], first_line: int, *, gaps: bool) -> Iterator[tuple[int, list[str], str, str]]:
    """Yield the line number, fields, confidence and comment of every assertion.

    Most of the time for a large file is spent in this loop, so the lines of a block without anything to trim are only
    split.

    Args:
        blocks: texts of whole lines.
        first_line: the number of the first line.
        gaps: keep empty fields, except at the end of a line.

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
