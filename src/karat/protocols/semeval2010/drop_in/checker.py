"""What the format checker of SemEval-2010 task 8 prints."""

from __future__ import annotations

from karat.formats.semeval2010 import answers


def checked(path: str) -> str:
    """Return a line for each line that is no answer, or the second of an id, and what that means for the file."""
    lines: list[str] = []
    known: set[str] = set()
    for answer in answers(path, "program"):
        if not answer.id:
            lines.append(f"Bad file format on line {answer.line}: '{answer.text}'")
        elif answer.id in known:
            lines.append(f"Bad file format on line {answer.line} (ID {answer.id} is already defined): '{answer.text}'")
        known.add(answer.id)
    summary = f"The format is INCORRECT: {len(lines)} problematic line(s) found!" if lines else "The file format is OK."
    return "\n".join([*lines, "", f"<<< {summary}", ""])
