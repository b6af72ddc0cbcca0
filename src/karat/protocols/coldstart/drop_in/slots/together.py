"""The entry points of one query taken together: which of their equivalence classes are the same.

Every entry point is assessed by itself, so the numbers of its classes mean nothing to another. Two classes below the
same query or the same class are one if a correct answer is in both: the same value at the same place or, under a
discipline that looks at values only, the same value. Classes that are each the same as a third are the same, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from karat.protocols.coldstart.classes import AssessedClasses, Path, is_bin, order, path_of
from karat.protocols.coldstart.fills import CORRECT

Form = Callable[[str], str]
"""How the values of answers are compared."""
_Answer = tuple[str, ...]
_Answers = Mapping[Path, Mapping[_Answer, None]]


def same_classes(pool: AssessedClasses, bases: Sequence[str], name: str, form: Form | None) -> dict[Path, Path]:
    """Return the path of every class of the entry points ``bases`` in the query ``name``, numbered anew from 1 on.

    ``form`` is that of a discipline by which values are enough.
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
        numbers: dict[Path, int] = {}
        for group in _groups(level, answers, same):
            above = same[group[0][:-1]]
            numbers[above] = numbers.get(above, 0) + 1
            same.update(dict.fromkeys(group, (*above, str(numbers[above]))))
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
        for path in group:
            for answer in answers[path]:
                others = holders.pop((same[path[:-1]], answer), [])
                group += [other for other in others if other not in seen and other != first]
                seen.update(others)
        if group:
            yield group
