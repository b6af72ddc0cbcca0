"""The assessed pool: finds the assessment of an answer, and holds the equivalence classes as a tree.

The tree has a query, the classes of its fills, the classes of theirs. A class is named by its path, ``QID:2`` at the
first hop and ``QID:2:1`` below it. Whatever is not right goes to the bin ``0`` of its place. What follows from an
answer is asked in the name of the class that the answer belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from karat.protocols.coldstart.questions import CORRECT, INEXACT, NO_CLASS, Fill, HopQuery, Questions
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.text import lower, number

Path = tuple[str, ...]
Mends = Callable[[str], bool]
"""Says whether a rule of the published scorer is corrected."""
LAST_CLASS, REPEATED_LINES = "last-class-wins", "duplicates-by-the-wrong-field"
BIN = "0"
NAMELESS_BIN = ":0"
"""Where the published scorer puts what is assessed as wrong below a parent that is not right."""

Form = Callable[[str], str]
"""How the values of answers are compared."""
DISCIPLINES: dict[str, Form | None] = {"ASSESSED": None, "STRING_EXACT": str, "STRING_CASE": lower}
"""How values are compared where no assessment is of the same line; nothing where they are not."""

_Key = tuple[object, ...]
_Answer = tuple[str, ...]
_Answers = Mapping[Path, Mapping[_Answer, None]]


def path_of(name: str) -> Path:
    """Return the path of a class name; empty parts at its end are ignored.

    >>> path_of("Q1:2:1"), path_of(":0")
    (('Q1', '2', '1'), ('', '0'))
    """
    stripped = name.rstrip(":")
    return tuple(stripped.split(":")) if stripped else ()


def renamed(path: Path, same: Mapping[Path, Path]) -> Path:
    """Return the path to which ``same`` maps a path or its nearest mapped ancestor.

    >>> renamed(("A", "2", "0"), {("A", "2"): ("L", "1")})
    ('L', '1', '0')
    """
    for depth in range(len(path), 0, -1):
        name = same.get(path[:depth])
        if name is not None:
            return name + path[depth:]
    return path


def is_bin(path: Path) -> bool:
    """Return whether a path lies in a bin."""
    return BIN in path


def order(path: Path) -> tuple[str, list[float]]:
    """Return the key by which paths are sorted: the query by its name, classes by their numbers."""
    return path[0] if path else "", [number(part) for part in path[1:]]


class AssessedClasses:
    """The class of every question and every assessment."""

    def __init__(self, questions: Questions, answers: Iterable[Fill], assessments: list[Fill], *, mends: Mends) -> None:
        self.questions = questions
        self.mends = mends
        self.assessments: dict[str, list[Fill]] = {}
        self._asked_by: dict[str, HopQuery] = {line.target: line.question for line in answers}
        self._led_by: dict[str, Fill] = {}
        self._names: dict[str, str] = {}
        for line in sorted(assessments, key=_best_last) if mends(LAST_CLASS) else assessments:
            self._asked_by[line.target] = line.question
            if line.judgment in (CORRECT, INEXACT):
                self._led_by[line.target] = line
            self.assessments.setdefault(line.question.base, []).append(line)

    def name(self, query_id: str) -> str:
        """Return the class to which a question belongs; the first question of a chain is its own class."""
        question = self.questions.get(query_id)
        if question is not None and not question.level:
            return query_id
        parent_line = self._led_by.get(query_id)
        known = self._names.get(query_id) if parent_line is None else parent_line.ec
        if known is None:
            parent = self._asked_by.get(query_id)
            if parent is None:
                raise Stop("queryid undefined in QuerySet->get()")
            known = self._names[query_id] = f"{self.name(parent.id)}:{BIN}"
        return known

    def place(self, assessment: Fill) -> str:
        """Return the class or the bin that an assessment belongs to."""
        question = assessment.question
        if assessment.ec not in (NO_CLASS, ""):
            return assessment.ec
        if not question.level:
            return f"{question.id}:{BIN}"
        if self.mends("nameless-hop-0-rows"):
            return f"{self.name(question.id)}:{BIN}"
        parent = self._led_by.get(question.id)
        return NAMELESS_BIN if parent is None or len(path_of(parent.ec)) == 1 else f"{parent.ec}:{BIN}"

    def tree(
        self, bases: Iterable[str], same: Mapping[Path, Path] | None = None, *, in_order: bool | None = None
    ) -> Tree:
        """Return the classes of the queries that began with these; ``same`` gives classes another path.

        If assessments are ``in_order``, parents must come before their children; as published, they must.
        """
        in_order = not self.mends("order-of-lines") if in_order is None else in_order
        tree = Tree(self.questions, same or {}, in_order=in_order, once=not self.mends(REPEATED_LINES))
        lines = [line for base in bases for line in self.assessments.get(base, ())]
        for line in lines:
            if in_order and line.question.level and line.ec in (NO_CLASS, ""):
                tree.begin(self._led_by.get(line.question.id))
            tree.add(line, self.place(line))
        if not in_order:
            tree.check(lines, self)
        return tree


def _best_last(line: Fill) -> tuple[bool, bool, bool, list[float], str]:
    """Return a key that sorts assessments so that the one that counts comes last, whatever their order."""
    root, numbers = order(path_of(line.ec))
    return line.judgment == CORRECT, line.judgment == INEXACT, not is_bin(path_of(line.ec)), [-n for n in numbers], root


class Tree:
    """The classes of one query; ``classes`` has the paths below every path, ``single`` says which take one value.

    ``same`` has the paths of classes that are known by another path here. If assessments come ``in_order``, the parent
    of a class must be there when it is added, and the first assessment of a class says what is asked there. With
    ``once``, what the published scorer takes for a repetition belongs to no class.
    """

    def __init__(self, questions: Questions, same: Mapping[Path, Path], *, in_order: bool, once: bool) -> None:
        self.questions = questions
        self.same = same
        self.in_order = in_order
        self.once = once
        self.classes: dict[Path, dict[Path, None]] = {}
        self.single: dict[Path, bool] = {}
        self._accepted: set[Path] = set()
        self._seen: set[tuple[Path, str, str]] = set()
        self._repeated: set[int] = set()

    def path(self, name: str) -> Path:
        """Return the path of a class in this tree."""
        path = path_of(name)
        return renamed(path, self.same) if self.same else path

    def begin(self, parent: Fill | None) -> None:
        """Begin with the query of the assessment above one that goes into a bin: it says what is asked there.

        Without such a parent nothing is known of the query without a name.
        """
        root = ("",) if parent is None else self.path(parent.ec)[:1]
        self.single.setdefault(root, parent is not None and self.takes_one(parent.question))

    def add(self, assessment: Fill, place: str) -> None:
        """Add the class of an assessment."""
        path = self.path(place)
        question = assessment.question
        self.grow(path)
        if path[:1] not in self.single:
            self.single[path[:1]] = self.takes_one(question)
        if self.once and self._repeats(assessment, path):
            return
        if self.in_order and assessment.judgment == CORRECT:
            self._demand_parent(assessment, path)
        if len(path) > 1 and path not in self.single:
            below = question.slots[1:] if self.in_order else self._first(question).slots[len(path) - 1 :]
            if below:
                self.single[path] = self.questions.is_single(below[0])
        if assessment.judgment in (CORRECT, INEXACT):
            self._accepted.add(path)

    def has(self, assessment: Fill) -> bool:
        """Return whether an assessment belongs to a class or a bin of its own."""
        return id(assessment) not in self._repeated

    def _repeats(self, assessment: Fill, path: Path) -> bool:
        """Return whether an earlier assessment has this one's value and relation, and that relation as provenance."""
        key = (path, assessment.value, assessment.relation)
        if key in self._seen:
            self._repeated.add(id(assessment))
            return True
        if assessment.place == assessment.relation:
            self._seen.add(key)
        return False

    def takes_one(self, question: HopQuery) -> bool:
        """Return whether the slot of the query takes one value, as far as its chain of questions tells."""
        slots = question.slots if self.in_order else self._first(question).slots
        return bool(slots) and self.questions.is_single(slots[0])

    def _first(self, question: HopQuery) -> HopQuery:
        return self.questions.get(question.base) or question

    def grow(self, path: Path) -> None:
        """Add a path and its ancestors if they are missing."""
        for depth in range(len(path), 1, -1):
            siblings = self.classes.setdefault(path[: depth - 1], {})
            if path[:depth] in siblings:
                return
            siblings[path[:depth]] = None

    def check(self, lines: Iterable[Fill], pool: AssessedClasses) -> None:
        """Stop if a class has no parent that is correct or inexact."""
        for line in lines:
            if line.judgment == CORRECT and self.has(line):
                self._demand_parent(line, self.path(pool.place(line)))

    def _demand_parent(self, assessment: Fill, path: Path) -> None:
        if len(path) > 2 and path[:-1] not in self._accepted:
            line = "\t".join(assessment.elements)
            raise Stop(f"Equivalence class without correct parent entry:\n\t{line}\n")


class Matcher:
    """Finds the assessment of an answer under a discipline, in constant time.

    An assessment of the very same line always comes first; of several, a correct one. Under looser disciplines it may
    be one of the same value.
    """

    def __init__(self, pool: AssessedClasses, discipline: str) -> None:
        self.pool = pool
        self.discipline = discipline
        self.form = DISCIPLINES.get(discipline)
        self._lines: dict[_Key, Fill] = {}
        self._values: dict[_Key, Fill] = {}
        self._known: set[str] = set()

    def find(self, answer: Fill) -> Fill | None:
        """Return the assessment of an answer, if there is one."""
        if self.discipline not in DISCIPLINES:
            raise Stop(f"No matcher called {self.discipline}")
        question = answer.question
        if question.base not in self._known:
            self._known.add(question.base)
            self._learn(self.pool.assessments.get(question.base, ()))
        name = self.pool.name(question.id)
        assessment = self._lines.get(_line_key(answer))
        if assessment is None and self.form is not None:
            assessment = self._values.get((question.base, name, question.level, self.form(answer.value)))
        return assessment

    def _learn(self, assessments: Iterable[Fill]) -> None:
        if self.pool.mends(LAST_CLASS):
            assessments = reversed(list(assessments))  # the best comes last there
        for line in assessments:
            question = line.question
            _put(self._lines, _line_key(line), line)
            name = self.pool.name(question.id)
            if self.form is not None:
                _put(self._values, (question.base, name, question.level, self.form(line.value)), line)


def _line_key(line: Fill) -> _Key:
    return line.question.id, line.value, line.relation, line.place


def _put(table: dict[_Key, Fill], key: _Key, line: Fill) -> None:
    """Store the line of a key: the first correct one, or else the first."""
    held = table.setdefault(key, line)
    if line.judgment == CORRECT and held.judgment != CORRECT:
        table[key] = line


def same_classes(pool: AssessedClasses, bases: Sequence[str], name: str, form: Form | None) -> dict[Path, Path]:
    """Return the path of every class of the entry points ``bases`` in the query ``name``, numbered anew from 1 on.

    Every entry point is assessed by itself, so the numbers of its classes mean nothing to another. Two classes below
    the same query or the same class are one if a correct answer is in both: the same value at the same place or, under
    a discipline that looks at values only and has a ``form``, the same value. Classes that are each the same as a third
    are the same, too.
    """
    ranks = {base: rank for rank, base in enumerate((*bases, name))}
    answers = _answers(pool, bases, ranks, form)
    levels: dict[int, list[Path]] = {}
    for path in sorted(
        answers, key=lambda class_path: (len(class_path), ranks[class_path[0]], order(class_path), class_path)
    ):
        levels.setdefault(len(path), []).append(path)
    same: dict[Path, Path] = {(base,): (name,) for base in ranks}
    for level in levels.values():
        child_numbers: dict[Path, int] = {}
        for group in _groups(level, answers, same):
            above = same[group[0][:-1]]
            child_numbers[above] = child_numbers.get(above, 0) + 1
            same.update(dict.fromkeys(group, (*above, str(child_numbers[above]))))
    return same


def _answers(pool: AssessedClasses, bases: Sequence[str], roots: Mapping[str, int], form: Form | None) -> _Answers:
    """Return the classes of entry points with their correct answers.

    Of the classes below one query or class only one has an answer, as only one is found for it.
    """
    by_path: dict[Path, dict[_Answer, None]] = {}
    taken: dict[tuple[Path, _Answer], Path] = {}
    for base in bases:
        for line in reversed(pool.assessments.get(base, [])):  # the best comes last there
            path = path_of(pool.place(line))
            if not path or path[0] not in roots:
                continue
            for depth in range(2, len(path) + 1):
                if not is_bin(path[:depth]):
                    by_path.setdefault(path[:depth], {})
            answer = (line.value, line.place) if form is None else (form(line.value),)
            if line.judgment == CORRECT and path in by_path and taken.setdefault((path[:-1], answer), path) == path:
                by_path[path][answer] = None
    return by_path


def _groups(level: Sequence[Path], answers: _Answers, same: Mapping[Path, Path]) -> Iterator[list[Path]]:
    """Yield the classes of one hop that are the same, in the order of the first of each."""
    holders: dict[tuple[Path, _Answer], list[Path]] = {}
    for path in level:
        for answer in answers[path]:
            holders.setdefault((same[path[:-1]], answer), []).append(path)
    seen: set[Path] = set()
    for first in level:
        group = [] if first in seen else [first]
        for path in group:  # which grows on the way: what shares an answer with a member is one
            for answer in answers[path]:
                same_answer = holders.pop((same[path[:-1]], answer), [])
                group += [other for other in same_answer if other not in seen and other != first]
                seen.update(same_answer)
        if group:
            yield group
