"""``karat convert``: convert annotations from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli import complain
from karat.cli.options import complete_formats, from_option, lossy_option, pairs, read_option

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("labels", "links", "relations", "chains", "notes", "attributes")


@click.command()
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path(), default="-")
@from_option
@read_option
@click.option(
    "--to",
    "target_format",
    metavar="FORMAT",
    shell_complete=complete_formats,
    help="The format of the output (default: by the ending of TARGET).",
)
@click.option(
    "--write",
    "write_settings",
    metavar="NAME=VALUE",
    multiple=True,
    callback=lambda ctx, parameter, values: pairs(values),
    help="An option of the output format, such as scheme=BIOES (may be repeated).",
)
@click.option("--drop", multiple=True, type=click.Choice(KINDS), help="Leave these annotations out (may be repeated).")
@click.option("--layer", multiple=True, help="Keep only the mentions of this layer (may be repeated).")
@lossy_option
def convert(
    source: str,
    target: str,
    source_format: str | None,
    read_settings: dict[str, str],
    target_format: str | None,
    write_settings: dict[str, str],
    drop: tuple[str, ...],
    layer: tuple[str, ...],
    lossy: bool,
) -> None:
    """Convert SOURCE to TARGET (a file, a folder for BRAT, or - for standard output).

    Conversion is lossless or refused: the output is read back, and losses are counted. Annotations are left out
    only with --drop, which names them, or with --lossy.

    \b
        karat convert gold.tsv gold.jsonl
        karat convert brat-folder/ gold.conll --to conll --drop relations
        karat convert gold.tsv brat-folder/ --to brat --layer NE-COARSE-LIT --lossy
    """
    from karat.annotations.selection import trim
    from karat.formats import format_named, read, write
    from karat.formats.base import Problems
    from karat.formats.documents import written
    from karat.formats.fidelity import Losses

    format_name = target_format or _by_ending(target)
    problems = Problems()
    source_documents = read(source, source_format, problems=problems, options=read_settings)
    hints = format_name if format_named(format_name).cells_are_hints else ""
    documents = (trim(document, set(drop), set(layer), hints=hints) for document in source_documents)
    losses = Losses() if lossy else None
    if target == "-":
        with written(documents, format_name, write_settings, losses=losses) as files:
            _print_single(files, format_name)
    else:
        write(documents, target, format_name, write_settings, losses=losses)
    if losses:
        complain(f"lost {losses}")
    if problems.repairs:
        from karat.errors import many

        complain(f"{many(problems.repairs, 'repair')} while reading; see karat validate {source}")


def _by_ending(target: str) -> str:
    from pathlib import Path

    from karat.errors import UsageError
    from karat.formats import formats

    ending = Path(target).suffix.lower()
    for name, declared in formats().items():
        if declared.write is not None and ending in declared.suffixes:
            return name
    writable = ", ".join(name for name, declared in formats().items() if declared.write is not None)
    raise UsageError(f"the format of {target!r} is unknown; name it with --to, one of {writable}")


def _print_single(files: dict[str, Path], format_name: str) -> None:
    from karat.errors import UsageError

    if set(files) - {""}:
        raise UsageError(f"format {format_name} writes several files; give a folder as TARGET")
    for file in files.values():
        with file.open(encoding="utf-8", newline="") as stream:
            while text := stream.read(1 << 16):
                click.echo(text, nl=False)
