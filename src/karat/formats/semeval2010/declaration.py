"""The answers of SemEval-2010 task 8 as documents: two placeholder mentions for the nominals, and their relation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from karat.formats.base import Format, Problems, Want
from karat.formats.parts.assembly import HEAD, TAIL
from karat.formats.semeval2010.answers import AnswerLine, answer_in, answers, sound
from karat.model import Argument, Document, Mention, Relation
from karat.settings import choice

_MENTIONS = (Mention("e1", ((0, 2),), text="e1"), Mention("e2", ((3, 5),), text="e2"))


@dataclass(frozen=True)
class AnswerOptions:
    """How strict the reader is."""

    rules: str = choice(
        ("lenient", "program"),
        "which ends lines have: any, and the last may have none; or those that the program of the task asks for",
    )


def read(path: str, *, problems: Problems, want: Want, options: AnswerOptions) -> Iterator[Document]:
    """Yield a document for each answer."""
    del want
    return (_document(answer, path) for answer in sound(answers(path, options.rules), path, problems.error))


def _document(answer: AnswerLine, path: str) -> Document:
    ends = tuple(Argument(role, name) for role, name in zip((HEAD, TAIL), answer.direction.split(","), strict=False))
    relations = [Relation("r1", answer.relation, ends)] if answer.relation else []
    return Document(answer.id, "e1 e2", list(_MENTIONS), relations=relations, source=path)


def sniff(head: str) -> bool:
    r"""Tell whether the first line is an answer.

    >>> sniff("1\tCause-Effect(e1,e2)\n"), sniff("1\tCause\n")
    (True, False)
    """
    return bool(answer_in(1, head.split("\n", 1)[0].removesuffix("\r")).id)


FORMAT = Format(
    name="semeval2010",
    title="SemEval-2010 task 8: the relation of each sentence, by its number",
    known_by="lines of a number, a tab and a relation such as Cause-Effect(e1,e2)",
    read=read,
    sniff=sniff,
    options=AnswerOptions,
    layers="a relation between two mentions",
)
