"""The desk: the queue of items of each judge, the questions about each item, and the checks of what judges send.

The journal holds the answers. The desk follows every line of it, whoever wrote it: its own judges, a sheet that was
imported meanwhile, or another workbench of the same project.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from karat.errors import InputError
from karat.judge.assignments import DONE, SKIPPED, UNSURE, Assignments, JudgeProgress
from karat.judge.items import fact_item
from karat.judge.journal import DECISIONS, Act, JournalLine, held_under
from karat.judge.pool import JudgedDocument, PooledItem
from karat.judge.project import Project
from karat.judge.scheme import Question

MAX_TEXT = 4000
"""Characters of a note or a fact."""

HeldActs = Mapping[str, JournalLine]
"""The current acts of a judge about a target, by the key of :func:`held_under`."""


class AskedQuestion(NamedTuple):
    """A question about a target, with the judge's current act, and whether it was asked again after that act."""

    question: Question
    target: str
    standing: JournalLine | None
    again: bool = False

    @property
    def answered(self) -> bool:
        """Whether the judge has answered (an answer or "unsure") since the question was last asked."""
        return self.standing is not None and self.standing.act in ("answer", "unsure") and not self.again

    @property
    def is_unsure(self) -> bool:
        """Whether the judge's current act is "unsure"."""
        return self.standing is not None and self.standing.act == "unsure"


class Desk:
    """The items of a project, with the queue and the progress of each judge."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.lock = threading.RLock()
        self.entries = project.pool.entries
        self.places = {entry.id: index for index, entry in enumerate(self.entries)}
        self.pages: dict[str, JudgedDocument] = {page.id: page for page in project.pool.pages}
        self.labels = sorted({entry.item.label for entry in self.entries})
        self.roles = sorted({part.role for entry in self.entries for part in entry.item.parts[1:]})
        self.about_documents = [question for question in project.scheme.question if question.per == "document"]
        self.assignments = Assignments(self.entries, whole_documents=bool(self.about_documents))
        self.again: dict[tuple[str, str], int] = {}
        self.line = project.journal.end().lines
        self._begin()

    # follow the journal

    def _begin(self) -> None:
        """Load the current acts, one judge at a time, so that few journal lines are in memory at once."""
        people = self.project.journal.people()
        first: dict[int, tuple[int, str]] = {}
        for person in people:
            for line in self.project.journal.standing(person):
                if line.act == "again":
                    asked = line.target, line.question
                    self.again[asked] = max(line.line, self.again.get(asked, 0))
                elif line.act in ("answer", "unsure") and line.target in self.places:
                    index = self.places[line.target]
                    first[index] = min(first.get(index, (line.line, person)), (line.line, person))
        for index, (_, person) in sorted(first.items(), key=lambda claim: claim[1]):
            self.assignments.claim(person, index)
        for person in people:
            held = by_target(self.project.journal.standing(person))
            for target in held:
                self._look(person, target, partial(_held_of, held))

    def catch_up(self) -> None:
        """Apply the journal lines that were added since the last call."""
        with self.lock:
            for line in self.project.journal.lines(self.line):
                if line.target:
                    self._follow(line)
                self.line = line.line

    def _follow(self, line: JournalLine) -> None:
        if line.act in ("answer", "unsure") and line.target in self.places:
            self.assignments.claim(line.person, self.places[line.target])
        self._look(line.person, line.target, partial(self.held, line.person))
        if line.act in ("again", "undo"):
            self._ask_again(line.target, line.question)
        if line.act == "undo" and line.target in self.places:
            for index in self.assignments.release(line.person, self.places[line.target]):
                self._look_all(self.entries[index].id)

    def _ask_again(self, target: str, question: str) -> None:
        """Update every judge's queue after a question was asked again, or after that request was undone."""
        asked = (self.held(person, target).get(held_under("again", question)) for person in self.assignments.by_judge)
        last = max((line.line for line in asked if line is not None), default=0)
        if last != self.again.get((target, question), 0):
            self.again[target, question] = last
            self._look_all(target)

    def _look_all(self, target: str) -> None:
        for person in self.assignments.by_judge:
            self._look(person, target, partial(self.held, person))

    def _look(self, person: str, target: str, held: Callable[[str], HeldActs]) -> None:
        """Update a judge's marks of a target; the questions about a document belong to its last item."""
        marks = self.assignments.marks_of(person)
        if target in self.pages:
            searched = any(line.act == "done" for line in held(target).values())
            (marks.searched.add if searched else marks.searched.discard)(target)
        index = self.places[target] if target in self.places else self._last_of(target)
        if index is None:
            return
        entry = self.entries[index]
        acts, asked = {line.act for line in held(entry.id).values()}, self._asked(person, entry, held)
        done = not acts.isdisjoint(("answer", "unsure"))
        unsure = any(question.is_unsure for question in asked)
        skipped = "skip" in acts and "answer" not in acts
        marks.mark(index, DONE * done + UNSURE * unsure + SKIPPED * skipped)
        marks.waiting[index] = self.assignments.is_theirs(person, index) and self._is_open(asked, held(entry.id))

    def _last_of(self, document: str) -> int | None:
        return max(self.assignments.members.get(document, ()), default=None)

    def held(self, person: str, target: str) -> HeldActs:
        """Return the current acts of a judge about a target, by the key of :func:`held_under`."""
        return by_target(self.project.journal.standing(person, target)).get(target, {})

    # questions and queues

    def asked(self, person: str, entry: PooledItem) -> list[AskedQuestion]:
        """Return the questions about an item, in order; those about a document come with its last item."""
        return self._asked(person, entry, partial(self.held, person))

    def _asked(self, person: str, entry: PooledItem, held: Callable[[str], HeldActs]) -> list[AskedQuestion]:
        questions, document = self.project.scheme.question, entry.item.document
        about_item = held(entry.id)
        asked = [self._ask(question, entry.id, about_item) for question in questions if question.per == "item"]
        is_last = self.about_documents and self.places[entry.id] == self._last_of(document)
        if is_last and self.assignments.sees_all(person, document):
            about_document = held(document)
            asked += [self._ask(question, document, about_document) for question in self.about_documents]
        answers: dict[tuple[str, str], JournalLine | None] = {}
        for asking in asked:
            if _applies(asking, answers):
                answers[asking.target, asking.question.id] = asking.standing
        return [asking for asking in asked if (asking.target, asking.question.id) in answers]

    def _ask(self, question: Question, target: str, held: HeldActs) -> AskedQuestion:
        standing = held.get(question.id)
        again = self.again.get((target, question.id), 0)
        return AskedQuestion(question, target, standing, again=standing is not None and standing.line < again)

    def _is_open(self, asked: Iterable[AskedQuestion], held: HeldActs) -> bool:
        """Return whether an item waits for an answer; a skipped one does only if it was asked again."""
        places, skipped = list(asked), held.get("")
        if skipped is not None and skipped.act == "skip" and not any(asking.again for asking in places):
            return False
        return not all(asking.answered for asking in places)

    def next_entry(self, person: str) -> PooledItem | None:
        """Return the first waiting item that no other judge has on screen or has answered, or None."""
        with self.lock:
            self.catch_up()
            index = self.assignments.next_index(person)
            return None if index is None else self.entries[index]

    def leave(self, person: str) -> None:
        """Release the item on the screen of a judge who leaves."""
        with self.lock:
            self.assignments.shown.pop(person, None)

    def entry_named(self, person: str, target: str) -> PooledItem:
        """Return an item by its id; raise an error if it is unknown or assigned to another judge."""
        with self.lock:
            self.catch_up()
            index = self.places.get(target)
            if index is None or not self.assignments.is_theirs(person, index):
                raise InputError("there is no such item")
            return self.entries[index]

    def progress(self, person: str) -> JudgeProgress:
        """Return how far a judge has come."""
        return self.assignments.progress(person)

    def aside(self, person: str) -> list[PooledItem]:
        """Return the items that a judge skipped or marked unsure, in pool order."""
        return [self.entries[index] for index in self.assignments.marks_of(person).aside()]

    # acts of judges

    def act(self, act: Act) -> JournalLine:
        """Check an act of a judge, add it to the journal, and return its line once it is durable."""
        with self.lock:
            with self.project.database.writing():
                self.check(act)
                line = self.project.journal.add(act)
            self.catch_up()
            return line

    def undo(self, person: str, nonce: str) -> JournalLine:
        """Undo the last act of a judge, and return the line of the undo."""
        with self.lock:
            line = self.project.journal.undo(person, nonce)
            self.catch_up()
            return line

    def check(self, act: Act) -> None:
        """Raise an error for an unknown target, question or value, another judge's item, or a text that is too long."""
        self.catch_up()
        if len(act.text) > MAX_TEXT or not 8 <= len(act.nonce) <= 64:
            raise InputError(
                f"a text may have at most {MAX_TEXT} characters, and an act needs a nonce of 8 to 64 characters"
            )
        if act.act in ("fact", "done"):
            if act.target not in self.pages:
                raise InputError("there is no such document")
            if act.act == "fact" and act.text:
                fact_item(self.project.pool.head.kind, act.target, act.text)
            return
        if act.target in self.pages and act.act in ("answer", "unsure", "adjudicate", "again"):
            per = "document"
        else:
            per = "item"
            if act.act in ("adjudicate", "again"):
                if act.target not in self.places:
                    raise InputError("there is no such item")
            else:
                self.entry_named(act.person, act.target)
        if act.act in ("answer", "unsure", "adjudicate", "again"):
            self._check_answer(act, per)

    def _check_answer(self, act: Act, per: str) -> None:
        questions = [question for question in self.project.scheme.question if question.per == per]
        question = next((question for question in questions if question.id == act.question), None)
        if question is None:
            raise InputError("there is no such question")
        wants = act.act in ("answer", "adjudicate")
        if wants != (act.value is not None) or (act.value is not None and not question.takes(act.value)):
            raise InputError("this question does not take that answer")
        if act.act in DECISIONS and not self._differ(act.target, act.question):
            raise InputError("the judges agree on this question, so it needs no decision")

    def _differ(self, target: str, question: str) -> bool:
        given = (self.held(person, target).get(question) for person in self.assignments.by_judge)
        return len({standing.value for standing in given if standing is not None}) > 1


def _held_of(held: Mapping[str, HeldActs], target: str) -> HeldActs:
    return held.get(target, {})


def by_target(lines: Iterable[JournalLine]) -> dict[str, dict[str, JournalLine]]:
    """Return the current lines of a judge, by target and by the key of :func:`held_under`."""
    held: dict[str, dict[str, JournalLine]] = {}
    for line in lines:
        held.setdefault(line.target, {})[held_under(line.act, line.question)] = line
    return held


def _applies(asking: AskedQuestion, answers: Mapping[tuple[str, str], JournalLine | None]) -> bool:
    """Return whether a question applies, given the answers to the questions it depends on."""
    condition = asking.question.when
    if condition is None:
        return True
    standing = answers.get((asking.target, condition.question))
    return standing is not None and standing.value in condition.answers
