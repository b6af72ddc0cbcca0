"""The official scorer of SemEval-2010 task 8: three evaluations, each with its confusion matrix.

``_Other`` is a class here, which the protocol does not count, and an answer may be left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError
from karat.formats.semeval2010.answers import program_answers
from karat.measures.published import whole_zero_f1
from karat.measures.ratios import mean

OTHER = "_Other"
_EVALUATIONS = (
    ("(2*9+1)-WAY EVALUATION (USING DIRECTIONALITY)>>>:", 0, False),
    ("(9+1)-WAY EVALUATION IGNORING DIRECTIONALITY >>>:", 1, False),
    ("(9+1)-WAY EVALUATION TAKING DIRECTIONALITY INTO ACCOUNT -- OFFICIAL >>>:", 1, True),
)
"""Their titles, the index of the counted label in :data:`Labels`, and whether it is the official one."""
_OFFICIAL = "The official score is (9+1)-way evaluation with directionality taken into account: macro-averaged F1 = "

Labels = tuple[str, str]
"""A label with its direction, and without."""


class Sides(NamedTuple):
    """The labels of the key and of the proposal, by the id of the example."""

    gold: dict[str, Labels]
    proposed: dict[str, Labels]


class TaskEvaluation(NamedTuple):
    """The three evaluations, and how often each proposed label occurs that the key does not have."""

    parts: list[OfficialEvaluation]
    unknown_labels: Counter[str]


def read(proposed: str, key: str) -> Sides:
    """Read the answers of both files; what the program refuses, or would crash on, is an error."""
    answers = _labels(proposed)
    sides = Sides(_labels(key), answers)
    if unknown := next((name for name in sides.proposed if name not in sides.gold), None):
        raise InputError(f"the id {unknown} is not in the key, {key}", path=proposed)
    if not sides.proposed or all(directed == OTHER for directed, _ in sides.gold.values()):
        message = "there is nothing to be divided: the key needs a relation, and the proposal an answer"
        raise InputError(message, path=key)
    return sides


def _labels(path: str) -> dict[str, Labels]:
    given = program_answers(path)
    labels = {answer: _label(*answer) for answer in set(given.values())}
    return dict(zip(given, map(labels.__getitem__, given.values()), strict=True))


def _label(relation: str, direction: str) -> Labels:
    return (f"{relation}({direction})", relation) if relation else (OTHER, OTHER)


def evaluate(sides: Sides) -> TaskEvaluation:
    """Evaluate with directions, without them, and officially."""
    pairs = Counter(zip(sides.gold.values(), map(sides.proposed.get, sides.gold), strict=True))
    known = {directed for directed, _ in sides.gold.values()}
    unknown = Counter(directed for directed, _ in sides.proposed.values() if directed not in known)
    return TaskEvaluation([OfficialEvaluation(pairs, *evaluation) for evaluation in _EVALUATIONS], unknown)


def printed(result: TaskEvaluation) -> ProgramOutput:
    """Return what the scorer prints: warnings, the three evaluations, and the official score."""
    warnings = (
        f"!!!WARNING!!! The proposed file contains {count} label(s) of type '{label}', "
        "which is NOT present in the key file.\n\n"
        for label, count in sorted(result.unknown_labels.items())
    )
    official = f"<<< {_OFFICIAL}{result.parts[-1].macro[2]:0.2f}% >>>\n"
    return ProgramOutput("".join([*warnings, *(line for part in result.parts for line in part.lines()), official]))


class ClassCounts(NamedTuple):
    """The counts of a class.

    Args:
        right: Answers that are correct.
        proposed: Answers of this class, but for those that are ``reversed``.
        reversed: Answers with the right class and the wrong direction; only the official evaluation has them.
        actual: Examples of this class in the key.

    """

    right: int
    proposed: int
    reversed: int
    actual: int

    @property
    def percent(self) -> tuple[float, float, float]:
        """Precision, recall and F1 in per cent, 0 where the denominator is 0."""
        precision = 100 * self.right / (self.proposed + self.reversed) if self.proposed else 0.0
        recall = 100 * self.right / self.actual if self.actual else 0.0
        return precision, recall, whole_zero_f1(precision, recall)


class OfficialEvaluation:
    """One of the three evaluations."""

    def __init__(self, pairs: Counter[tuple[Labels, Labels | None]], title: str, form: int, is_official: bool) -> None:
        self.title, self.is_official, self.size = title, is_official, pairs.total()
        self.matrix: Counter[tuple[str, str]] = Counter()
        self.reversed: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.actual: Counter[str] = Counter()
        for (labels, answer), times in pairs.items():
            self.actual[labels[form]] += times
            if answer is None:
                self.skipped[labels[form]] += times
            elif self.is_official and answer[1] == labels[1] and answer[0] != labels[0]:
                self.reversed[labels[1]] += times
            else:
                self.matrix[labels[form], answer[form]] += times
        self.covered = self.size - self.skipped.total()
        self.classes = _in_order(self.actual)
        given = {answer[form] for _, answer in pairs if answer is not None}
        self.columns = [*self.classes, *_in_order(given.difference(self.classes))]
        self.rows = {label: self._row(label) for label in self.classes}
        self.relations = [row for label, row in self.rows.items() if label != OTHER]

    def _row(self, label: str) -> ClassCounts:
        proposed = sum(self.matrix[row, label] for row in self.classes)
        return ClassCounts(self.matrix[label, label], proposed, self.reversed[label], self.actual[label])

    @property
    def macro(self) -> tuple[float, float, float]:
        """The means over the relations of the key, in per cent."""
        precisions, recalls, scores = zip(*(row.percent for row in self.relations), strict=True)
        return mean(precisions), mean(recalls), mean(scores)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the evaluation."""
        yield f"<<< {self.title}\n\n"
        yield from self._confusion()
        yield from self._accuracies()
        yield "\nResults for the individual relations:\n"
        for label, row in self.rows.items():
            divisor = f"({row.proposed:4d} +{row.reversed:4d})" if self.is_official else f"{row.proposed:4d}"
            yield f"{label:>25} :    {_result(row, divisor)}"
        yield f"\nMicro-averaged result (excluding Other):\n{self._micro()}"
        precision, recall, f1 = self.macro
        yield "\nMACRO-averaged result (excluding Other):\n"
        yield f"P = {precision:6.2f}%\tR = {recall:6.2f}%\tF1 = {f1:6.2f}%\n\n\n\n"

    def _confusion(self) -> Iterator[str]:
        rule = f"      +{'-----' * len(self.columns)}+"
        names = "".join(f" {self._short(label):>4}" for label in self.columns)
        yield f"Confusion matrix:\n       {names} <-- classified as\n"
        yield f"{rule} -SUM- {'xDIRx skip ' if self.is_official else 'skip'} ACTUAL\n"
        for label in self.classes:
            cells = [self.matrix[label, column] for column in self.columns]
            sums = self._sums(sum(cells), self.reversed[label], self.skipped[label], self.actual[label])
            yield f" {self._short(label):>4} |{_cells(cells)}| {sums}\n"
        totals = [sum(self.matrix[label, column] for label in self.classes) for column in self.columns]
        sums = self._sums(sum(totals), self.reversed.total(), self.skipped.total(), self.size)
        yield f"{rule}\n -SUM- {_cells(totals)}  {sums}\n\n"

    def _sums(self, given: int, reversed_: int, skipped: int, actual: int) -> str:
        if self.is_official:
            return f"{given:4d}  {reversed_:4d}  {skipped:4d} {actual:6d}"
        return f"{given:4d} {skipped:4d} {actual:4d}"

    def _short(self, label: str) -> str:
        if label == OTHER:
            return "_O_"
        names = label.partition("(")[0].split("-")
        digit = label.partition("(e")[2][:1]
        mark, between = ("", "-") if label in self.actual else ("*", "")
        return f"{mark}{names[0][0]}{between}{names[1][0]}{digit}"

    def _accuracies(self) -> Iterator[str]:
        right = sum(self.matrix[label, label] for label in self.classes)
        right_or_skipped = right + self.skipped[OTHER]
        yield f"Coverage = {_share(self.covered, self.size)}"
        yield f"Accuracy (calculated for the above confusion matrix) = {_share(right, self.covered)}"
        yield f"Accuracy (considering all skipped examples as Wrong) = {_share(right, self.size)}"
        yield f"Accuracy (considering all skipped examples as Other) = {_share(right_or_skipped, self.size)}"

    def _micro(self) -> str:
        right, proposed, backward, actual = (sum(part) for part in zip(*self.relations, strict=True))
        total = proposed + backward
        return _result(ClassCounts(right, total, 0, actual), f"{total:4d}")


def _in_order(labels: Iterable[str]) -> list[str]:
    """Return labels in alphabetical order, Other last."""
    return sorted(labels, key=lambda label: (label == OTHER, label))


def _cells(numbers: Sequence[int]) -> str:
    return "".join(f"{count:4d} " for count in numbers)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / whole:5.2f}%\n"


def _result(row: ClassCounts, divisor: str) -> str:
    precision, recall, f1 = row.percent
    shares = f"P = {row.right:4d}/{divisor} = {precision:6.2f}%     R = {row.right:4d}/{row.actual:4d} = {recall:6.2f}%"
    return f"{shares}     F1 = {f1:6.2f}%\n"
