"""The pages of a unit, which is a query, or an LDC query with its entry points: made of fills, judged, and counted.

A page has the assessments and the answers of one query. The query file gives the slots that it asks for; without the
file they are the slots of its lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from karat.errors import InputError
from karat.model import Mention
from karat.protocols.coldstart.cases import counted
from karat.protocols.coldstart.judge import FIRST_HOP, Judged, QueryJudge, SlotVerdict
from karat.protocols.coldstart.pool import AssessedClasses, Matcher, Mends, path_of
from karat.protocols.coldstart.questions import CODES, CORRECT, INEXACT, NO_CLASS, Fill, HopQuery, Questions
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.query_ids import follow_up_digits

_REPAIR = "karat coldstart correct-query-ids"
_SHOWN = 60
SF, MAX, RANDOM, MEAN = "sf", "ldc-max", "ldc-random", "ldc-mean"
REGIMES = (SF, MAX, RANDOM, MEAN)


class QueryPage(msgspec.Struct, frozen=True):
    """The assessments and the answers of one query; ``slots`` are what it asks for, if that is known."""

    name: str
    gold: Sequence[Mention]
    system: Sequence[Mention]
    discipline: str
    mends: Mends
    slots: tuple[str, ...] = ()
    sources: tuple[str, str] = ("", "")


class Booking(NamedTuple):
    """A verdict with the hop and the slot under which it is counted."""

    verdict: SlotVerdict
    hop: int
    slot: str


class JudgedPage(NamedTuple):
    """A page after it was judged; ``root`` is the id of the query in its classes.

    ``rows`` are the hops and slots of which pool or run have a line in the name of the query, right or not: the
    published table has rows for these. ``regimes`` are those under which the page counts in its unit.
    """

    page: QueryPage
    root: str
    bookings: list[Booking]
    rows: frozenset[tuple[int, str]]
    regimes: tuple[str, ...] = ()

    def owns(self, verdict: SlotVerdict) -> bool:
        """Return whether a verdict belongs to the query by the name of its class."""
        return verdict.path[:1] == (self.root,)

    def counts(self, verdict: SlotVerdict, regime: str) -> bool:
        """Return whether a verdict counts under a regime; LDC scores count only classes named after the query."""
        return regime in self.regimes and (regime == SF or self.owns(verdict))


def judged(page: QueryPage) -> JudgedPage:
    """Judge the answers of a query."""
    questions = Questions(ProblemLog())
    try:
        assessments, answers, unasked = _fills(page, questions)
        _check_parents(assessments)
        pool = AssessedClasses(questions, answers, assessments, mends=page.mends)
        root = next((question.base for question in questions), page.name)
        tree = pool.tree([root], in_order=False)
        judgement = QueryJudge(pool, tree, Matcher(pool, page.discipline)).judge(answers)
    except Stop as stop:
        raise InputError(str(stop), path=page.sources[0] or None) from stop
    slots = {question.level: question.slot or "" for question in questions}
    own_hops = (len(path) - 1 for path in judgement.paths if path[0] == root)
    rows = frozenset((hop, slots.get(hop, "")) for hop in own_hops)
    return JudgedPage(page, root, list(_bookings(judgement, unasked, root, slots)), rows)


def _bookings(judgement: Judged, unasked: Iterable[Fill], root: str, slots: dict[int, str]) -> Iterator[Booking]:
    """Yield the fills of a query in the order of the run, those nobody asked for, then the classes not found."""
    answered = [verdict for verdict in judgement.verdicts if verdict.answer is not None]
    for verdict in answered:
        slot = "" if verdict.answer is None else verdict.answer.question.slot
        yield Booking(verdict, max(len(verdict.path) - FIRST_HOP, 0), slot or "")
    for fill in unasked:
        yield Booking(SlotVerdict("unasked", (root,), fill), fill.question.level, fill.elements[1])
    for verdict in judgement.verdicts[len(answered) :]:
        hop = len(verdict.path) - FIRST_HOP
        yield Booking(verdict, hop, slots.get(hop, ""))


def _fills(page: QueryPage, questions: Questions) -> tuple[list[Fill], list[Fill], list[Fill]]:
    """Return the assessments, the answers, and the answers to what nobody asked; ask the questions of all lines."""
    mentions = [(mention, side) for side, several in enumerate((page.gold, page.system)) for mention in several]
    targets, wanted = _ask([mention for mention, _ in mentions], page.slots, questions)
    fills: tuple[list[Fill], list[Fill], list[Fill]] = ([], [], [])
    for mention, side in mentions:
        name = _attribute(mention, "query")
        question = questions.get(name)
        if question is None:
            message = f"query {name} is asked by no answer of the run or pool; repair the ids with {_REPAIR}"
            raise fault(message, mention, page.sources[side])
        if side == 0 and "judgment" not in mention.attributes:
            raise fault("has answers without judgments; the gold must be assessments", mention, page.sources[0])
        fill = _fill(mention, question, targets[id(mention)], page.sources[side])
        if not page.slots or (name in wanted and _slot(mention) == question.slot):
            fills[side].append(fill)
        elif side == 1:
            fills[2].append(fill)
    return fills


def _ask(mentions: Iterable[Mention], asked: tuple[str, ...], questions: Questions) -> tuple[dict[int, str], set[str]]:
    """Follow the lines from the first query to all later ones.

    Return the query to which each line leads, and the queries that somebody asks: the first one, and those to which a
    line leads that has the slot that was asked for.
    """
    waiting: dict[str, list[Mention]] = {}
    for mention in mentions:
        waiting.setdefault(_attribute(mention, "query"), []).append(mention)
    bases = {name: questions.base_rule(name) for name in waiting}
    levels = {name: 0 for name in waiting if bases[name] == name}
    slots = dict(enumerate(asked))
    targets: dict[int, str] = {}
    reached = list(levels)
    wanted = set(levels)
    for name in reached:
        level, first = levels[name], bases[name]
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
        questions.add(HopQuery(name, bases[name], levels[name], rest[0], rest, generated=False))
    return targets, wanted


def _fill(mention: Mention, question: HopQuery, target: str, source: str) -> Fill:
    if "judgment" in mention.attributes:
        _check_judgment(mention, question, source)
    judgment, ec = mention.attributes.get("judgment", ""), mention.attributes.get("class", "")
    relation, place = _attribute(mention, "relation"), _attribute(mention, "place")
    line_number = int(mention.id) if mention.id.isdecimal() else 0
    run_id = mention.attributes.get("run", "")
    elements = [question.id, _slot(mention), relation, mention.text, place, judgment, ec]
    return Fill(question, mention.text, relation, place, target, run_id, judgment, ec, elements, line_number, source)


def _check_judgment(mention: Mention, question: HopQuery, source: str) -> None:
    """Refuse an unknown judgment, and a class unless the answer is correct or inexact, which must have one."""
    judgment, ec = mention.attributes["judgment"], mention.attributes.get("class", "")
    if judgment not in CODES:
        raise fault(f"judgment {judgment[:_SHOWN]!r} is none of C W X I S L", mention, source)
    has_class = ec not in (NO_CLASS, "")
    if has_class != (judgment in (CORRECT, INEXACT)):
        stated = f"class {ec[:_SHOWN]}" if has_class else "no class"
        expected = f"class {NO_CLASS}" if has_class else f"one as {question.base}:1"
        what = f"{mention.text[:_SHOWN]!r} for {question.id} is judged {judgment}"
        raise fault(f"{what}, but is in {stated}; expected {expected}", mention, source)


def _check_parents(assessments: Iterable[Fill]) -> None:
    """Refuse a class whose parent class has no correct or inexact assessment."""
    classes = {line.ec: path_of(line.ec) for line in assessments if line.judgment in (CORRECT, INEXACT)}
    known = set(classes.values())
    for line in assessments:
        path = classes.get(line.ec, ()) if line.judgment == CORRECT else ()
        if len(path) > FIRST_HOP and path[:-1] not in known:
            message = (
                f"{line.value[:_SHOWN]!r} for {line.question.id} is in class {line.ec}, "
                f"but no line that is judged C or X is in class {':'.join(path[:-1])}"
            )
            raise InputError(message, path=line.path or None, line=line.number or None)


def fault(message: str, mention: Mention, source: str) -> InputError:
    """Return the error for what is wrong with a line."""
    return InputError(message, path=source or None, line=int(mention.id) if mention.id.isdecimal() else None)


def _slot(mention: Mention) -> str:
    if not mention.labels:
        raise InputError(f"mention {mention.id} has no label; expected the slot that it fills")
    return mention.labels[0]


def _attribute(mention: Mention, name: str) -> str:
    value = mention.attributes.get(name)
    if value is None:
        message = f"mention {mention.id} has no attribute {name!r}; expected lines of a Cold Start run or assessments"
        raise InputError(message)
    return value


class UnitPages(msgspec.Struct, frozen=True):
    """The pages of one unit, in the order of their ids.

    ``ldc`` says that they are the entry points of an LDC query, ``given`` which of them stands for it, if one was
    given.
    """

    pages: tuple[QueryPage, ...]
    ldc: bool = False
    given: str = ""


def judged_pages(unit: UnitPages) -> list[JudgedPage]:
    """Judge every page of a unit, and say under which regimes it counts."""
    pages = [judged(page) for page in unit.pages]
    best = _best(pages) if unit.ldc else None
    for index, judged_page in enumerate(pages):
        name = judged_page.page.name
        counts = {SF: True, MAX: name == best, RANDOM: name == unit.given, MEAN: unit.ldc}
        pages[index] = judged_page._replace(regimes=tuple(regime for regime in REGIMES if counts[regime]))
    return pages


def _best(pages: Sequence[JudgedPage]) -> str | None:
    """Return the entry point with the best F1 over all hops, on a tie the first; None if none has a row."""
    best = max((judged_page for judged_page in pages if judged_page.rows), key=_f1, default=None)
    return None if best is None else best.page.name


def _f1(judged_page: JudgedPage) -> float:
    return counted(Counter(verdict.case for verdict, _, _ in judged_page.bookings if judged_page.owns(verdict))).f1
