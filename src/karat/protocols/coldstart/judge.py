"""Judges the answers of a run to one query: a verdict on each answer and on each class that was not found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from karat.protocols.coldstart.cases import JUDGMENTS
from karat.protocols.coldstart.pool import REPEATED_LINES, AssessedClasses, Matcher, Path, Tree, is_bin, order
from karat.protocols.coldstart.questions import CORRECT, Fill

FIRST_HOP = 2
"""The length of the path of a class at the first hop."""


class SlotVerdict(NamedTuple):
    """The verdict on an answer that belongs to a class or bin, with its assessment, if there is one.

    A class without a right answer has a verdict without answer and assessment.
    """

    case: str
    path: Path
    answer: Fill | None = None
    assessment: Fill | None = None


class Judged(NamedTuple):
    """The verdicts on the answers of a query in the order of the run, then those on classes that were not found.

    ``paths`` are the query and the classes below which there is a class or an answer, in order: the published tables
    have a row for each.
    """

    verdicts: list[SlotVerdict]
    paths: list[Path]


class _Held(NamedTuple):
    """An answer with its assessment and its index in the run."""

    number: int
    answer: Fill
    assessment: Fill | None


class QueryJudge:
    """Judges the answers of one run to one query.

    ``together`` is for a query whose entry points are taken together: the same answer from two of them is one, and
    right if either of its twins is.
    """

    def __init__(self, pool: AssessedClasses, tree: Tree, matcher: Matcher, *, together: bool = False) -> None:
        self.pool = pool
        self.tree = tree
        self.matcher = matcher
        self.together = together
        self.anywhere = pool.mends("first-parent-decides")
        self._held: dict[Path, list[_Held]] = {}
        self._twins: dict[int, list[Fill]] = {}
        self._leading: dict[tuple[Path, str], list[tuple[Path, _Held]]] = {}
        self._correct: dict[tuple[Path, str], bool] = {}
        self._below: dict[Path, dict[Path, None]] = {}
        self._single: dict[Path, bool] = {}

    def judge(self, answers: Iterable[Fill]) -> Judged:
        """Return the verdicts."""
        verdicts: list[SlotVerdict] = []
        seen: dict[tuple[object, ...], int] = {}
        for index, answer in enumerate(answers):
            assessment = self.matcher.find(answer)
            if assessment is None or not self.tree.has(assessment):
                path = self.tree.path(self.pool.name(answer.target))
            else:
                path = self.tree.path(self.pool.place(assessment))
            old, new = self._repetition(answer, path)
            held = _Held(index, answer, assessment)
            if old in seen:
                verdicts.append(SlotVerdict("repeated", path, answer, assessment))
                if self.together:
                    self._lead(path, held)
                    self._twins.setdefault(seen[old], []).append(answer)
                continue
            seen.setdefault(new, index)
            verdicts.append(SlotVerdict("unclassed", path, answer, assessment))
            self._hold(path, held)
        paths = sorted(self._below.keys() | self.tree.classes.keys(), key=order)
        not_found = [verdict for path in paths for verdict in self._settle(path, verdicts)]
        return Judged(verdicts + not_found, paths)

    def _repetition(self, answer: Fill, path: Path) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the key by which an answer repeats an earlier one, and the key that it leaves for later ones.

        As published, the relation provenance of the one is compared with the value provenance of the other.
        """
        _, value, relation, place, *_ = answer
        if self.pool.mends(REPEATED_LINES):
            key = (path if self.together else answer.question.id, value, relation, place)
            return key, key
        return (path, value, relation, relation), (path, value, relation, place)

    def _hold(self, path: Path, held: _Held) -> None:
        self._held.setdefault(path, []).append(held)
        self._lead(path, held)
        for depth in range(len(path), 1, -1):
            above, class_path = path[: depth - 1], path[:depth]
            if class_path in self.tree.classes.get(above, ()) or class_path in self._below.get(above, ()):
                break
            self._below.setdefault(above, {})[class_path] = None
        if path[:1] not in self.tree.single and path[:1] not in self._single:
            self._single[path[:1]] = self.tree.takes_one(held.answer.question)

    def _lead(self, path: Path, held: _Held) -> None:
        where = () if self.anywhere else path
        self._leading.setdefault((where, held.answer.target), []).append((path, held))

    def _settle(self, path: Path, verdicts: list[SlotVerdict]) -> Iterator[SlotVerdict]:
        """Set the verdicts on the answers below a path, and yield those on classes that were not found.

        Where the slot takes one value, the first right answer counts for all classes, and without one the first class
        is missed for all.
        """
        single = self.tree.single.get(path, self._single.get(path, False))
        below = {**self.tree.classes.get(path, {}), **self._below.get(path, {})}
        has_value = False
        not_found: list[Path] = []
        for class_path in sorted(below, key=order) if single else below:
            binned = is_bin(class_path)
            first = ""
            for held in self._held.get(class_path, ()):
                case = self._case(held, class_path, binned=binned)
                if case == "right":
                    if first:
                        case = "duplicate"
                    else:
                        first = case = "surplus" if single and has_value else "right"
                        has_value = True
                verdicts[held.number] = SlotVerdict(case, class_path, held.answer, held.assessment)
            if first != "right" and not binned:
                not_found.append(class_path)
        for rank, class_path in enumerate(not_found):
            yield SlotVerdict("alternative" if single and (has_value or rank) else "missed", class_path)

    def _case(self, held: _Held, path: Path, *, binned: bool) -> str:
        if held.assessment is None:
            return "unassessed"
        if held.assessment.judgment != CORRECT:
            return JUDGMENTS[held.assessment.judgment]
        if binned:
            return "binned"
        twins = self._twins.get(held.number, ())
        return "right" if any(self._has_parent(answer, path) for answer in (held.answer, *twins)) else "orphan"

    def _has_parent(self, answer: Fill, path: Path) -> bool:
        """Return whether a right answer of the run led to the question of this one.

        As published, only the first answer that led there is looked at, and only where the parent's class is; and it
        is the class that says whether there is a parent.
        """
        if not answer.question.level if self.anywhere else len(path) <= FIRST_HOP:
            return True
        key = (() if self.anywhere else path[:-1], answer.question.id)
        known = self._correct.get(key)
        if known is None:
            leading = self._leading.get(key, [])
            known = self._correct[key] = any(
                held.assessment is not None
                and held.assessment.judgment == CORRECT
                and not (self.anywhere and is_bin(class_path))
                and self._has_parent(held.answer, class_path)
                for class_path, held in (leading if self.anywhere else leading[:1])
            )
        return known
