"""Judging one query: what becomes of every fill, and which classes were found.

The cases are those of :mod:`karat.coldstart.sf.judging`, and two for classes without a right fill: ``missed``, and
``alternative`` where the slot takes one value and another class counts for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from karat.coldstart.problems import ProblemLog
from karat.coldstart.queries import QuerySet
from karat.coldstart.query_ids import CorrectedRules, follow_up_digits
from karat.coldstart.schema import Schema
from karat.coldstart.sf.classes import Pool
from karat.coldstart.sf.judging import Judge, Judged, Verdict
from karat.coldstart.sf.loading import CODES, Line, check_class
from karat.coldstart.sf.matching import Matcher
from karat.coldstart.sf.questions import Question, Questions
from karat.coldstart.stops import Stop
from karat.errors import InputError
from karat.ledger import Entry, Item, Outcome
from karat.model import Mention
from karat.protocols.base import Case
from karat.protocols.coldstart.reasons import reason
from karat.tally import Group, Tally

COUNTED_WRONG = ("duplicate", "surplus", "orphan", "binned", "inexact", "wrong", "ignored", "unassessed")
COUNTS = ("right", *COUNTED_WRONG, "missed", "repeated", "unclassed", "alternative")
HOPS = (Group("all hops"), Group("hop 0"), Group("hop 1"))
"""What every evaluation of 2015 has; further hops follow where there are any."""
REGIME = "classes"
_OUTCOMES: dict[str, Outcome] = {"right": "correct", "missed": "missed", "alternative": "missed"}


class Sheet(msgspec.Struct, frozen=True):
    """The assessments and the answers of one query."""

    gold: Sequence[Mention]
    system: Sequence[Mention]
    discipline: str
    corrected: bool
    sources: tuple[str, str] = ("", "")


class Sheets(msgspec.Struct, frozen=True):
    """The entry points of one unit; the one with the best F1 counts, of equals the first."""

    sheets: tuple[Sheet, ...]


class _Booking(msgspec.Struct, frozen=True):
    """One line of the ledger before it is written: a fill or a class, with its slot and hop."""

    case: str
    hop: int
    slot: str
    verdict: Verdict | None
    path: tuple[str, ...]


def tally(case: Case) -> Tally:
    """Count the cases of a unit, for every hop and for all of them."""
    counted: dict[Group, Counter[str]] = {group: Counter() for group in HOPS}
    for one in _best(case.content)[1]:
        for layer in (HOPS[0].layer, f"hop {one.hop}"):
            for label in (None, one.slot):
                counted.setdefault(Group(layer, "", label), Counter())[one.case] += 1
    return {group: tuple(counted[group][name] for name in COUNTS) for group in sorted(counted, key=_layer)}


def _layer(group: Group) -> str:
    return group.layer


def ledger(case: Case) -> list[Entry]:
    """Return every fill with what became of it and why, and every class that was not found."""
    sheet, bookings = _best(case.content)
    entries = []
    for one in bookings:
        verdict = one.verdict
        gold = None if verdict is None else verdict.assessment
        name = ":".join(one.path)
        shown = None if gold is None else _item(name, gold)
        if verdict is None:
            shown = Item(name, "", (0, 0), place=sheet.sources[0])
        entries.append(
            Entry(
                unit=case.unit,
                layer=f"hop {one.hop}",
                label=one.slot,
                case=one.case,
                verdicts={REGIME: _OUTCOMES.get(one.case, "incorrect" if gold else "spurious")},
                reason=reason(one.case, name, verdict),
                gold=shown,
                system=None if verdict is None else _item(one.slot, verdict.answer),
            )
        )
    return entries


def _item(label: str, line: Line) -> Item:
    return Item(label, line.value, (0, len(line.value)), place=line.where if line.path else "")


def _best(content: Sheets) -> tuple[Sheet, list[_Booking]]:
    """Return the entry point that counts, with its bookings."""
    judged = [(sheet, list(_bookings(sheet))) for sheet in content.sheets]
    return max(judged, key=lambda one: _f1(one[1]))


def _f1(bookings: Iterable[_Booking]) -> float:
    counts = Counter(one.case for one in bookings)
    total = 2 * counts["right"] + counts["missed"] + sum(counts[case] for case in COUNTED_WRONG)
    return 2 * counts["right"] / total if total else 0.0


def _bookings(sheet: Sheet) -> Iterator[_Booking]:
    """Yield the fills of a query in the order of the run, then the classes that were not found."""
    try:
        judged, questions = _judge(sheet)
    except Stop as stop:
        raise InputError(str(stop).strip().replace("\n\t", " "), path=sheet.sources[0] or None) from stop
    found = set()
    single: dict[tuple[str, ...], bool] = {}
    for verdict in judged.verdicts:
        question = verdict.answer.question
        yield _Booking(verdict.case, max(len(verdict.path) - 2, 0), question.slot or "", verdict, verdict.path)
        if verdict.case == "right":
            found.add(verdict.path)
            single[verdict.path[:-1]] = questions.is_single(question.slot)
    slots = {one.level: one.slot or "" for one in questions}
    for path, counts in judged.classes.items():
        if path in found:
            continue
        taken = single.get(path[:-1], False)
        case = "missed" if counts and not taken else "alternative"
        yield _Booking(case, len(path) - 2, slots.get(len(path) - 2, ""), None, path)


def _judge(sheet: Sheet) -> tuple[Judged, Questions]:
    questions = Questions(QuerySet(CorrectedRules(), ProblemLog(), Schema()))
    assessments, answers = _lines(sheet, questions)
    pool = Pool(questions, answers, assessments, corrected=sheet.corrected)
    base = next(iter(questions)).base if answers or assessments else ""
    judge = Judge(pool, pool.tree([base], in_order=False), Matcher(pool, sheet.discipline))
    return judge.judge(answers), questions


def _lines(sheet: Sheet, questions: Questions) -> tuple[list[Line], list[Line]]:
    """Return the assessments and answers as lines, and ask their questions: a line asks what it leads to."""
    mentions = [(mention, side) for side, several in enumerate((sheet.gold, sheet.system)) for mention in several]
    waiting: dict[str, list[Mention]] = {}
    for mention, _ in mentions:
        waiting.setdefault(_attribute(mention, "query"), []).append(mention)
    levels = {name: 0 for name in waiting if questions.base_rule(name) == name}
    slots: dict[int, str] = {}
    targets: dict[int, str] = {}
    reached = list(levels)
    for name in reached:
        for mention in waiting[name]:
            slots.setdefault(levels[name], min(one.labels[0] for one in waiting[name]))
            digits = follow_up_digits(name, mention.text, _attribute(mention, "place"))
            targets[id(mention)] = target = f"{questions.base_rule(name)}_{digits}"
            if target in waiting and target not in levels:
                levels[target] = levels[name] + 1
                reached.append(target)
    for name in reached:
        rest = tuple(slots[level] for level in range(levels[name], max(slots) + 1))
        questions.add(Question(name, questions.base_rule(name), levels[name], rest[0], rest, generated=False))
    lines: tuple[list[Line], list[Line]] = ([], [])
    for mention, side in mentions:
        question = questions.get(_attribute(mention, "query"))
        if question is None:
            number = int(mention.id) if mention.id.isdecimal() else None
            name = _attribute(mention, "query")
            message = (
                f"query {name} is asked by no answer before it; repair the ids with karat coldstart correct-query-ids"
            )
            raise InputError(message, path=sheet.sources[side] or None, line=number)
        if side == 0 and "judgment" not in mention.attributes:
            message = "has answers without judgments; the gold must be assessments"
            raise InputError(message, path=sheet.sources[0] or None)
        lines[side].append(_line(mention, question, targets[id(mention)], sheet.sources[side]))
    return lines


def _line(mention: Mention, question: Question, target: str, source: str) -> Line:
    judgment, ec = mention.attributes.get("judgment", ""), mention.attributes.get("class", "")
    relation, place = _attribute(mention, "relation"), _attribute(mention, "place")
    number = int(mention.id) if mention.id.isdecimal() else 0
    if "judgment" in mention.attributes:
        check_class(question.id, [judgment, judgment, ec], number)
        if judgment not in CODES:
            raise InputError(f"judgment {judgment!r} is none of C W X I S L", path=source or None, line=number or None)
    run_id = mention.attributes.get("run", "")
    elements = [question.id, question.slot or "", relation, mention.text, place, judgment, ec]
    return Line(question, mention.text, relation, place, target, run_id, judgment, ec, elements, number, source)


def _attribute(mention: Mention, name: str) -> str:
    found = mention.attributes.get(name)
    if found is None:
        message = f"mention {mention.id} has no attribute {name!r}; expected lines of a Cold Start run or assessments"
        raise InputError(message)
    return found
