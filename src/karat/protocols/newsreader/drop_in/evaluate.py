"""evaluate.pl: extracted lines of gold and system, judged by the protocol, and what the program prints and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, KaratError
from karat.evaluation.casebook import Casebook
from karat.evaluation.protocol import Sheet
from karat.evaluation.tally import Group, Tally, add
from karat.io import lines, read_whole
from karat.measures.published import whole_zero_f1
from karat.measures.ratios import Ratio, value
from karat.protocols.newsreader.drop_in.perl import is_true
from karat.protocols.newsreader.drop_in.runs import SPECIAL, RunIndex, StepsLeft
from karat.protocols.newsreader.judge import Page, TokenLink, published_book

MAX_SIZE = 1 << 30

LINES_BOOK = published_book(charge=None)
"""The book of the protocol without counts by label, which extracted lines do not have."""

Line = tuple[str, TokenLink]
"""A line of an extracted file: the document, and its link."""
_HEADER = "TP\tGold\tSystem\tDocID\tGold-span\tSystem-span"


class LineEvaluation(NamedTuple):
    """The lines that an evaluation prints and writes, notes, and the error at which the published program stops."""

    printed: Sequence[str]
    results: Sequence[str]
    notes: Sequence[str] = ()
    failure: KaratError | None = None


def read(gold: str, system: str, profile: str) -> tuple[Iterator[Line], Iterator[Line]]:
    """Read the lines of both files while they are evaluated."""
    read_lines = read_corrected if profile == "corrected" else read_published
    return read_lines(gold), read_lines(system)


def evaluate(sides: tuple[Iterable[Line], Iterable[Line]], profile: str) -> LineEvaluation:
    """Compare the lines of a system with those of the gold."""
    if profile == "corrected":
        return evaluate_corrected(*sides)
    run = PublishedEvaluation(*sides)
    failure = None
    try:
        run.run()
    except KaratError as error:
        failure = error
    return LineEvaluation(run.printed, run.results, failure=failure)


def printed(result: LineEvaluation, profile: str, path: str) -> ProgramOutput:
    """Return what the program prints, and the file of results, which a run that failed does not write."""
    encoding = "utf-8" if profile == "corrected" else "latin-1"
    text, results = ("\n".join([*lines, ""]).encode(encoding) for lines in (result.printed, result.results))
    notes = [f"karat: {note}" for note in result.notes]
    return ProgramOutput(text, {} if result.failure else {path: results}, notes, failure=result.failure)


def read_published(path: str) -> Iterator[Line]:
    """Read the lines of a file, every byte as one character; columns that are missing are empty."""
    data = read_whole(path, MAX_SIZE)
    for line in data.decode("latin-1").removesuffix("\n").split("\n") if data else ():
        cells = line.split("\t", 3)
        if len(cells) < 3:
            cells += ["", ""]
        yield cells[0], TokenLink(cells[1], cells[2])


class PublishedEvaluation:
    """One run; ``printed`` and ``results`` hold what was written up to an error."""

    def __init__(self, gold: Iterable[Line], system: Iterable[Line], steps: StepsLeft | None = None) -> None:
        self.gold, self.system, self.steps = gold, system, steps or StepsLeft()
        self.printed: list[str] = []
        self.results: list[str] = []

    def run(self) -> None:
        """Compare all system lines with the gold, then score."""
        system = list(self.system)
        pages = pages_of(self.gold, system)
        waiting: dict[str, Iterator[list[int]]] = {}
        for name, mark in system:
            page = pages[name]
            if name not in waiting:
                waiting[name] = _compare(page, self.steps)
                if not page.gold:
                    self.printed.append(name)
            meets = next(waiting[name])
            if meets or mark.span in page.last:
                self._show(name, page, mark, meets)
        self._score(add(LINES_BOOK.tally(Sheet(name, [pages.pop(name)])) for name in list(pages)))

    def _show(self, name: str, page: Page, system: TokenLink, meets: list[int]) -> None:
        """Show a system line with the gold line over the same span, and with those that it meets."""
        span, entity = system.span, system.label
        same = page.last.get(span)
        if same is not None:
            expected = page.gold[same].label
            if expected != entity and is_true(expected):
                self.printed.append(f"{expected}\t{entity}")
        golds = [page.gold[index] for index in meets]
        if len(golds) > 2:
            self.printed += [f"{name}\t{span}\t{gold.span}\t{entity}\t{gold.label}" for gold in golds]
        for gold in golds:
            is_right = gold.label == entity
            if not is_right:
                self.printed.append(f"{gold.label}\t{entity}")
            self.results.append(result_line(name, gold, system, is_right=is_right))

    def _score(self, tally: Tally) -> None:
        ratios = ratios_of(LINES_BOOK, tally)
        hits = {regime: measures["precision"][0] for regime, measures in ratios.items()}
        sizes = [f"SYSTEM\t{ratios['strict']['precision'][1]}", f"GOLD\t{ratios['strict']['recall'][1]}"]
        self.printed += [*sizes, f"TP\t{hits['strict']}", f"FUZZY\t{hits['fuzzy']}"]
        self.results += [*sizes, f"FUZZY\t{hits['fuzzy']}"]
        for regime, measures in ratios.items():
            self.printed.append(_published_line(regime, measures["precision"], measures["recall"]))
        self.results.append(self.printed[-1])


def result_line(document: str, gold: TokenLink, system: TokenLink, *, is_right: bool) -> str:
    """Return a pair as the result file shows it."""
    return f"{int(is_right)}\t{gold.label}\t{system.label}\t{document}\t{gold.span}\t{system.span}"


def pages_of(gold: Iterable[Line], system: Iterable[Line]) -> dict[str, Page]:
    """Return the lines of each document, those of the gold first."""
    documents: dict[str, tuple[list[TokenLink], list[TokenLink]]] = {}
    for side, links in enumerate((gold, system)):
        for name, mark in links:
            sides = documents.get(name)
            if sides is None:
                sides = documents[name] = ([], [])
            sides[side].append(mark)
    return {name: Page(Group(), *sides, {}) for name, sides in documents.items()}


def _compare(page: Page, steps: StepsLeft) -> Iterator[list[int]]:
    """Yield for each system line the gold lines that it meets, and list them on the page."""
    golds = cast("dict[str, int]", page.last)
    systems = cast("list[str]", [mark.span for mark in page.system])
    if odd := next(filter(SPECIAL.search, (*golds, *systems)), None):
        message = f"the span {odd!r} has characters that the published program reads as a regular expression"
        raise InputError(f"{message}; use ids of letters and digits, or choose --profile corrected")
    meetings = map(RunIndex(golds, steps).matching, systems)
    for line, meets in enumerate(meetings):
        if meets:
            page.rows[line] = meets
        yield meets


def ratios_of(book: Casebook, tally: Tally) -> dict[str, dict[str, Ratio]]:
    """Return the ratios of the book by regime and measure."""
    counts = tally.get(Group(), (0,) * len(book.counts))
    ratios: dict[str, dict[str, Ratio]] = {}
    for figure in book.figures:
        ratios.setdefault(figure.regime, {})[figure.measure] = figure.formula.over(book.counts)(counts)
    return ratios


def _published_line(regime: str, precision: Ratio, recall: Ratio) -> str:
    """Return precision, recall and F; without hits the program fails, and so do we.

    >>> _published_line("strict", (1, 3), (1, 3))
    '33.3333333333333\\t33.3333333333333\\t33.3333333333333'
    """
    (hits, system), (_, gold) = precision, recall
    if not (hits and system and gold):
        counts = f"{hits} {regime} matches, {system} system lines and {gold} gold lines"
        message = f"with {counts} the published program divides by zero"
        raise InputError(f"{message}; choose --profile corrected, which scores 0")
    return percentages((hits / system, hits / gold, whole_zero_f1(hits / system, hits / gold)))


def percentages(values: Iterable[float]) -> str:
    """Return values in percent, with up to 15 digits."""
    return "\t".join(f"{100 * ratio:.15g}" for ratio in values)


def read_corrected(path: str) -> Iterator[Line]:
    """Read an extracted file; blank lines are skipped."""
    for line_number, line in enumerate(lines(path), 1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) < 3 or not cells[1]:
            message = "expected a document, a span such as 13-14 and an entity, separated by tabs"
            raise InputError(message, path=path, line=line_number)
        yield cells[0], TokenLink(cells[1], cells[2])


def evaluate_corrected(gold: Iterable[Line], system: Iterable[Line]) -> LineEvaluation:
    """Compare lines so that each is correct at most once."""
    from karat.protocols.newsreader.corrected import CORRECTED_BOOK, rule_for_crowd

    results, notes = [_HEADER], []
    tallies = []
    for name, page in pages_of(gold, system).items():
        if not page.gold:
            notes.append(f"the gold has no document {name!r}")
        rule = rule_for_crowd(page)
        if rule:
            notes.append(f"document {name!r}: {rule}")
        verdicts = CORRECTED_BOOK.judge(page)
        tallies.append(CORRECTED_BOOK.counting.tally(page, verdicts))
        for case, gold_line, system_line, *_ in verdicts:
            if gold_line is not None and system_line is not None:
                expected, answer = page.gold[gold_line], page.system[system_line]
                is_right = case != "wrong-link"
                results.append(result_line(name, expected, answer, is_right=is_right))
    ratios = ratios_of(CORRECTED_BOOK, add(tallies))
    strict, fuzzy = ratios["strict"], ratios["fuzzy"]
    shown = [f"SYSTEM\t{strict['precision'][1]}", f"GOLD\t{strict['recall'][1]}"]
    shown += [f"TP\t{strict['recall'][0]}", f"FUZZY\t{fuzzy['recall'][0]}"]
    shown += [percentages(value(ratio) or 0.0 for ratio in measures.values()) for measures in (strict, fuzzy)]
    return LineEvaluation(shown, results, notes)
