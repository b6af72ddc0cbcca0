"""``karat verify`` recomputes a published result; ``karat signature`` explains a signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from karat.cli.options import keep_apart, pairs, reading_options, readings_of
from karat.cli.results import VIEWS, open_option, out_option, present_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.analysis.verification import SignaturePart
    from karat.evaluation.corpora import Reading


@click.command(epilog="Exit status: 0 if it is reproduced, 1 if not, 2 for a wrong command line, 3 for bad input.")
@click.argument("result", type=click.Path())
@click.option("--gold", metavar="FILE", type=click.Path(), required=True, help="The gold that it was scored against.")
@click.option("--system", metavar="FILE", type=click.Path(), required=True, help="The system that it is about.")
@click.option(
    "--with",
    "given",
    metavar="NAME=VALUE",
    multiple=True,
    callback=lambda ctx, parameter, values: pairs(values),
    help="An option of the protocol that is not in the signature, such as tagset=FILE (may be repeated).",
)
@click.option("--by", metavar="seen=FILE", multiple=True, help="Slices of the result that need a file.")
@click.option("--view", type=click.Choice(VIEWS), help="How to show the findings (default: table, in sentences).")
@out_option
@open_option
@reading_options
def verify(*, result: str, gold: str, system: str, given: dict[str, str], **parameters: Any) -> int:
    """Score SYSTEM against GOLD again with the settings of RESULT, and report whether all numbers are the same.

    RESULT is a run file, what karat score wrote with --view json, jsonl, tsv or csv, or a report of the HIPE scorer
    (TSV or JSON), which is tried by every published revision. Protocol and options come from its signature.

    \b
        karat verify run.karat --gold gold.tsv --system system.tsv
        karat verify scores.json --gold gold.tsv.gz --system system.tsv --with tagset=tags.txt
        karat verify team_bundle4_ajmc_de_1_nerc_coarse.tsv --gold gold.tsv --system team_bundle4_ajmc_de_1.tsv
    """
    from karat.analysis.verification import verify as checked
    from karat.display.views.check import render

    keep_apart((result, gold, system, *given.values()))
    check = checked(result, gold, system, by=parameters["by"], readings=_readings(parameters), **given)
    present_text(lambda view, screen: render(check, view), parameters, in_pipe="table")
    return 0 if check.is_reproduced else 1


def _readings(parameters: dict[str, Any]) -> Sequence[Reading] | None:
    """Return how both sides are read, or None without reading options."""
    names = ("source_format", "system_format", "read_settings", "share_links")
    if not any(parameters[name] for name in names):
        return None
    return readings_of(parameters, 1)


@click.command()
@click.argument("line", metavar="SIGNATURE")
def signature(*, line: str) -> None:
    """Explain each part of a SIGNATURE, and list the quirks of the reference that apply.

    \b
        karat signature 'karat:0.1.0|protocol:hipe2022-nel|profile:current|zero:undefined|documents:3'
    """
    import shutil

    from karat.analysis.verification import signature_in_words

    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    for text in _told(signature_in_words(line), width):
        click.echo(text)


def _told(parts: Sequence[SignaturePart], width: int) -> list[str]:
    """Return the parts as lines: name and value, the meaning below, and the quirks at the end."""
    import textwrap

    from karat.io.terminal import visible

    lines = []
    is_first_quirk = True
    for part in parts:
        if part.key == "quirk":
            if is_first_quirk:
                lines += ["", "quirks of the reference that apply:"]
                is_first_quirk = False
            head = f"  {part.value}"
        else:
            head = f"{part.key}: {part.value}"
        lines.append(visible(head))
        lines += textwrap.wrap(visible(part.meaning), width, initial_indent="    ", subsequent_indent="    ")
    return lines
