"""What becomes of the answers of a run: each with its case, and for every class what is counted below it.

============  ======  ====================================================================
case          counts  what it is
============  ======  ====================================================================
right         right   the first correct answer of a class
duplicate     dup     a further correct answer of the same class
surplus       dup     the right answer of a further class, where the slot takes one value
orphan        wrong   a correct answer to a question that no right answer of the run led to
binned        wrong   an answer judged correct, but put into the bin
inexact       wrong   judged inexact, short or long
wrong         wrong   judged wrong
ignored       wrong   judged as to be ignored, which this scorer does not do
unassessed    wrong   not in the pool
repeated      -       the same line once more
unclassed     -       judged correct in a class that is no class of a query
============  ======  ====================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from karat.protocols.coldstart.classes import Path, Pool, Tree, is_bin, order
from karat.protocols.coldstart.fills import CORRECT, Fill
from karat.protocols.coldstart.matching import Matcher

_FIRST_HOP = 2
"""The length of the path of a class at the first hop."""
_CASES = {"W": "wrong", "X": "inexact", "S": "inexact", "L": "inexact", "I": "ignored"}


class Counts(NamedTuple):
    """Classes in the ground truth, answers right, wrong (duplicates included) and duplicate."""

    gold: float = 0
    right: float = 0
    wrong: float = 0
    duplicate: float = 0

    @property
    def precision(self) -> float:
        """Right among all answers, 0 without any."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0

    @property
    def recall(self) -> float:
        """Right among all classes, 0 without any."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 if both are.

        >>> round(Counts(3, 2, 4, 1).f1, 4)
        0.4444
        """
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def total(several: Iterable[Counts]) -> Counts:
    """Return the sum of counts.

    >>> total([Counts(3, 2, 4, 1), Counts(1, 0, 1, 0)])
    Counts(gold=4, right=2, wrong=5, duplicate=1)
    """
    columns = list(zip(*several, strict=True))
    return Counts(*map(sum, columns)) if columns else Counts()


class Row(NamedTuple):
    """What is counted below a query or a class."""

    path: Path
    counts: Counts

    @property
    def name(self) -> str:
        """The name of the query or class."""
        return ":".join(self.path)

    @property
    def hop(self) -> int:
        """The hop that is counted, 0 for the fills of a query itself."""
        return self.name.count(":")


class Verdict(NamedTuple):
    """An answer, its case, the class or bin it belongs to, and the assessment that says so, if there is one."""

    answer: Fill
    case: str
    path: Path
    assessment: Fill | None


class Judged(NamedTuple):
    """The rows of a query in order, and the verdicts on its answers in the order of the run.

    ``classes`` has every class of the ground truth with whether it is counted.
    """

    rows: list[Row]
    verdicts: list[Verdict]
    classes: dict[Path, bool]


class _Held(NamedTuple):
    """An answer with its assessment, at its place in the run."""

    number: int
    answer: Fill
    assessment: Fill | None


class Judge:
    """Judges the answers of one run to one query.

    ``together`` is for a query whose entry points are taken together: the same answer from two of them is one, and
    right if either of its twins is.
    """

    def __init__(self, pool: Pool, tree: Tree, matcher: Matcher, *, together: bool = False) -> None:
        self.pool = pool
        self.tree = tree
        self.matcher = matcher
        self.together = together
        self._held: dict[Path, list[_Held]] = {}
        self._twins: dict[int, list[Fill]] = {}
        self._leading: dict[tuple[Path, str], list[tuple[Path, _Held]]] = {}
        self._correct: dict[tuple[Path, str], bool] = {}
        self._below: dict[Path, dict[Path, None]] = {}
        self._single: dict[Path, bool] = {}

    def judge(self, answers: Iterable[Fill]) -> Judged:
        """Return the verdicts and what is counted."""
        answers = list(answers)
        cases: list[tuple[str, Path, Fill | None]] = []
        seen: dict[tuple[object, ...], int] = {}
        for index, answer in enumerate(answers):
            assessment = self.matcher.find(answer)
            if assessment is None or not self.tree.has(assessment):
                path = self.tree.path(self.pool.name(answer.target))
            else:
                path = self.tree.path(self.pool.place(assessment))
            old, new = self._repetition(answer, path)
            if old in seen:
                cases.append(("repeated", path, assessment))
                if self.together:
                    self._lead(path, _Held(index, answer, assessment))
                    self._twins.setdefault(seen[old], []).append(answer)
                continue
            seen.setdefault(new, index)
            cases.append(("unclassed", path, assessment))
            self._hold(path, _Held(index, answer, assessment))
        classes: dict[Path, bool] = {}
        paths = sorted(self._below.keys() | self.tree.classes.keys(), key=order)
        rows = [Row(path, self._count(path, cases, classes)) for path in paths]
        verdicts = [Verdict(answer, *case) for answer, case in zip(answers, cases, strict=True)]
        return Judged(rows, verdicts, classes)

    def _repetition(self, answer: Fill, path: Path) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return what an earlier answer must have left for this one to be its repetition, and what this one leaves.

        As published, the relation provenance of the one is compared with the value provenance of the other.
        """
        _, value, relation, place, *_ = answer
        if self.pool.corrected:
            key = (path if self.together else answer.question.id, value, relation, place)
            return key, key
        return (path, value, relation, relation), (path, value, relation, place)

    def _hold(self, path: Path, held: _Held) -> None:
        self._held.setdefault(path, []).append(held)
        self._lead(path, held)
        for depth in range(len(path), 1, -1):
            above, at = path[: depth - 1], path[:depth]
            if at in self.tree.classes.get(above, ()) or at in self._below.get(above, ()):
                break
            self._below.setdefault(above, {})[at] = None
        if path[:1] not in self.tree.single and path[:1] not in self._single:
            self._single[path[:1]] = self.tree.takes_one(held.answer.question)

    def _lead(self, path: Path, held: _Held) -> None:
        where = () if self.pool.corrected else path
        self._leading.setdefault((where, held.answer.target), []).append((path, held))

    def _count(self, path: Path, cases: list[tuple[str, Path, Fill | None]], classes: dict[Path, bool]) -> Counts:
        """Count what is below a path, and note the cases of its answers."""
        single = self.tree.single.get(path, self._single.get(path, False))
        gold = right = wrong = duplicate = 0
        below = {**self.tree.classes.get(path, {}), **self._below.get(path, {})}
        for at in sorted(below, key=order) if single else below:
            binned = is_bin(at)
            if not binned:
                classes[at] = not (single and gold)
                gold = 1 if single else gold + 1
            found = False
            for held in self._held.get(at, ()):
                case = self._case(held, at, binned=binned)
                if case == "right" and found:
                    case = "duplicate"
                elif case == "right":
                    found = True
                    case = "surplus" if single and right else case
                right += case == "right"
                duplicate += case in ("duplicate", "surplus")
                wrong += case != "right"
                cases[held.number] = (case, at, held.assessment)
        return Counts(gold, right, wrong, duplicate)

    def _case(self, held: _Held, path: Path, *, binned: bool) -> str:
        if held.assessment is None:
            return "unassessed"
        if held.assessment.judgment != CORRECT:
            return _CASES[held.assessment.judgment]
        if binned:
            return "binned"
        twins = self._twins.get(held.number, ())
        return "right" if any(self._has_parent(one, path) for one in (held.answer, *twins)) else "orphan"

    def _has_parent(self, answer: Fill, path: Path) -> bool:
        """Say whether a right answer of the run led to the question of this one.

        As published, only the first answer that led there is looked at, and only where the parent's class is; and it
        is the class that says whether there is a parent.
        """
        if not answer.question.level if self.pool.corrected else len(path) <= _FIRST_HOP:
            return True
        key = (() if self.pool.corrected else path[:-1], answer.question.id)
        known = self._correct.get(key)
        if known is None:
            leading = self._leading.get(key, [])
            known = self._correct[key] = any(
                held.assessment is not None
                and held.assessment.judgment == CORRECT
                and not (self.pool.corrected and is_bin(at))
                and self._has_parent(held.answer, at)
                for at, held in (leading if self.pool.corrected else leading[:1])
            )
        return known


def by_hop(rows: Iterable[Row]) -> Mapping[str, Counts]:
    """Return the sums of rows for every hop, in the order of their names, and for ALL of them."""
    rows = list(rows)
    hops: dict[str, list[Counts]] = {}
    for row in rows:
        hops.setdefault(str(row.hop), []).append(row.counts)
    found = {hop: total(hops[hop]) for hop in sorted(hops)}
    return found | {"ALL": total(row.counts for row in rows)} if rows else found
