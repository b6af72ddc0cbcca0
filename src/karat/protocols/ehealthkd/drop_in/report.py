"""What the programs print about one evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from karat.protocols.ehealthkd.drop_in.evaluation import COUNTERS_A, COUNTERS_B, Evaluation, Metrics


def report(evaluation: Evaluation, counters: tuple[str, ...], *, verbose: bool, correct: bool) -> Iterator[str]:
    """Yield the lines about one subtask: the counts and, if ``verbose``, the items; correct ones only if asked for."""
    for name in counters:
        yield f"{name}: {evaluation.counts[name]}"
    for name in counters if verbose else ():
        if correct or not name.startswith("correct"):
            yield from ("", f"{'=' * 19}{name.upper().center(14)}{'=' * 19}", "")
            yield "\n".join(evaluation.items[name])


def whole_report(
    evaluation: Evaluation, metrics: Metrics, *, skip_a: bool, skip_b: bool, verbose: bool, correct: bool
) -> Iterator[str]:
    """Yield all lines about one evaluation."""
    if not skip_a:
        yield from report(evaluation, COUNTERS_A, verbose=verbose, correct=correct)
    if not skip_b:
        yield from report(evaluation, COUNTERS_B, verbose=verbose, correct=correct)
    yield "-" * 20
    for name, value in metrics.items():
        yield f"{name}: {value:0.4}"
