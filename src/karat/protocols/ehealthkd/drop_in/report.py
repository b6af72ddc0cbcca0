"""What the programs print about one evaluation: counts, items in their words, and the three numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from karat.protocols.base import Side
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in.evaluation import COUNTERS_A, COUNTERS_B, WORDS, Evaluation
from karat.protocols.ehealthkd.judge import TextPage, judge


@dataclass
class Output:
    """What a program has said so far: on standard output, warnings, and the summary; it stays even if it stops."""

    text: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)


def report(evaluation: Evaluation, *, skip_a: bool, skip_b: bool, verbose: bool, correct: bool) -> Iterator[str]:
    """Yield the lines before the numbers; if ``verbose``, with the items, but correct ones only if asked for."""
    listed = items(evaluation.page) if verbose else {}
    for skipped, counters in ((skip_a, COUNTERS_A), (skip_b, COUNTERS_B)):
        if not skipped:
            yield from (f"{name}: {evaluation.counts[name]}" for name in counters)
            yield from _listing({name: listed[name] for name in counters if name in listed}, correct=correct)
    yield "-" * 20


def _listing(items_by_counter: dict[str, list[str]], *, correct: bool) -> Iterator[str]:
    for name, texts in items_by_counter.items():
        if correct or not name.startswith("correct"):
            yield from ("", f"{'=' * 19}{name.upper().center(14)}{'=' * 19}", "")
            yield "\n".join(texts)


def items(page: TextPage) -> dict[str, list[str]]:
    """Return the items of each counter as the programs write them: what the system has, and what it stands for."""
    listed: dict[str, list[str]] = {name: [] for name in (*COUNTERS_A, *COUNTERS_B)}
    for verdict in judge(page):
        sides: Iterable[tuple[Side, int | None]] = (("system", verdict.system), ("gold", verdict.gold))
        texts = [_item(page, side, place) for side, place in sides if place is not None]
        is_relation = any(page.item(side, place).is_relation for side, place in sides if place is not None)
        listed[f"{WORDS.get(verdict.case, verdict.case)}_{'B' if is_relation else 'A'}"].append(" --> ".join(texts))
    return listed


def _item(page: TextPage, side: Side, place: int) -> str:
    judged, annotations = page.item(side, place), page.annotations(side)
    if not judged.is_relation:
        return _entity(annotations, judged.position, attributes=page.rules.edition != "2019")
    label, source, target = page.relations(side)[judged.position]
    return f"Relation(from={annotations.words(source)!r}, to={annotations.words(target)!r}, label={label!r})"


def _entity(annotations: Annotations, index: int, *, attributes: bool) -> str:
    fields = f"text={annotations.words(index)!r}, label={annotations.labels[index]!r}, id={annotations.ids[index]}"
    if attributes:
        names = annotations.attributes.get(index, ())
        fields += f", attr=[{', '.join(f'Attribute(label={name!r})' for name in names)}]"
    return f"Keyphrase({fields})"
