"""Reading runs and assessments: every line with the question it answers and the question it leads to.

As published, a line for a question must come after a line that leads to it, so files are read in their order. A
reader that waits accepts them in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from karat.protocols.coldstart.questions import CODES, CORRECT, INEXACT, NO_CLASS, Fill, HopQuery, Questions
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths, ProvenanceReader
from karat.vocabularies.coldstart.query_ids import follow_up_digits
from karat.vocabularies.coldstart.slot_lines import EARLY_LAYOUTS, LAYOUTS, SlotLine, is_usable, slot_lines
from karat.vocabularies.coldstart.text import number
from karat.vocabularies.coldstart.text_files import lines_of

NO_PROVENANCE = ":-"
"""What the published validator writes for a provenance of which nothing is left."""
Surest = tuple[float, str, str, str, list[str], str]


class RunReader:
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
        self.places = ProvenanceReader(lengths, self.log)
        self.early = early
        self.checked = checked
        self.comments = comments
        self.answers: list[Fill] = []
        self.assessments: list[Fill] = []
        self.bad: set[str] = set()
        self.run_ids: dict[str, str] = {}
        self.led_to: tuple[str, ...] = ()
        self._waiting: dict[str, list[SlotLine]] | None = {} if waiting else None
        self._mixed: dict[str, None] = {}

    def load(self, path: str, lines: Iterable[str] | None = None) -> None:
        """Read a file, or lines that are to be known by its name."""
        layouts = EARLY_LAYOUTS if self.early else LAYOUTS
        lines = lines_of(path) if lines is None else lines
        for line in slot_lines(path, lines, self.log, layouts, comments=self.comments, comment_first=not self.early):
            if not line.layout.is_run:
                if self._waiting is None and ":" not in line.elements[line.layout.query]:
                    raise Stop("Can't create SLOT_TYPE")
                _check_class(line, early=self.early)
            self._accept(line)

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
            line_counts = Counter(line.run_id for line in lines)
            first_id = self.run_ids[path] = min(line_counts, key=lambda run_id: (-line_counts[run_id], run_id))
            for line in lines:
                if line.run_id != first_id:
                    self.log.record("MULTIPLE_RUNIDS", first_id, line.run_id, where=f"{path} line {line.number}")

    def _accept(self, line: SlotLine) -> None:
        """Add a line, and those that waited for it."""
        pending = [line]
        while pending:
            line = pending.pop()
            question = self.questions.get(line.query_id)
            if question is None:
                if self._waiting is None:
                    raise Stop(f"Query {line.query_id} not loaded")
                self._waiting.setdefault(line.query_id, []).append(line)
                continue
            self._add(line, question)
            if self._waiting:
                for name in self.led_to:
                    if self.questions.get(name) is not None:
                        pending += self._waiting.pop(name, ())

    def lead(self, question: HopQuery, query_id: str, value: str, place: str) -> tuple[str, bool]:
        """Ask what follows from an answer; return the id of that question, and whether it is new."""
        target = f"{question.base}_{follow_up_digits(query_id, value, place)}"
        self.led_to = (target,)
        return target, self.questions.follow(question, target)

    def _add(self, line: SlotLine, question: HopQuery) -> None:
        query_id, slot, elements, line_number, path, layout = line
        if not self.questions.knows_slot(slot):
            self.log.record("UNKNOWN_SLOT_NAME", slot, where=f"{path} line {line_number}")
        relation = self.places(elements[layout.relation], path, line_number)
        place = self.places(elements[layout.place], path, line_number)
        value = elements[layout.value]
        target, is_new = self.lead(question, query_id, value, place)
        if is_new and not place:
            place = NO_PROVENANCE
        if self.checked and not is_usable(line, question.id, question.slot, self.log):
            self.bad.add(target)
            return
        if layout.is_run:
            run_id = elements[layout.run_id]
            first = self.run_ids.setdefault(path, run_id)
            if run_id != first and self._waiting is not None:
                self._mixed[path] = None
            elif run_id != first:
                self.log.record("MULTIPLE_RUNIDS", first, run_id, where=f"{path} line {line_number}")
            fill = Fill(question, value, relation, place, target, run_id, "", "", elements, line_number, path)
            self.answers.append(fill)
        else:
            judgment, _, ec = elements[layout.judgment :]
            if not CODES.issuperset(elements[layout.judgment : -1]):
                raise Stop("Unknown assessment code: ")
            fill = Fill(question, value, relation, place, target, "", judgment, ec, elements, line_number, path)
            self.assessments.append(fill)


def _check_class(line: SlotLine, *, early: bool) -> None:
    """Stop unless an assessment has an equivalence class just if it is correct or, but not so early, inexact."""
    judgment, _, ec = line.elements[-3:]
    has_class = ec not in (NO_CLASS, "")
    if judgment == CORRECT or (judgment == INEXACT and not early):
        if not has_class:
            where = "" if early else f" at line {line.number}"
            raise Stop(f"Correct entry without equivalence class, query = {line.query_id}{where}")
    elif has_class:
        what = "" if early else f", judgment = , ec = {ec}"
        raise Stop(f"Equivalence class without correct entry, query = {line.query_id}{what}")


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
