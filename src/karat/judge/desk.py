"""The desk: what lies before each judge, in which order, and what may be answered.

Everything is held in memory as well, as it follows from the journal, so that the next item is found without a search.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from karat.errors import InputError
from karat.judge.items import fact_item
from karat.judge.journal import DECISIONS, Act, Line, held_under
from karat.judge.pool import Entry, Page
from karat.judge.project import Project
from karat.judge.scheme import Question

MAX_TEXT = 4000
"""Characters of a note or a fact."""


class Standing(NamedTuple):
    """The act of a judge that holds about a question: as much of its line as is needed to go on."""

    line: int
    act: str
    question: str
    value: float | None
    text: str


class Asked(NamedTuple):
    """A question about a target, with what the judge has answered, if anything; it may be asked again since."""

    question: Question
    target: str
    standing: Standing | None
    again: bool = False

    @property
    def answered(self) -> bool:
        """Whether there is an answer that counts as the last one, be it that the judge is not sure."""
        return self.standing is not None and self.standing.act in ("answer", "unsure") and not self.again

    @property
    def is_unsure(self) -> bool:
        """Whether the judge was not sure."""
        return self.standing is not None and self.standing.act == "unsure"


class Progress(NamedTuple):
    """How many items a judge has answered of those that are theirs, and how many were skipped or left unsure."""

    done: int
    total: int
    skipped: int
    unsure: int


class _State:
    """What became of targets in the hands of a judge: the acts that hold about each, by question."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Standing]] = {}
        self.done: set[str] = set()
        self.unsure: set[str] = set()
        self.skipped: set[str] = set()
        self.searched: set[str] = set()

    def note(self, target: str, *, is_item: bool) -> None:
        """Follow a change of the acts that hold about a target."""
        acts: set[str] = {standing.act for standing in self.held.get(target, {}).values()}
        for targets, belongs in (
            (self.done, is_item and not acts.isdisjoint(("answer", "unsure"))),
            (self.unsure, "unsure" in acts),
            (self.skipped, "skip" in acts and "answer" not in acts),
            (self.searched, "done" in acts),
        ):
            targets.add(target) if belongs else targets.discard(target)


class Desk:
    """The items of a project as its judges work through them."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.lock = threading.RLock()
        self.entries = list(project.pool.entries)
        self.places = {entry.id: place for place, entry in enumerate(self.entries)}
        self.pages: dict[str, Page] = {page.id: page for page in project.pool.pages}
        self.members: dict[str, list[Entry]] = {}
        for entry in self.entries:
            self.members.setdefault(entry.item.document, []).append(entry)
        self.labels = sorted({entry.item.label for entry in self.entries})
        self.again: dict[tuple[str, str], int] = {}
        self.states: dict[str, _State] = {}
        self.owners: dict[str, str] = {}
        self.claims: Counter[str] = Counter()
        self.first: dict[str, int] = {}
        self.passed: dict[str, set[int]] = {}
        self.shown: dict[str, str] = {}
        for line in project.journal.standing():
            self._hold(line)

    def _hold(self, line: Line) -> None:
        entry, state = self._entry(line.target), self.state(line.person)
        target = entry.id if entry else self.pages[line.target].id if line.target in self.pages else line.target
        standing = Standing(line.line, sys.intern(line.act), sys.intern(line.question), line.value, line.text)
        state.held.setdefault(target, {})[held_under(standing.act, standing.question)] = standing
        state.note(target, is_item=entry is not None)
        if line.act == "again":
            self.again[line.target, line.question] = line.line
            self._reopen(line.target)
        claims = entry is not None and not entry.shared and line.act in ("answer", "unsure")
        if claims and target not in self.owners:
            self.owners[target] = sys.intern(line.person)
            self.claims[line.person] += 1

    def _reopen(self, target: str) -> None:
        """Let everyone look at a target again, at the latest when they ask for their next item."""
        first = min((self.places[entry.id] for entry in self.members.get(target, ())), default=0)
        for person in self.first:
            self.first[person] = min(self.first[person], self.places.get(target, first))

    def state(self, person: str) -> _State:
        """Return what became of targets in the hands of a judge."""
        return self.states.setdefault(person, _State())

    def held(self, person: str, target: str) -> Mapping[str, Standing]:
        """Return the acts of a judge that hold about a target, by question."""
        return self.state(person).held.get(target, {})

    def standing(self, person: str, target: str, question: str) -> Standing | None:
        """Return the act of a judge that holds about a question, if there is one."""
        return self.held(person, target).get(question)

    def _entry(self, target: str) -> Entry | None:
        place = self.places.get(target)
        return None if place is None else self.entries[place]

    # what is asked

    def asked(self, person: str, entry: Entry) -> list[Asked]:
        """Return the questions about an item in their order; behind the last item of a document, those about it."""
        questions = self.project.scheme.question
        asked = [self._ask(person, question, entry.id) for question in questions if question.per == "item"]
        about_document = [question for question in questions if question.per == "document"]
        if about_document and entry is self._last_of_document(person, entry):
            asked += [self._ask(person, question, entry.item.document) for question in about_document]
        answers: dict[tuple[str, str], Standing | None] = {}
        for place in asked:
            if _applies(place, answers):
                answers[place.target, place.question.id] = place.standing
        return [place for place in asked if (place.target, place.question.id) in answers]

    def _ask(self, person: str, question: Question, target: str) -> Asked:
        standing = self.standing(person, target, question.id)
        again = self.again.get((target, question.id), 0)
        return Asked(question, target, standing, again=standing is not None and standing.line < again)

    def _last_of_document(self, person: str, entry: Entry) -> Entry:
        theirs = [other for other in self.members[entry.item.document] if self._is_theirs(person, other)]
        return theirs[-1] if theirs else entry

    def _is_theirs(self, person: str, entry: Entry) -> bool:
        return entry.shared or self.owners.get(entry.id, person) == person

    def is_open(self, person: str, entry: Entry) -> bool:
        """Say whether an item still waits for an answer of the judge: one that was skipped waits at the end."""
        asked, skipped = self.asked(person, entry), self.standing(person, entry.id, "")
        if skipped is not None and skipped.act == "skip" and not any(place.again for place in asked):
            return False
        return not all(place.answered for place in asked)

    def next_entry(self, person: str) -> Entry | None:
        """Return the next item of a judge: the first that waits, and that nobody else has before them or answered.

        Items that somebody else has before them are passed over, and looked at again before all that follow.
        """
        with self.lock:
            elsewhere = {target for name, target in self.shown.items() if name != person}
            passed = self.passed.setdefault(person, set())
            first = self.first.get(person, 0)
            for place in chain(sorted(passed), range(first, len(self.entries))):
                entry = self.entries[place]
                self.first[person] = max(place, self.first.get(person, 0))
                passed.discard(place)
                if self._is_theirs(person, entry) and self.is_open(person, entry):
                    if entry.shared or entry.id not in elsewhere:
                        if place < first:
                            passed.add(place)
                        self.shown[person] = entry.id
                        return entry
                    passed.add(place)
            self.first[person] = len(self.entries)
            self.shown.pop(person, None)
            return None

    def entry_named(self, person: str, target: str) -> Entry:
        """Return an item that a judge asks for by its name; one that belongs to somebody else is not there."""
        entry = self._entry(target)
        if entry is None or not self._is_theirs(person, entry):
            raise InputError("there is no such item")
        return entry

    def progress(self, person: str) -> Progress:
        """Count what a judge has done."""
        state, taken = self.state(person), self.claims.total() - self.claims[person]
        return Progress(len(state.done), len(self.entries) - taken, len(state.skipped), len(state.unsure))

    def aside(self, person: str) -> list[Entry]:
        """Return the items that a judge skipped or was not sure about, in their order."""
        state = self.state(person)
        places = [self.places[target] for target in state.unsure | state.skipped if target in self.places]
        return [self.entries[place] for place in sorted(places)]

    # what is answered

    def act(self, act: Act) -> Line:
        """Check an act of a judge, write it down, and return its line when it is durable."""
        with self.lock:
            self.check(act)
            line = self.project.journal.add(act)
            self._hold(line)
            return line

    def undo(self, person: str, nonce: str) -> Line:
        """Take back the last act of a judge, and return the line that does it."""
        with self.lock:
            line = self.project.journal.undo(person, nonce)
            state = self.state(person)
            held = state.held.pop(line.target, {}).values()
            if any(taken.line == line.undone and taken.act == "again" for taken in held):
                del self.again[line.target, line.question]
            state.note(line.target, is_item=line.target in self.places)
            for standing in self.project.journal.standing(person, line.target):
                self._hold(standing)
            if self.owners.get(line.target) == person and line.target not in state.done:
                del self.owners[line.target]
                self.claims[person] -= 1
            self.first[person] = min(self.first.get(person, 0), self.places.get(line.target, 0))
            return line

    def check(self, act: Act) -> None:
        """Refuse an unknown target, question or value, an item of somebody else, and a text that is too long."""
        if len(act.text) > MAX_TEXT or not 8 <= len(act.nonce) <= 64:
            raise InputError(f"a text may have {MAX_TEXT} characters, and an act needs a number of its own")
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
            raise InputError("that is no answer to this question")
        if act.act in DECISIONS and not self._differ(act.target, act.question):
            raise InputError("judges do not answer it differently, so there is nothing to decide")

    def _differ(self, target: str, question: str) -> bool:
        """Say whether judges answered a question differently."""
        given = (self.standing(person, target, question) for person in self.states)
        return len({standing.value for standing in given if standing is not None}) > 1


def _applies(place: Asked, answers: Mapping[tuple[str, str], Standing | None]) -> bool:
    """Say whether a question is asked, given the answers to those it depends on."""
    condition = place.question.when
    if condition is None:
        return True
    standing = answers.get((place.target, condition.question))
    return standing is not None and standing.value in condition.answers
