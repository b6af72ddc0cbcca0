"""Which lines count where what is wrong with the published programs is corrected: those that somebody asks for.

What is left out is always reported, and none of it depends on the order of the lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from karat.protocols.coldstart.fills import Fill
from karat.protocols.coldstart.questions import Questions
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog
from karat.vocabularies.coldstart.text import number

Surest = tuple[float, str, str, str, list[str], str]


def sifted(lines: Iterable[Fill], log: ProblemLog, surest: Mapping[str, Surest] | None = None) -> list[Fill]:
    """Return the lines whose question is the first of its chain, or one to which a line leads that is returned.

    Where ``surest`` has a question, only the fill that it names is returned, as often as it is there.
    """
    fills: list[Fill] = []
    asked: set[str] = set()
    for line in sorted(lines, key=lambda answer: answer.question.level):
        question = line.question
        fill = surest.get(question.id) if surest else None
        if question.generated and question.id not in asked:
            log.record("BAD_QUERY", question.id, where=NO_PLACE)
        elif fill is not None and fill != sureness(line):
            log.record("MULTIPLE_FILLS_SLOT", question.slot, where=f"{line.path} line {line.number}")
        else:
            fills.append(line)
            asked.add(line.target)
    return fills


def surest_fills(answers: Iterable[Fill], questions: Questions) -> dict[str, Surest]:
    """Return the surest fill of every question that takes one value, by its id."""
    surest: dict[str, Surest] = {}
    for line in answers:
        if questions.is_single(line.question.slot):
            fill = sureness(line)
            surest[line.question.id] = min(fill, surest.get(line.question.id, fill))
    return surest


def sureness(line: Fill) -> Surest:
    """Return a fill as a key that is smallest for the surest; equal keys are the same fill."""
    *_, confidence = line.elements
    return -float(number(confidence)), line.value, line.place, line.relation, line.elements[5:-2], confidence
