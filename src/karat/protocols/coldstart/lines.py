"""The assessments and answers of one query as lines with their questions, judged.

What a query asks for is said by the query file; without one it is what its lines are about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from karat.coldstart.problems import ProblemLog
from karat.coldstart.queries import QuerySet
from karat.coldstart.query_ids import CorrectedRules, follow_up_digits
from karat.coldstart.schema import Schema
from karat.coldstart.sf.classes import Pool
from karat.coldstart.sf.judging import Judge, Judged
from karat.coldstart.sf.loading import CODES, Line, check_class
from karat.coldstart.sf.matching import Matcher
from karat.coldstart.sf.questions import Question, Questions
from karat.coldstart.stops import Stop
from karat.errors import InputError
from karat.model import Mention


class Sheet(msgspec.Struct, frozen=True):
    """The assessments and the answers of one query; ``slots`` are what it asks for, if that is known."""

    name: str
    gold: Sequence[Mention]
    system: Sequence[Mention]
    discipline: str
    corrected: bool
    slots: tuple[str, ...] = ()
    sources: tuple[str, str] = ("", "")


class Answered(NamedTuple):
    """A query after it was judged: ``root`` is its id, ``unasked`` are answers to what nobody asks."""

    root: str
    judged: Judged
    questions: Questions
    unasked: list[Line]


@cache
def _schema() -> Schema:
    """Return the slots of 2015, made once: nothing is added to them here."""
    return Schema()


def judge(sheet: Sheet) -> Answered:
    """Judge the answers of a query."""
    questions = Questions(QuerySet(CorrectedRules(), ProblemLog(), _schema()))
    try:
        assessments, answers, unasked = _lines(sheet, questions)
        pool = Pool(questions, answers, assessments, corrected=sheet.corrected)
        root = next((one.base for one in questions), sheet.name)
        tree = pool.tree([root], in_order=False)
        judged = Judge(pool, tree, Matcher(pool, sheet.discipline)).judge(answers)
    except Stop as stop:
        raise InputError(str(stop).strip().replace("\n\t", " "), path=sheet.sources[0] or None) from stop
    return Answered(root, judged, questions, unasked)


def _lines(sheet: Sheet, questions: Questions) -> tuple[list[Line], list[Line], list[Line]]:
    """Return the assessments, the answers, and the answers to what nobody asked; ask the questions of all lines."""
    mentions = [(mention, side) for side, several in enumerate((sheet.gold, sheet.system)) for mention in several]
    targets, wanted = _ask([mention for mention, _ in mentions], sheet.slots, questions)
    lines: tuple[list[Line], list[Line], list[Line]] = ([], [], [])
    for mention, side in mentions:
        name = _attribute(mention, "query")
        question = questions.get(name)
        if question is None:
            message = (
                f"query {name} is asked by no answer before it; repair the ids with karat coldstart correct-query-ids"
            )
            number = int(mention.id) if mention.id.isdecimal() else None
            raise InputError(message, path=sheet.sources[side] or None, line=number)
        if side == 0 and "judgment" not in mention.attributes:
            message = "has answers without judgments; the gold must be assessments"
            raise InputError(message, path=sheet.sources[0] or None)
        line = _line(mention, question, targets[id(mention)], sheet.sources[side])
        if not sheet.slots or (name in wanted and _slot(mention) == question.slot):
            lines[side].append(line)
        elif side == 1:
            lines[2].append(line)
    return lines


def _ask(mentions: Iterable[Mention], asked: tuple[str, ...], questions: Questions) -> tuple[dict[int, str], set[str]]:
    """Ask the first query of the lines and all that they lead to.

    Return the query to which each line leads, and the queries that somebody asks: the first one, and those to which a
    line leads that has the slot that was asked for.
    """
    waiting: dict[str, list[Mention]] = {}
    for mention in mentions:
        waiting.setdefault(_attribute(mention, "query"), []).append(mention)
    levels = {name: 0 for name in waiting if questions.base_rule(name) == name}
    slots = dict(enumerate(asked))
    targets: dict[int, str] = {}
    reached = list(levels)
    wanted = set(levels)
    for name in reached:
        level, first = levels[name], questions.base_rule(name)
        slots.setdefault(level, min(map(_slot, waiting[name])))
        for mention in waiting[name]:
            digits = follow_up_digits(name, mention.text, _attribute(mention, "place"))
            targets[id(mention)] = target = f"{first}_{digits}"
            if target in waiting and target not in levels and (not asked or level + 1 < len(asked)):
                levels[target] = level + 1
                reached.append(target)
            if not asked or (name in wanted and _slot(mention) == asked[level]):
                wanted.add(target)
    for name in reached:
        rest = tuple(slots[level] for level in range(levels[name], len(slots)))
        questions.add(Question(name, questions.base_rule(name), levels[name], rest[0], rest, generated=False))
    return targets, wanted


def _line(mention: Mention, question: Question, target: str, source: str) -> Line:
    judgment, ec = mention.attributes.get("judgment", ""), mention.attributes.get("class", "")
    relation, place = _attribute(mention, "relation"), _attribute(mention, "place")
    number = int(mention.id) if mention.id.isdecimal() else 0
    if "judgment" in mention.attributes:
        check_class(question.id, [judgment, judgment, ec], number)
        if judgment not in CODES:
            raise InputError(f"judgment {judgment!r} is none of C W X I S L", path=source or None, line=number or None)
    run_id = mention.attributes.get("run", "")
    elements = [question.id, _slot(mention), relation, mention.text, place, judgment, ec]
    return Line(question, mention.text, relation, place, target, run_id, judgment, ec, elements, number, source)


def _slot(mention: Mention) -> str:
    if not mention.labels:
        raise InputError(f"mention {mention.id} has no label; expected the slot that it fills")
    return mention.labels[0]


def _attribute(mention: Mention, name: str) -> str:
    found = mention.attributes.get(name)
    if found is None:
        message = f"mention {mention.id} has no attribute {name!r}; expected lines of a Cold Start run or assessments"
        raise InputError(message)
    return found
