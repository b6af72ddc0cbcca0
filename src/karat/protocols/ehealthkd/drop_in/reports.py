"""The report of the programs on the evaluation of a text: counts, items if they are asked for, and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from karat.protocols.ehealthkd.drop_in.evaluation import REPORTED, WORDS, A, B, TextEvaluation

if TYPE_CHECKING:
    from karat.evaluation.protocol import Side
    from karat.protocols.ehealthkd.annotations import Annotations
    from karat.protocols.ehealthkd.judge import SentencePage


def warning_lines(warnings: Iterable[str]) -> list[str]:
    """Return the lines of warnings, each only once."""
    return [f"UserWarning: {message}" for message in dict.fromkeys(warnings)]


def report(evaluation: TextEvaluation, *, skip_a: bool, skip_b: bool, verbose: bool) -> Iterator[str]:
    """Yield the lines before the numbers; if ``verbose``, with the items, in 2021 without the correct ones."""
    correct = evaluation.rules.edition != "2021"
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
