"""``karat conlleval`` and ``karat wnut17``: the drop-ins for programs that read columns of tags."""

from __future__ import annotations

import click

from karat.cli.legacy import profile_option


class _WholeWords(click.Command):
    """Takes options as words of their own only, as conlleval does: ``-lr``, ``-d,`` and ``--`` are none."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse words that are no options of conlleval."""
        words = iter(args)
        for word in words:
            if word in ("-d", "-o"):
                next(words, None)
            elif word == "--" or (len(word) > 2 and word[0] == "-" != word[1]):
                raise click.NoSuchOption(word, ctx=ctx)
        return super().parse_args(ctx, args)


@click.command(cls=_WholeWords)
@click.option("-d", "delimiter", default=" ", metavar="PATTERN", help="What separates fields; one blank by default.")
@click.option("-l", "latex", is_flag=True, help="Print a table for LaTeX.")
@click.option("-o", "outside", default="O", metavar="TAG", help="The label of words outside of chunks, with -r.")
@click.option("-r", "raw", is_flag=True, help="Tags are labels without a prefix, and every word is a chunk.")
@profile_option(
    "As the published program counts, or with E, S, U and L read as their schemes mean them.", ("official", "corrected")
)
def conlleval(*, delimiter: str, latex: bool, outside: str, raw: bool, profile: str) -> int:
    """Score standard input, whose last two fields are tags of the gold and of the system, as conlleval does.

    \b
        karat conlleval < output.txt
        karat conlleval -d '\\t' < output.tsv
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.spans.drop_in.conlleval import evaluate, printed, read
    from karat.protocols.spans.drop_in.rows import in_bytes

    options = {"profile": profile, "raw": "yes" if raw else "no", "outside": in_bytes(outside) if raw else "O"}
    return deliver(printed(evaluate(*read(delimiter), **options), latex=latex))


@click.command()
@click.argument("files", metavar="[FILE…]", nargs=-1, type=click.Path())
@click.option("-b", "boundary", default="-X-", metavar="TEXT", help="The word of lines between sentences (first).")
@click.option("-d", "delimiter", metavar="TEXT", help="What separates fields, if not blanks (first).")
@click.option("-o", "outside", metavar="TAG", help="Taken, and not looked at, as there (first).")
@profile_option(
    "As the served program counts, as the first one did, or with every surface form of both sides.",
    ("published", "first", "corrected"),
)
def wnut17(files: tuple[str, ...], *, boundary: str, delimiter: str | None, outside: str | None, profile: str) -> int:
    """Score standard input, or FILEs, with a word, a tag of the gold and one of the system a line, as WNUT-17 does.

    \b
        karat wnut17 < output.conll
        karat wnut17 --profile first < output.conll
    """
    from karat.cli.drop_in import deliver
    from karat.errors import UsageError
    from karat.protocols.spans.drop_in.wnut17 import FIRST, evaluate, printed, read

    if profile != FIRST and (boundary != "-X-" or delimiter is not None or outside is not None):
        raise UsageError("-b, -d and -o are options of the first program: say --profile first")
    sentences = read(files, profile, boundary=boundary, delimiter=delimiter)
    return deliver(printed(evaluate(sentences, profile, boundary=boundary), profile))
