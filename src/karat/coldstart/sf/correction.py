"""``correct-query-ids``: repair the ids of follow-up queries that lack the digits of their entry point.

Before the evaluation the programs that participants got named the queries of the second hop ``PREFIX_<12 digits>``
(CS-ValidateSF-QueryIDCorrector).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from karat.coldstart.outlets import Outlets
from karat.coldstart.profiles import Profile
from karat.coldstart.provenance import Lengths
from karat.coldstart.queries import QuerySet
from karat.coldstart.query_ids import FOLLOW_UP_DIGITS, follow_up_digits
from karat.coldstart.reading import lines_of
from karat.coldstart.sf.ids import base_without_entry_point
from karat.coldstart.sf.layouts import EARLY_LAYOUTS, LAYOUTS
from karat.coldstart.sf.loading import Line, Loader
from karat.coldstart.sf.opening import open_run
from karat.coldstart.sf.questions import Question, Questions
from karat.coldstart.sf.validation import written_line
from karat.coldstart.stops import Stop
from karat.coldstart.text import lower

SORTED = ".sorted"


def correct_query_ids(options: Mapping[str, str], outlets: Outlets, profile: Profile) -> None:
    """Write the run ``filename`` with its query ids repaired; its sorted form is kept, beside it if not told where."""
    path, queries, lengths, log, output = open_run(options, outlets)
    lines = in_order(lines_of(path))
    beside = options.get("sorted_file", path + SORTED)
    outlets.open(beside).write_all(line + "\n" for line in lines)
    if not lines:
        raise Stop(f"Empty file: {beside}")
    answers, rename = (_corrected if profile.corrected else _published)(queries, lengths, beside, lines)
    outlets.log.write(log.report())
    conclusion = log.conclusion()
    if output is not None:
        output.write_all(line + "\n" for line in in_order(repaired(answers, rename)))
    outlets.log.write(conclusion)


def in_order(lines: Iterable[str]) -> list[str]:
    r"""Return lines grouped by their query id, short ids first; a line without a tab stays with the one before it.

    >>> in_order(["bb\t1", "a\t1", "# of a", "bb\t2"])
    ['a\t1', '# of a', 'bb\t1', 'bb\t2']
    """
    groups: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        first, tab, _ = line.partition("\t")
        name = first if tab else name
        groups.setdefault(name, []).append(line)
    return [line for name in sorted(groups, key=lambda one: (len(one), one)) for line in groups[name]]


Loaded = tuple[list[Line], Callable[[Question], str]]
"""Answers, and what gives the right id of their questions."""


def _published(queries: QuerySet, lengths: Lengths | None, path: str, lines: list[str]) -> Loaded:
    """Load a run with ids as they were; those that are right already are unknown then."""
    loader = Loader(Questions(queries, base_without_entry_point), lengths, layouts=EARLY_LAYOUTS, checked=False)
    loader.load(path, lines)
    parents = {line.target: line.question.id for line in loader.answers}

    def right(question: Question) -> str:
        return f"{parents[question.id]}_{question.id[-FOLLOW_UP_DIGITS:]}" if question.generated else question.id

    return loader.answers, right


def _corrected(queries: QuerySet, lengths: Lengths | None, path: str, lines: list[str]) -> Loaded:
    """Load a run with ids as they were and as they should be, in any order and at any hop."""
    loader = _TolerantLoader(Questions(queries), lengths, layouts=LAYOUTS, checked=False, waiting=True)
    loader.load(path, lines)
    loader.finish()
    return loader.answers, lambda question: question.id


class _TolerantLoader(Loader):
    """Knows every question by the id that it should have and by the one that the early programs gave it."""

    def lead(self, question: Question, query_id: str, value: str, place: str) -> tuple[str, bool]:
        """Lead to a question under both ids."""
        target, is_new = super().lead(question, question.id, value, place)
        early = f"{base_without_entry_point(query_id)}_{follow_up_digits(query_id, value, place)}"
        self.questions.call(target, early)
        self.led_to = (target, early)
        return target, is_new


def repaired(answers: Sequence[Line], rename: Callable[[Question], str]) -> list[str]:
    """Return the lines of a run in order, under the right ids; of equal lines next to each other the first.

    All get the run id of the first answer.
    """
    found: list[str] = []
    last = ""
    run_id = answers[0].run_id if answers else ""
    for line in sorted(answers, key=lambda one: (one.question.id, lower(one.value), one.place)):
        elements = [rename(line.question), *line.elements[1:]]
        text = written_line(line._replace(elements=elements), run_id).removesuffix("\n")
        if text != last:
            found.append(text)
            last = text
    return found
