"""``validate-sf``: check a run against the queries it answers, and write it repaired (CS-ValidateSF)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from karat.coldstart.outlets import Outlets
from karat.coldstart.problems import NO_PLACE, ProblemLog
from karat.coldstart.profiles import Profile
from karat.coldstart.sf.layouts import RUN_2015
from karat.coldstart.sf.loading import Line, Loader
from karat.coldstart.sf.opening import open_run
from karat.coldstart.sf.questions import Questions
from karat.coldstart.stops import Stop
from karat.coldstart.text import lower, number


def validate_sf(options: Mapping[str, str], outlets: Outlets, profile: Profile) -> None:
    """Validate the run ``filename`` against ``queryfile``; with ``output_file``, write it repaired."""
    path, queries, lengths, log, output = open_run(options, outlets)
    comments = "allow_comments" in options
    loader = Loader(Questions(queries), lengths, waiting=profile.corrected, comments=comments)
    loader.load(path)
    loader.finish()
    answers = loader.answers
    if profile.corrected and "groundtruth" not in options:
        answers = without_surplus(answers, loader.questions, log)
    if output is not None:
        output.write_all(repaired(answers, loader, log, everywhere=profile.corrected))
    outlets.log.write(log.report())
    outlets.log.write(log.conclusion())


def repaired(answers: Iterable[Line], loader: Loader, log: ProblemLog, *, everywhere: bool = False) -> Iterator[str]:
    """Yield the lines of a repaired run in order; of equal lines next to each other (or everywhere) the first."""
    written: set[str] = set()
    last = ""
    for line in sorted(answers, key=_order):
        if line.question.id in loader.bad:
            log.record("BAD_QUERY", line.question.id, where=NO_PLACE)
            continue
        text = written_line(line, loader.run_ids[line.path])
        if text == last or text in written:
            continue
        last = text
        if everywhere:
            written.add(text)
        yield text


def _order(line: Line) -> tuple[int, str, str, str]:
    return line.question.level, line.question.id, lower(line.value), line.place


def written_line(line: Line, run_id: str) -> str:
    """Return an answer as it is written: provenances repaired, under the run id of its file."""
    elements = list(line.elements)
    if len(elements) != len(RUN_2015.columns):
        raise Stop("No value present for column VALUE_TYPE", kind="DIE")
    elements[RUN_2015.run_id] = run_id
    elements[RUN_2015.relation] = line.relation
    elements[RUN_2015.place] = line.place
    return "\t".join(elements) + "\n"


def without_surplus(answers: Iterable[Line], questions: Questions, log: ProblemLog) -> list[Line]:
    """Return the answers with one fill for each slot that has one value: the surest; others are a problem.

    What followed from an answer that is left out is left out with it.
    """
    chosen: dict[str, Line] = {}
    for line in answers:
        if questions.is_single(line.question.slot):
            held = chosen.setdefault(line.question.id, line)
            if held.value != line.value:
                log.record("MULTIPLE_FILLS_SLOT", line.question.slot, where=f"{line.path} line {line.number}")
            chosen[line.question.id] = min(held, line, key=_surer)
    kept: list[Line] = []
    led_to: set[str] = set()
    for line in sorted(answers, key=lambda one: one.question.level):
        is_chosen = chosen.get(line.question.id, line) is line
        if is_chosen and (not line.question.generated or line.question.id in led_to):
            kept.append(line)
            led_to.add(line.target)
    return kept


def _surer(line: Line) -> tuple[float, str, str, str]:
    """Return a key that is smallest for the answer to keep, whatever their order."""
    return -float(number(line.elements[-1])), line.value, line.place, line.relation
