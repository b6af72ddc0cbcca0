"""Reading runs and assessments: every line with the question it answers and the question it leads to.

As published, a line for a question must come after a line that leads to it, so files are read in their order. A
loader that waits accepts them in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from karat.formats.coldstart.layouts import EARLY_LAYOUTS, LAYOUTS, Layout, recognise
from karat.formats.coldstart.places import Places
from karat.protocols.coldstart.fills import CODES, CORRECT, INEXACT, NO_CLASS, Fill
from karat.protocols.coldstart.questions import Question, Questions
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths
from karat.vocabularies.coldstart.query_ids import follow_up_digits
from karat.vocabularies.coldstart.text import is_blank, split_comment, trim
from karat.vocabularies.coldstart.text_files import lines_of

NO_PROVENANCE = ":-"
"""What the published validator writes for a provenance of which nothing is left."""


class _Entry(NamedTuple):
    """The elements of a line, before anything is known of its question."""

    query_id: str
    slot: str
    elements: list[str]
    number: int
    path: str
    layout: Layout


class Loader:
    """Reads files into ``answers`` and ``assessments``, in the order of the lines.

    ``bad`` holds the targets of lines that were left out. With ``checked`` false, neither blank columns nor slots
    that nobody asked for are looked for; with ``waiting`` true, lines may come before those that lead to them. With
    ``early`` true, files are read as before the evaluation: a comment on the first line is no comment, a confidence
    needs a decimal point there, and inexact answers have no class.
    """

    def __init__(
        self,
        questions: Questions,
        lengths: Lengths | None = None,
        *,
        checked: bool = True,
        waiting: bool = False,
        comments: bool = False,
        early: bool = False,
    ) -> None:
        self.questions = questions
        self.log: ProblemLog = questions.log
        self.places = Places(lengths, self.log)
        self.early = early
        self.checked = checked
        self.comments = comments
        self.answers: list[Fill] = []
        self.assessments: list[Fill] = []
        self.bad: set[str] = set()
        self.run_ids: dict[str, str] = {}
        self.led_to: tuple[str, ...] = ()
        self._waiting: dict[str, list[_Entry]] | None = {} if waiting else None
        self._mixed: dict[str, None] = {}

    def load(self, path: str, lines: Iterable[str] | None = None) -> None:
        """Read a file, or lines that are to be known by its name."""
        for entry in self._entries(path, lines_of(path) if lines is None else lines):
            self._accept(entry)

    def finish(self) -> None:
        """Say that there are no more files; stop if a line still waits for the one that leads to it.

        Where lines may come in any order, the run id of a file is the one that most of its lines have.
        """
        if self._waiting is None:
            return
        for query_id, entries in self._waiting.items():
            first = entries[0]
            raise Stop(f"Query {query_id} not loaded ({first.path} line {first.number})")
        mixed: dict[str, list[Fill]] = {path: [] for path in self._mixed}
        for line in self.answers if mixed else ():
            if line.path in mixed:
                mixed[line.path].append(line)
        for path, lines in mixed.items():
            numbers = Counter(line.run_id for line in lines)
            first_id = self.run_ids[path] = min(numbers, key=lambda one: (-numbers[one], one))
            for line in lines:
                if line.run_id != first_id:
                    self.log.record("MULTIPLE_RUNIDS", first_id, line.run_id, where=f"{path} line {line.number}")

    def _entries(self, path: str, lines: Iterable[str]) -> Iterator[_Entry]:
        layout = None
        number = 0
        for number, line in enumerate(lines, 1):
            if self.comments:
                line = split_comment(line)[0]
            elements = line.replace("\r", "").rstrip("\t").split("\t")
            if not elements[0].strip() and is_blank(line):
                continue
            is_comment = "#" in line and trim(line).startswith("#")
            if layout is None and (self.early or not is_comment):
                layout = recognise(elements, path, EARLY_LAYOUTS if self.early else LAYOUTS)
            if layout is None or is_comment:
                continue
            if len(elements) != len(layout.columns):
                self.log.record("WRONG_NUM_ENTRIES", len(layout.columns), len(elements), where=f"{path} line {number}")
                continue
            if layout.is_run:
                query_id, slot = elements[layout.query], elements[layout.slot]
            else:
                query_id, colon, slot = elements[layout.query].partition(":")
                if not colon and self._waiting is None:
                    raise Stop("Can't create SLOT_TYPE")
                (check_early_class if self.early else check_class)(query_id, elements, number)
            yield _Entry(query_id, slot, elements, number, path, layout)
        if not number:
            self.log.record("EMPTY_FILE", path, where=NO_PLACE)
        elif layout is None:
            raise Stop(f"Empty file: {path}")

    def _accept(self, entry: _Entry) -> None:
        """Add a line, and those that waited for it."""
        pending = [entry]
        while pending:
            one = pending.pop()
            question = self.questions.get(one.query_id)
            if question is None:
                if self._waiting is None:
                    raise Stop(f"Query {one.query_id} not loaded")
                self._waiting.setdefault(one.query_id, []).append(one)
                continue
            self._add(one, question)
            if self._waiting:
                for name in self.led_to:
                    if self.questions.get(name) is not None:
                        pending += self._waiting.pop(name, ())

    def lead(self, question: Question, query_id: str, value: str, place: str) -> tuple[str, bool]:
        """Ask what follows from an answer; return the id of that question, and whether it is new."""
        target = f"{question.base}_{follow_up_digits(query_id, value, place)}"
        self.led_to = (target,)
        return target, self.questions.follow(question, target)

    def _add(self, entry: _Entry, question: Question) -> None:
        query_id, slot, elements, number, path, layout = entry
        if not self.questions.knows_slot(slot):
            self.log.record("UNKNOWN_SLOT_NAME", slot, where=f"{path} line {number}")
        relation = self.places(elements[layout.relation], path, number)
        place = self.places(elements[layout.place], path, number)
        value = elements[layout.value]
        target, is_new = self.lead(question, query_id, value, place)
        if is_new and not place:
            place = NO_PROVENANCE
        if self.checked and not self._is_usable(entry, question):
            self.bad.add(target)
            return
        if layout.is_run:
            run_id = elements[layout.run_id]
            first = self.run_ids.setdefault(path, run_id)
            if run_id != first and self._waiting is not None:
                self._mixed[path] = None
            elif run_id != first:
                self.log.record("MULTIPLE_RUNIDS", first, run_id, where=f"{path} line {number}")
            line = Fill(question, value, relation, place, target, run_id, "", "", elements, number, path)
            self.answers.append(line)
        else:
            judgment, _, ec = elements[layout.judgment :]
            if not CODES.issuperset(elements[layout.judgment : -1]):
                raise Stop("Unknown assessment code: ")
            line = Fill(question, value, relation, place, target, "", judgment, ec, elements, number, path)
            self.assessments.append(line)

    def _is_usable(self, entry: _Entry, question: Question) -> bool:
        """Say whether every column has a value and the slot is the one that was asked for."""
        if not all(map(str.strip, entry.elements)):
            for column, element in zip(entry.layout.columns, entry.elements, strict=True):
                if is_blank(element):
                    self.log.record("EMPTY_FIELD", column, where=f"{entry.path} line {entry.number}")
                    return False
        if entry.slot != question.slot:
            self.log.record(
                "WRONG_SLOT_NAME",
                entry.slot,
                question.id,
                question.slot or "",
                where=f"{entry.path} line {entry.number}",
            )
            return False
        return True


def check_class(query_id: str, elements: list[str], number: int) -> None:
    """Stop unless an assessment has an equivalence class just if it is correct or inexact."""
    judgment, _, ec = elements[-3:]
    if judgment in (CORRECT, INEXACT):
        if ec in (NO_CLASS, ""):
            raise Stop(f"Correct entry without equivalence class, query = {query_id} at line {number}")
    elif ec not in (NO_CLASS, ""):
        raise Stop(f"Equivalence class without correct entry, query = {query_id}, judgment = , ec = {ec}")


def check_early_class(query_id: str, elements: list[str], number: int) -> None:
    """Stop unless an assessment has an equivalence class just if it is correct, as it was before the evaluation."""
    del number
    judgment, _, ec = elements[-3:]
    if judgment == CORRECT and ec in (NO_CLASS, ""):
        raise Stop(f"Correct entry without equivalence class, query = {query_id}")
    if judgment != CORRECT and ec not in (NO_CLASS, ""):
        raise Stop(f"Equivalence class without correct entry, query = {query_id}")
