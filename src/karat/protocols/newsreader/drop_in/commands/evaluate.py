"""``karat newsreader evaluate``: the drop-in for evaluate.pl."""

from __future__ import annotations

import click

from karat.protocols.newsreader.drop_in.commands.words import at_least, check_targets, drop_in, tell


@drop_in("GOLD SYSTEM OUTPUT", "Evaluate extracted links (evaluate.pl).")
def evaluate(words: tuple[str, ...], profile: str) -> None:
    """Compare the extracted lines of SYSTEM with those of GOLD; print the scores, and write the pairs to OUTPUT.

    The first line of scores is strict, the second fuzzy: precision, recall and F in percent.
    """
    gold, system, out, *_ = at_least(words, "GOLD SYSTEM OUTPUT")
    check_targets([out], [gold, system])
    if profile == "corrected":
        _corrected(gold, system, out)
    else:
        _published(gold, system, out)


def _published(gold: str, system: str, out: str) -> None:
    from karat.files import write_whole
    from karat.protocols.newsreader.drop_in.evaluation import Evaluation, read_rows

    evaluation = Evaluation(read_rows(gold), read_rows(system))
    try:
        evaluation.run()
        write_whole({out: _lines(evaluation.results)})
    finally:
        click.echo(_lines(evaluation.printed), nl=False)


def _corrected(gold: str, system: str, out: str) -> None:
    from karat.files import write_whole
    from karat.protocols.newsreader.drop_in.corrected_extraction import evaluate as run
    from karat.protocols.newsreader.drop_in.corrected_extraction import read_lines

    result = run(read_lines(gold), read_lines(system), tell)
    write_whole({out: result.results})
    click.echo(result.printed, nl=False)


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("latin-1")
