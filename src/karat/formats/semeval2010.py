"""The answers of SemEval-2010 task 8: the number of a sentence, a tab, and the relation between its two nominals.

``12<TAB>Cause-Effect(e1,e2)`` says that the first nominal is the cause, ``(e2,e1)`` that the second is; ``Other`` says
that they are in none of the nine relations. The sentences stand elsewhere, so that a line becomes a document with two
mentions that stand for the nominals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.files import open_bytes, text_blocks
from karat.formats._assembly import HEAD, TAIL
from karat.formats.base import Format, Problems, Want
from karat.model import Argument, Document, Mention, Relation
from karat.settings import choice

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
_MENTIONS = (Mention("e1", ((0, 2),), text="e1"), Mention("e2", ((3, 5),), text="e2"))
_EXPECTED = "expected a number, a tab, and Other or a relation with its direction, such as Cause-Effect(e1,e2)"


@dataclass(frozen=True)
class AnswerOptions:
    """How strict the reader is."""

    rules: str = choice(
        ("lenient", "program"),
        "which ends lines have: any, and the last may have none; or those that the program of the task asks for",
    )


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
    r"""Yield the lines of a file; one that is no answer has no id.

    For the program only ``\n`` ends a line, with one ``\r`` before it or none, and the last line has to have an end.
    """
    if rules == "program":
        yield from _program_answers(path)
        return
    line_number = 0
    for block in text_blocks(path):
        for line in block.removesuffix("\n").split("\n"):
            line_number += 1
            yield _answer(line_number, line)


def _program_answers(path: str) -> Iterator[AnswerLine]:
    with open_bytes(path) as stream:
        *whole, rest = stream.read().decode("utf-8", "surrogateescape").split("\n")
    for line_number, line in enumerate(whole, start=1):
        answer = _answer(line_number, line.removesuffix("\r"))
        yield answer if answer.id else AnswerLine(line_number, line.rstrip("\r"))
    if rest:
        yield AnswerLine(len(whole) + 1, rest.rstrip("\r"))


def _answer(line_number: int, line: str) -> AnswerLine:
    name, _, given = line.partition("\t")
    relation = _relation(given) if name.isascii() and name.isdigit() else None
    return AnswerLine(line_number, line, name, *relation) if relation else AnswerLine(line_number, line)


@lru_cache(maxsize=64)
def _relation(given: str) -> tuple[str, str] | None:
    """Return a relation and its direction, empty for Other; None for what is none of them."""
    match = _RELATION.fullmatch(given)
    return (match[1] or "", match[2] or "") if match else None


def read(path: str, *, problems: Problems, want: Want, options: AnswerOptions) -> Iterator[Document]:
    """Yield a document for each answer."""
    del want
    return (document_of(answer, path) for answer in sound_answers(path, problems, options))


def sound_answers(path: str, problems: Problems, options: AnswerOptions) -> Iterator[AnswerLine]:
    """Yield the answers of a file; what is none, or repeats an id, is an error."""
    places: dict[str, int] = {}
    for answer in answers(path, options.rules):
        if not answer.id:
            problems.error(path, answer.line, f"found {shown(answer.text)}; {_EXPECTED}, and the end of the line")
        elif answer.id in places:
            first = places[answer.id]
            problems.error(path, answer.line, f"the id {answer.id} is there twice, first on line {first}; remove one")
        else:
            places[answer.id] = answer.line
            yield answer


def document_of(answer: AnswerLine, path: str) -> Document:
    """Return the document of an answer."""
    ends = tuple(Argument(role, name) for role, name in zip((HEAD, TAIL), answer.direction.split(","), strict=False))
    relations = [Relation("r1", answer.relation, ends)] if answer.relation else []
    return Document(answer.id, "e1 e2", list(_MENTIONS), relations=relations, source=path)


def sniff(head: str) -> bool:
    r"""Say whether the first line is an answer.

    >>> sniff("1\tCause-Effect(e1,e2)\n"), sniff("1\tCause\n")
    (True, False)
    """
    return bool(_answer(1, head.split("\n", 1)[0].removesuffix("\r")).id)


FORMAT = Format(
    name="semeval2010",
    title="SemEval-2010 task 8: the relation of each sentence, by its number",
    known_by="lines of a number, a tab and a relation such as Cause-Effect(e1,e2)",
    read=read,
    sniff=sniff,
    options=AnswerOptions,
    layers="a relation between two mentions",
)
