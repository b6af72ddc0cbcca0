"""What the programs print about one evaluation: counts, items in their words, and the three numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from karat.protocols.ehealthkd.drop_in.evaluation import REPORTED, WORDS, A, B, Evaluation

if TYPE_CHECKING:
    from karat.protocols.base import Side
    from karat.protocols.ehealthkd.annotations import Annotations
    from karat.protocols.ehealthkd.judge import TextPage


class Output:
    """What a program has said so far: on standard output, warnings, and the summary; it stays even if it stops."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.warnings: list[str] = []
        self.summary: list[str] = []


def report(evaluation: Evaluation, *, skip_a: bool, skip_b: bool, verbose: bool, correct: bool) -> Iterator[str]:
    """Yield the lines before the numbers; if ``verbose``, with the items, but correct ones only if asked for."""
    for skipped, subtask in ((skip_a, A), (skip_b, B)):
        if not skipped:
            yield from (f"{name}: {count}" for name, count in evaluation.counters(subtask).items())
            if verbose:
                yield from _listing(items(evaluation.pages[subtask], correct=correct))
    yield "-" * 20


def _listing(items_by_counter: dict[str, list[str]]) -> Iterator[str]:
    for name, texts in items_by_counter.items():
        yield from ("", f"{'=' * 19}{name.upper().center(14)}{'=' * 19}", "")
        yield "\n".join(texts)


def items(page: TextPage, *, correct: bool = True) -> dict[str, list[str]]:
    """Return the items of each counter as the programs write them: what the system has, and what it stands for.

    Most items are correct, and not every program lists these.
    """
    from karat.protocols.ehealthkd.judge import judge

    subtask = page.group.layer
    listed: dict[str, list[str]] = {case: [] for case in REPORTED[subtask] if correct or case != "correct"}
    for verdict in judge(page):
        if verdict.case in listed:
            sides: Iterable[tuple[Side, int | None]] = (("system", verdict.system), ("gold", verdict.gold))
            listed[verdict.case].append(
                " --> ".join([_item(page, side, place) for side, place in sides if place is not None])
            )
    return {f"{WORDS.get(case, case)}_{subtask}": texts for case, texts in listed.items()}


def _item(page: TextPage, side: Side, place: int) -> str:
    text, annotations = page.text, page.text.annotations(side)
    if page.group.layer == A:
        return _entity(annotations, place, attributes=text.rules.edition != "2019")
    label, source, target = text.relations(side)[place]
    return f"Relation(from={annotations.words(source)!r}, to={annotations.words(target)!r}, label={label!r})"


def _entity(annotations: Annotations, index: int, *, attributes: bool) -> str:
    fields = f"text={annotations.words(index)!r}, label={annotations.labels[index]!r}, id={annotations.ids[index]}"
    if attributes:
        names = annotations.attributes.get(index, ())
        fields += f", attr=[{', '.join(f'Attribute(label={name!r})' for name in names)}]"
    return f"Keyphrase({fields})"
