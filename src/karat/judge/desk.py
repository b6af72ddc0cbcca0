"""The desk: what lies before each judge, in which order, and what may be answered.

Everything is held in memory as well, as it follows from the journal, so that the next item is found without a search.
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import NamedTuple

from karat.errors import InputError
from karat.judge.items import fact_item
from karat.judge.journal import Act, Line
from karat.judge.pool import Entry, Page
from karat.judge.project import Project
from karat.judge.scheme import Question

MAX_TEXT = 4000
"""Characters of a note or a fact."""


class Asked(NamedTuple):
    """A question about a target, with what the judge has answered, if anything."""

    question: Question
    target: str
    line: Line | None

    @property
    def answered(self) -> bool:
        """Whether there is an answer, be it that the judge is not sure."""
        return self.line is not None and self.line.act in ("answer", "unsure")


class Progress(NamedTuple):
    """How many items a judge has answered of those that are theirs, and how many were skipped or left unsure."""

    done: int
    total: int
    skipped: int
    unsure: int


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
        self.held: dict[str, dict[tuple[str, str], Line]] = {}
        self.owners: dict[str, str] = {}
        self.claims: Counter[str] = Counter()
        self.first: dict[str, int] = {}
        self.shown: dict[str, str] = {}
        for line in project.journal.standing():
            self._hold(line)

    def _hold(self, line: Line) -> None:
        self.held.setdefault(line.person, {})[line.target, line.question] = line
        entry = self._entry(line.target)
        claims = entry is not None and not entry.shared and line.act in ("answer", "unsure")
        if claims and line.target not in self.owners:
            self.owners[line.target] = line.person
            self.claims[line.person] += 1

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
        answers = {(place.target, place.question.id): place.line for place in asked}
        return [place for place in asked if _applies(place, answers)]

    def _ask(self, person: str, question: Question, target: str) -> Asked:
        return Asked(question, target, self.held.get(person, {}).get((target, question.id)))

    def _last_of_document(self, person: str, entry: Entry) -> Entry:
        theirs = [other for other in self.members[entry.item.document] if self._is_theirs(person, other)]
        return theirs[-1] if theirs else entry

    def _is_theirs(self, person: str, entry: Entry) -> bool:
        return entry.shared or self.owners.get(entry.id, person) == person

    def is_open(self, person: str, entry: Entry) -> bool:
        """Say whether an item still waits for an answer of the judge: one that was skipped waits at the end."""
        held = self.held.get(person, {})
        if (entry.id, "") in held and held[entry.id, ""].act == "skip":
            return False
        return not all(place.answered for place in self.asked(person, entry))

    def next_entry(self, person: str) -> Entry | None:
        """Return the next item of a judge: the first that waits, and that nobody else has before them or answered."""
        with self.lock:
            elsewhere = {target for name, target in self.shown.items() if name != person}
            place = self.first.get(person, 0)
            while place < len(self.entries):
                entry = self.entries[place]
                if self._is_theirs(person, entry) and (entry.shared or entry.id not in elsewhere):
                    if self.is_open(person, entry):
                        self.shown[person] = entry.id
                        return entry
                    if place == self.first.get(person, 0):
                        self.first[person] = place + 1
                elif place == self.first.get(person, 0) and not self._is_theirs(person, entry):
                    self.first[person] = place + 1
                place += 1
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
        held = self.held.get(person, {})
        targets = {target for (target, _), line in held.items() if line.act == "answer" and target in self.places}
        unsure = {target for (target, _), line in held.items() if line.act == "unsure"}
        skipped = {target for (target, _), line in held.items() if line.act == "skip"} - targets
        taken = self.claims.total() - self.claims[person]
        return Progress(len(targets | unsure), len(self.entries) - taken, len(skipped), len(unsure))

    def aside(self, person: str) -> list[Entry]:
        """Return the items that a judge skipped or was not sure about, in their order."""
        held = self.held.get(person, {})
        targets = {target for (target, _), line in held.items() if line.act in ("unsure", "skip")}
        return [entry for entry in self.entries if entry.id in targets and not self._settled(held, entry)]

    def _settled(self, held: dict[tuple[str, str], Line], entry: Entry) -> bool:
        lines = [line for (target, _), line in held.items() if target == entry.id]
        return any(line.act == "answer" for line in lines) and not any(line.act == "unsure" for line in lines)

    # what is answered

    def act(self, act: Act) -> Line:
        """Check an act of a judge, write it down, and return its line when it is durable."""
        self.check(act)
        with self.lock:
            line = self.project.journal.add(act)
            self._hold(line)
            return line

    def undo(self, person: str, nonce: str) -> Line:
        """Take back the last act of a judge, and return the line that does it."""
        with self.lock:
            line = self.project.journal.undo(person, nonce)
            held = self.held.setdefault(person, {})
            held.pop((line.target, line.question), None)
            for standing in self.project.journal.standing(person, line.target):
                self._hold(standing)
            if self.owners.get(line.target) == person and not any(target == line.target for target, _ in held):
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
                fact_item(act.target, act.text)
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


def _applies(place: Asked, answers: dict[tuple[str, str], Line | None]) -> bool:
    """Say whether a question is asked, given the answers to those it depends on."""
    condition = place.question.when
    if condition is None:
        return True
    line = answers.get((place.target, condition.question))
    return line is not None and line.value in condition.answers
