"""The lines of an answer file of SemEval-2010 task 8: the number of a sentence, a tab, and a relation.

In ``12<TAB>Cause-Effect(e1,e2)`` the first nominal is the cause, in ``(e2,e1)`` the second; ``Other`` is
none of the nine relations. The sentences are in another file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, NoReturn

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.io import open_bytes, text_blocks

OTHER = "Other"
RELATIONS = (
    "Cause-Effect",
    "Component-Whole",
    "Content-Container",
    "Entity-Destination",
    "Entity-Origin",
    "Instrument-Agency",
    "Member-Collection",
    "Message-Topic",
    "Product-Producer",
)
_RELATION = re.compile(rf"{OTHER}|({'|'.join(RELATIONS)})\((e1,e2|e2,e1)\)")
_EXPECTED = "expected a number, a tab, and Other or a relation with its direction, such as Cause-Effect(e1,e2)"


class AnswerLine(NamedTuple):
    """A line of the file: its number, its text, and, if it is an answer, the id, the relation and its direction.

    The relation is empty for Other.
    """

    line: int
    text: str
    id: str = ""
    relation: str = ""
    direction: str = ""


def answers(path: str, rules: str = "lenient") -> Iterator[AnswerLine]:
    r"""Yield the lines of a file; a malformed one has no id.

    For the official program only ``\n`` ends a line, optionally after one ``\r``, and the last line must be terminated.
    """
    if rules == "program":
        yield from _program_answers(_program_text(path))
        return
    line_number = 0
    for block in text_blocks(path):
        for line in block.removesuffix("\n").split("\n"):
            line_number += 1
            yield answer_in(line_number, line)


def _program_text(path: str) -> str:
    with open_bytes(path) as stream:
        return stream.read().decode("utf-8", "surrogateescape")


def _program_answers(text: str) -> Iterator[AnswerLine]:
    *whole, rest = text.split("\n")
    for line_number, line in enumerate(whole, start=1):
        answer = answer_in(line_number, line.removesuffix("\r"))
        yield answer if answer.id else AnswerLine(line_number, line.rstrip("\r"))
    if rest:
        yield AnswerLine(len(whole) + 1, rest.rstrip("\r"))


def answer_in(line_number: int, line: str) -> AnswerLine:
    """Return the parsed line."""
    name, _, given = line.partition("\t")
    relation = _relation(given) if name.isascii() and name.isdigit() else None
    return AnswerLine(line_number, line, name, *relation) if relation else AnswerLine(line_number, line)


@lru_cache(maxsize=64)
def _relation(given: str) -> tuple[str, str] | None:
    """Return a relation and its direction, empty for Other; None if it is neither."""
    match = _RELATION.fullmatch(given)
    return (match[1] or "", match[2] or "") if match else None


Report = Callable[[str, int, str], None]
"""Is told the path, the line and what is wrong there."""


def sound(lines: Iterable[AnswerLine], path: str, report: Report) -> Iterator[AnswerLine]:
    """Yield the answers among the lines of a file; malformed lines and repeated ids are reported."""
    places: dict[str, int] = {}
    for answer in lines:
        if not answer.id:
            report(path, answer.line, f"found {shown(answer.text)}; {_EXPECTED}, and the end of the line")
        elif answer.id in places:
            first = places[answer.id]
            report(path, answer.line, f"the id {answer.id} is there twice, first on line {first}; remove one")
        else:
            places[answer.id] = answer.line
            yield answer


def program_answers(path: str) -> dict[str, tuple[str, str]]:
    """Return relation and direction by id as the official program reads them; what it refuses is an error."""
    text = _program_text(path)
    if (answers_by_id := _all_sound(text)) is not None:
        return answers_by_id
    return {answer.id: answer[3:] for answer in sound(_program_answers(text), path, _refuse)}


def _all_sound(text: str) -> dict[str, tuple[str, str]] | None:
    """Return the answers of a text, parsed as a whole; None if one is malformed."""
    *lines, rest = text.replace("\r\n", "\n").split("\n")
    try:
        given = dict([line.split("\t") for line in lines])
    except ValueError:  # a line has no tab, or two
        return None
    labels = set(given.values())
    known = {label: relation for label in labels if (relation := _relation(label))}
    ids = "".join(given)
    has_ids = len(given) == len(lines) and "" not in given and ids.isascii() and ids.isdigit()
    if rest or not has_ids or len(known) < len(labels):
        return None
    return dict(zip(given, map(known.__getitem__, given.values()), strict=True))


def _refuse(path: str, line: int, message: str) -> NoReturn:
    raise InputError(message, path=path, line=line)
