"""Schemes of questions for judges, read from TOML files; errors have the line number."""

from __future__ import annotations

import os
import re
import tomllib
from math import isfinite
from typing import Any, Literal

import msgspec

from karat.errors import InputError
from karat.io import read_text
from karat.io.tables import table_of

BUILT_IN = ("omin", "correct")

RESERVED = ("item", "document", "text", "claim", "note")
"""Reserved question ids: the column names of sheets, and the id of notes in the journal."""

_HEAD = re.compile(r"""\s*\[\[\s*["']?question["']?\s*\]\]""")

Scale = Literal["nominal", "ordinal", "interval"]
Summary = Literal["mean", "sum", "consistency"]


class AnswerChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A possible answer: the number it counts for, and the word a judge sees."""

    value: float
    label: str


class AnswerCondition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The condition of a question: another question and the answers to it that make this one asked."""

    question: str
    answers: tuple[float, ...]


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question about an item, or about a document with all its items.

    ``right`` has the answers that make an item right; precision and recall follow the first question that has any. A
    question without ``answers`` takes any whole number from 0. ``summary`` says how answers are aggregated;
    *consistency* turns the number of contradictions in a document into the share of items without one. ``help`` is a
    line below the question.
    """

    id: str
    text: str
    answers: tuple[AnswerChoice, ...] = ()
    per: Literal["item", "document"] = "item"
    scale: Scale = "nominal"
    summary: Summary = "mean"
    right: tuple[float, ...] = ()
    when: AnswerCondition | None = None
    help: str = ""

    @property
    def values(self) -> tuple[float, ...]:
        """The answers as numbers."""
        return tuple(answer.value for answer in self.answers)

    def takes(self, value: float) -> bool:
        """Return whether a number is an answer to this question."""
        return value in self.values if self.answers else value >= 0 and value.is_integer()


class Scheme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The questions of a project, in order, and the guidelines for judges."""

    title: str
    question: tuple[Question, ...]
    guidelines: str = ""

    def named(self, name: str) -> Question:
        """Return the question of that id."""
        return next(question for question in self.question if question.id == name)

    @property
    def deciding(self) -> Question | None:
        """The first question with right answers, or None."""
        return next((question for question in self.question if question.right), None)


def read_scheme(name: str | os.PathLike[str]) -> Scheme:
    """Return a built-in scheme by its name, or read one from a file."""
    if str(name) in BUILT_IN:
        return _scheme(table_of("karat.judge.schemes", f"{name}.toml"), str(name), "")
    text = read_text(name)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not valid TOML: {error}", path=name) from error
    return _scheme(table, str(name), text)


def _scheme(table: dict[str, Any], path: str, text: str) -> Scheme:
    try:
        scheme = msgspec.convert(table, Scheme)
    except msgspec.ValidationError as error:
        line = _line_of(text, str(error))
        raise InputError(f"is not a scheme of questions: {error}", path=path, line=line) from error
    if not scheme.question:
        raise InputError("has no questions: a scheme needs at least one [[question]]", path=path)
    for index, question in enumerate(scheme.question):
        fault = _fault(question, scheme.question[:index])
        if fault:
            raise InputError(f"question {question.id!r} {fault}", path=path, line=_line(text, index))
    return scheme


def _fault(question: Question, earlier: tuple[Question, ...]) -> str:
    """Return what is wrong with a question, given those before it, or an empty text."""
    earlier_by_id = {other.id: other for other in earlier}
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", question.id):
        return "needs an id of small letters, digits, - and _"
    if question.id in earlier_by_id:
        return "occurs twice; give each question its own id"
    if question.id in RESERVED:
        return "has the id of a sheet column; choose another id"
    if not question.text.strip():
        return "has no text"
    if not all(map(isfinite, question.values)):
        return "has an answer that is not a finite number"
    if len(set(question.values)) < len(question.values) or len(question.answers) == 1:
        return "needs at least two answers with different values, or none if it takes a number"
    if len(question.answers) > 9:
        return "has more than nine answers; keys are 1 to 9"
    if not set(question.right) <= set(question.values):
        return "has a value in right that is none of its answers"
    if question.right and question.per == "document":
        return "is about a document, but only questions about items can have right answers"
    if question.summary == "consistency" and question.per != "document":
        return 'has the summary consistency, which needs per = "document"'
    if question.when is not None:
        return _condition_fault(question.when, question, earlier_by_id)
    return ""


def _condition_fault(condition: AnswerCondition, question: Question, earlier_by_id: dict[str, Question]) -> str:
    other = earlier_by_id.get(condition.question)
    if other is None:
        return f"depends on {condition.question!r}, which is not asked before it"
    if other.per != question.per:
        return f"depends on {other.id!r}, which has another value of per (item or document)"
    if not condition.answers or not all(map(other.takes, condition.answers)):
        return f"depends on an answer that {other.id!r} does not have"
    return ""


def _line(text: str, index: int) -> int | None:
    """Return the line on which a question begins, or None for a built-in scheme."""
    heads = [line_number for line_number, line in enumerate(text.split("\n"), 1) if _HEAD.match(line)]
    return heads[index] if index < len(heads) else None


def _line_of(text: str, fault: str) -> int | None:
    """Return the line of the key that a fault names, else of its question, or None if the key is missing."""
    match = re.search(r"`\$(?:\.question\[(\d+)\])?(?:\.(\w+))?", fault)
    question, inside = match.groups() if match else (None, None)
    unknown = re.search(r"unknown field `(\w+)`", fault)
    key = inside or (unknown[1] if unknown else None)
    first = _line(text, int(question)) if question else 1
    for line_number, line in enumerate(text.split("\n")[first - 1 :] if first and key else (), first or 1):
        if re.match(rf"""\s*["']?{key}["']?\s*[=.]""", line):
            return line_number
    return first if question else None
