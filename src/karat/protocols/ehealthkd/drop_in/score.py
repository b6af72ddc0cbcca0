"""score.py: one text against its gold, what is printed of it, and the runs of a submission of 2021 in each scenario.

Pairs of sentences are judged and counted as the protocol does it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, KaratError
from karat.io import is_folder, plain_path
from karat.measures.published import whole_zero_prf
from karat.protocols.ehealthkd.drop_in.files import Texts, read
from karat.protocols.ehealthkd.rules import CASES, REGIME, Rules

if TYPE_CHECKING:
    from karat.evaluation.protocol import Side
    from karat.protocols.ehealthkd.annotations import Annotations
    from karat.protocols.ehealthkd.judge import SentencePage, SentencePair
    from karat.protocols.ehealthkd.sentences import Alignment

WORDS = {"missed": "missing"}
"""Cases that the programs call by another name."""

A, B = "A", "B"
"""The subtasks: entities and relations."""
REPORTED = {A: ("correct", "incorrect", "partial", "spurious", "missed"), B: ("correct", "spurious", "missed")}
"""The cases that the programs report of each, in their order."""

Metrics = dict[str, float]
"""Recall, precision and F1, in this order."""


class TextEvaluation(NamedTuple):
    """The evaluation of a text.

    Args:
        sides: The annotations of gold and system.
        rules: The rules of the edition and profile.
        pages: By subtask, the scored pairs of sentences.
        totals: By subtask, how often each case occurs.
        warnings: What the program warns of.

    """

    sides: tuple[Annotations, Annotations]
    rules: Rules
    pages: Mapping[str, Sequence[SentencePage]]
    totals: Mapping[str, Mapping[str, int]]
    warnings: list[str]

    def counters(self, subtask: str) -> dict[str, int]:
        """Return how often each case of a subtask occurred, under the names of the programs."""
        return {f"{WORDS.get(case, case)}_{subtask}": self.totals[subtask][case] for case in REPORTED[subtask]}

    @property
    def counts(self) -> dict[str, int]:
        """The counters of both subtasks."""
        return self.counters(A) | self.counters(B)

    def metrics(self, *, skip_a: bool = False, skip_b: bool = False) -> Metrics:
        """Return recall, precision and F1 over the subtasks that are not skipped."""
        totals = [self.totals[subtask] for subtask, skipped in ((A, skip_a), (B, skip_b)) if not skipped]
        counts = [(worth[REGIME], sum(total.get(case, 0) for total in totals)) for case, worth in CASES.items()]
        credit = sum(worth.credit * count for worth, count in counts)
        actual = sum(worth.system * count for worth, count in counts)
        possible = sum(worth.gold * count for worth, count in counts)
        precision, recall, f1 = whole_zero_prf(credit, actual, possible)
        metrics: Metrics = {"recall": recall, "precision": precision, "f1": f1}
        return metrics if self.rules.whole_zero else {name: float(value) for name, value in metrics.items()}


def evaluate(gold: Annotations, system: Annotations, rules: Rules) -> TextEvaluation:
    """Score the annotations of a system against those of the gold.

    Where a span has several gold labels in another order than the system's, the published programs stop, and so does
    this, unless the rules are corrected.

    >>> from karat.protocols.ehealthkd.annotations import Annotations
    >>> gold = Annotations(["El asma."], [0], [1], ["Concept"], [(0, 3, 7)])
    >>> system = Annotations(["El asma."], [0], [5], ["Action"], [(0, 3, 7)])
    >>> evaluate(gold, system, Rules()).counts["incorrect_A"]
    1
    >>> evaluate(gold, system, Rules(skip_incorrect=True)).counts["spurious_A"]
    1
    """
    from karat.evaluation.protocol import Sheet
    from karat.evaluation.tally import Group, add
    from karat.protocols.ehealthkd.book import BOOK
    from karat.protocols.ehealthkd.judge import SentencePage
    from karat.protocols.ehealthkd.sentences import align

    aligned = align(gold.texts, system.texts, rules)
    pairs = list(_sentence_pairs(gold, system, aligned, rules))
    pages = {
        A: [SentencePage(Group(A), pair, "entities") for pair in pairs],
        B: [SentencePage(Group(B), pair, "relations") for pair in pairs],
    }
    counted = add(BOOK.tally(Sheet(gold.source, [page])) for of_subtask in pages.values() for page in of_subtask)
    none = (0,) * len(BOOK.counts)
    totals = {
        subtask: {case: int(count) for case, count in zip(BOOK.counts, counted.get(Group(subtask), none), strict=True)}
        for subtask in pages
    }
    remarks = [] if rules.edition == "2021" and not rules.corrected else aligned.remarks
    return TextEvaluation((gold, system), rules, pages, totals, [*gold.warnings, *system.warnings, *remarks])


def _sentence_pairs(gold: Annotations, system: Annotations, aligned: Alignment, rules: Rules) -> Iterator[SentencePair]:
    """Yield the sentences that are scored together, of which the system may lack one."""
    from karat.protocols.ehealthkd.annotations import Annotations
    from karat.protocols.ehealthkd.judge import SentencePair
    from karat.protocols.ehealthkd.sentences import scored_pairs

    golds, systems, lacking = gold.apart(), system.apart(), Annotations([""], [0])
    annotated = {place[0] for place in gold.places}
    for gold_number, system_number in scored_pairs(aligned, len(golds), annotated, rules):
        sides = (
            lacking if gold_number is None else golds[gold_number],
            lacking if system_number is None else systems[system_number],
        )
        pair = SentencePair(sides, rules)
        if not rules.corrected and (clashes := pair.matches.entities.clashes):
            raise _clash(sides[0], clashes[0][1])
        yield pair


def evaluate_files(
    gold: str | os.PathLike[str],
    system: str | os.PathLike[str],
    rules: Rules,
    *,
    relations: bool = True,
) -> TextEvaluation:
    """Score a text file with its annotations against another."""
    texts: Texts = {}
    golds, systems = (read(file, rules, texts, relations=relations) for file in (gold, system))
    return evaluate(golds, systems, rules)


def _clash(gold: Annotations, entity: int) -> InputError:
    sentence, label = gold.texts[gold.places[entity][0]], gold.labels[entity]
    message = f"sentence {sentence!r}: {gold.words(entity)!r} has several gold labels, of which the system gives"
    advice = "list the labels in the same order on both sides, or choose --profile corrected"
    return InputError(f"{message} {label!r}, but not first; the published program stops here: {advice}")


class Output:
    """What a program has put out so far: text, warnings, and its summary, which are printed even if it fails."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.warnings: list[str] = []
        self.summary: list[str] = []
        self.files: dict[str, str] = {}
        self.failure: KaratError | None = None

    @contextmanager
    def keeping_failure(self) -> Iterator[Output]:
        """Keep the error at which the program stops, if it does."""
        try:
            yield self
        except KaratError as error:
            self.failure = error


def printed(output: Output) -> ProgramOutput:
    """Return what a program prints: warnings, each only once as Python does, the text, and the summary."""
    notes = [*warning_lines(output.warnings), *output.summary]
    return ProgramOutput("".join(output.text), output.files, notes, failure=output.failure)


def warning_lines(warnings: Iterable[str]) -> list[str]:
    """Return the lines of warnings, each only once."""
    return [f"UserWarning: {message}" for message in dict.fromkeys(warnings)]


def report(evaluation: TextEvaluation, *, skip_a: bool, skip_b: bool, verbose: bool, correct: bool) -> Iterator[str]:
    """Yield the lines before the numbers; if ``verbose``, with the items, but correct ones only if asked for."""
    for skipped, subtask in ((skip_a, A), (skip_b, B)):
        if not skipped:
            yield from (f"{name}: {count}" for name, count in evaluation.counters(subtask).items())
            if verbose:
                for name, texts in items(evaluation.pages[subtask], subtask, correct=correct).items():
                    yield from ("", f"{'=' * 19}{name.upper().center(14)}{'=' * 19}", "")
                    yield "\n".join(texts)
    yield "-" * 20


def items(pages: Iterable[SentencePage], subtask: str, *, correct: bool = True) -> dict[str, list[str]]:
    """Return the items of each counter as the programs write them: the system item, and the gold item it matches.

    ``correct`` asks for correct items, too, which most are.
    """
    from karat.protocols.ehealthkd.judge import judge

    listed: dict[str, list[str]] = {case: [] for case in REPORTED[subtask] if correct or case != "correct"}
    for page in pages:
        for verdict in judge(page):
            if verdict.case in listed:
                sides: Iterable[tuple[Side, int | None]] = (("system", verdict.system), ("gold", verdict.gold))
                listed[verdict.case].append(
                    " --> ".join([_item(page, side, index) for side, index in sides if index is not None])
                )
    return {f"{WORDS.get(case, case)}_{subtask}": texts for case, texts in listed.items()}


def _item(page: SentencePage, side: Side, index: int) -> str:
    pair, annotations = page.sentences, page.sentences.annotations(side)
    if page.group.layer == A:
        return _entity(annotations, index, attributes=pair.rules.edition != "2019")
    label, source, target = pair.relations(side)[index]
    return f"Relation(from={annotations.words(source)!r}, to={annotations.words(target)!r}, label={label!r})"


def _entity(annotations: Annotations, index: int, *, attributes: bool) -> str:
    fields = f"text={annotations.words(index)!r}, label={annotations.labels[index]!r}, id={annotations.ids[index]}"
    if attributes:
        names = annotations.attributes.get(index, ())
        fields += f", attr=[{', '.join(f'Attribute(label={name!r})' for name in names)}]"
    return f"Keyphrase({fields})"


class Scenario(NamedTuple):
    """A folder, and which subtasks count in it."""

    folder: str
    skip_a: bool = False
    skip_b: bool = False

    @property
    def name(self) -> str:
        """The name in results."""
        return self.folder.split("-")[0]


SCENARIOS = {
    1: Scenario("scenario1-main"),
    2: Scenario("scenario2-taskA", skip_b=True),
    3: Scenario("scenario3-taskB", skip_a=True),
    4: Scenario("scenario4-transfer"),
}
"""All scenarios; the fourth was of 2020 alone."""

Runs = dict[str, dict[str, Metrics]]
"""The numbers by run and scenario."""


def score_file(
    gold: str | os.PathLike[str],
    system: str | os.PathLike[str],
    rules: Rules,
    output: Output,
    *,
    skip_a: bool,
    skip_b: bool,
    verbose: bool,
) -> Metrics:
    """Score one file, report on it, and return the numbers.

    In 2019 an undefined ratio is the integer 0, at which the published program stops.
    """
    relations = not (rules.corrected and skip_b)
    evaluation = evaluate_files(gold, system, rules, relations=relations)
    output.warnings += evaluation.warnings
    metrics = evaluation.metrics(skip_a=skip_a, skip_b=skip_b)
    lines = report(evaluation, skip_a=skip_a, skip_b=skip_b, verbose=verbose, correct=rules.edition != "2021")
    output.text += [f"{line}\n" for line in lines]
    for name, value in metrics.items():
        if isinstance(value, int):
            message = f"nothing is correct, so {name} is 0, which the published program cannot print and stops"
            raise InputError(f"{message}; choose --profile corrected to see it", path=plain_path(system))
        output.text.append(f"{name}: {value:0.4}\n")
    return metrics


def score_runs(
    gold: str | os.PathLike[str],
    submission: str | os.PathLike[str],
    scenarios: Sequence[int],
    runs: Sequence[int],
    rules: Rules,
    output: Output,
    *,
    verbose: bool = False,
) -> Runs:
    """Score the runs of a 2021 submission: ``run1``, ``run2`` … with a folder for each scenario.

    Without any run the published program shows zeros; that is a warning then, and an error where it is corrected.
    """
    gold, submission = plain_path(gold), plain_path(submission)
    for folder, what in ((gold, "gold"), *([(submission, "submission")] if rules.corrected else [])):
        if not is_folder(folder):
            raise InputError(f"is no folder; name the one of the {what}", path=folder)
    scored: Runs = {}
    for run in runs:
        folder = plain_path(submission, f"run{run}")
        if not _is_there(folder):
            output.text.append(f"Run {run} not found!\n")
            continue
        metrics_by_scenario: dict[str, Metrics] = {}
        for scenario_number in scenarios:
            if scenario_number not in (1, 2, 3):
                raise InputError(f"scenario {scenario_number} does not exist in 2021; expected 1, 2 or 3")
            scenario = SCENARIOS[scenario_number]
            left, right = (plain_path(root, scenario.folder, "output.txt") for root in (gold, folder))
            output.text.append(f"Scoring scenario {scenario_number} on run {run}:\n\n")
            metrics_by_scenario[scenario.name] = score_file(
                left, right, rules, output, skip_a=scenario.skip_a, skip_b=scenario.skip_b, verbose=verbose
            )
            output.text.append("\n")
        scored[f"run{run}"] = metrics_by_scenario
    if not scored:
        message = f"holds none of the runs {', '.join(f'run{run}' for run in runs)}"
        if rules.corrected:
            raise InputError(f"{message}; name the folder that does", path=submission)
        output.warnings.append(f"{submission}: {message}, and all zeros below stand for nothing")
    output.text.append("\n")
    return scored


def _is_there(folder: str) -> bool:
    """Return whether a folder is there; one that may not be looked at is an error."""
    try:
        os.stat(folder)  # noqa: PTH116 - pathlib takes longer
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def summary(runs: Runs, prefix: str, *, best: bool = False) -> list[str]:
    """Return the lines of the summary: of each scenario the numbers of the last run or, if asked for, of the best.

    >>> summary({"run1": {"scenario1": {"recall": 0.5, "precision": 0.5, "f1": 0.5}}}, "dev_")[:4]
    ['dev_scenario1_f1:0.5', 'dev_scenario1_precision:0.5', 'dev_scenario1_recall:0.5', 'dev_scenario1_best:run1']
    """
    shown: dict[str, float | str] = {
        f"scenario{scenario_number}_{name}": 0
        for scenario_number in (1, 2, 3)
        for name in ("f1", "precision", "recall", "best")
    }
    for run, scenarios in runs.items():
        for scenario, metrics in scenarios.items():
            leader = shown[f"{scenario}_f1"]
            if best and shown[f"{scenario}_best"] and metrics["f1"] <= float(leader):
                continue
            shown |= {f"{scenario}_{name}": value for name, value in metrics.items()}
            shown[f"{scenario}_best"] = run
    return [f"{prefix}{name}:{value}" for name, value in shown.items()]
