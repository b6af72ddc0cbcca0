"""``karat newsreader evaluate``: the drop-in for evaluate.pl."""

from __future__ import annotations

import click

from karat.cli import complain
from karat.protocols.newsreader.drop_in.commands.words import at_least, check_targets, drop_in


@drop_in("GOLD SYSTEM OUTPUT")
@click.option(
    "--pattern-steps",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many steps spans may take that the published program takes for patterns. [default: 10,000,000]",
)
def evaluate(words: tuple[str, ...], profile: str, pattern_steps: int | None) -> None:
    """Compare the extracted lines of SYSTEM with those of GOLD; print the scores, and write the pairs to OUTPUT.

    The first line of scores is strict, the second fuzzy: precision, recall and F in percent.
    """
    gold, system, out, *_ = at_least(words, "GOLD SYSTEM OUTPUT")
    check_targets([out], [gold, system])
    if profile == "corrected":
        _corrected(gold, system, out)
    else:
        _published(gold, system, out, pattern_steps)


def _published(gold: str, system: str, out: str, pattern_steps: int | None) -> None:
    from karat.files.outputs import write_whole
    from karat.protocols.newsreader.drop_in.evaluation import PublishedEvaluation, read_published
    from karat.protocols.newsreader.drop_in.steps import MAX_STEPS, StepsLeft

    steps = StepsLeft(pattern_steps or MAX_STEPS)
    evaluation = PublishedEvaluation(read_published(gold), read_published(system), steps)
    try:
        evaluation.run()
        write_whole({out: _joined(evaluation.results)})
    finally:
        click.echo(_joined(evaluation.printed), nl=False)


def _corrected(gold: str, system: str, out: str) -> None:
    from karat.files.outputs import write_whole
    from karat.protocols.newsreader.drop_in.corrected_evaluation import evaluate_corrected, read_corrected

    printed, results = evaluate_corrected(read_corrected(gold), read_corrected(system), complain)
    write_whole({out: results})
    click.echo(printed, nl=False)


def _joined(lines: list[str]) -> bytes:
    return "\n".join([*lines, ""]).encode("latin-1")
