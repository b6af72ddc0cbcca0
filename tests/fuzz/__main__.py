"""``python -m tests.fuzz N``: try N damaged inputs, spread over all targets, and report by target."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import msgspec

from tests.fuzz.campaign import Part, Report, campaign, prepare, try_part
from tests.fuzz.corpus import read
from tests.fuzz.oracle import FaultError, Place, examine
from tests.fuzz.table import document, table


@click.group()
def fuzz() -> None:
    """Damaged input for every format, tool, command, index and table."""


@fuzz.command()
@click.argument("number", type=click.IntRange(1))
@click.option("--only", multiple=True, help="Only targets whose title has this in it (may be repeated).")
@click.option("--seed", type=click.IntRange(0), default=0, help="The first seed of each target (default: 0).")
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), default=Path(".fuzz"), show_default=True)
def run(number: int, only: tuple[str, ...], seed: int, workers: int, folder: Path) -> None:
    """Try NUMBER cases; a run that was broken off goes on where it was."""
    reports: dict[str, Report] = {}
    tried = 0
    for report in campaign(number, folder, workers, only, seed):
        reports.setdefault(report.target, Report(report.target)).add(report)
        before, tried = tried, tried + report.cases
        for fault in report.faults:
            click.echo(f"FAULT {fault.target} (seed {fault.seed}): {fault.key}  {fault.path}", err=True)
        if before // 10_000 != tried // 10_000:
            click.echo(f"{tried:,} cases", err=True)
    ordered = [reports[title] for title in sorted(reports)]
    (folder / "report.json").write_text(json.dumps(msgspec.to_builtins(ordered), indent=1) + "\n", "utf-8")
    click.echo(table(ordered))
    for report in ordered:
        for fault in report.faults:
            click.echo(f"FAULT {fault.target} (seed {fault.seed}): {fault.key}  {fault.path}")
    sys.exit(any(report.failed for report in ordered))


@fuzz.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
def replay(files: tuple[Path, ...]) -> None:
    """Try kept cases again, and show what comes of each."""
    failed = False
    with Place() as place:
        for path in files:
            try:
                outcome: str = examine(read(path), place)
            except FaultError as fault:
                outcome, failed = f"FAULT {fault.key}\n{fault.told}", True
            click.echo(f"{path}: {outcome}")
    sys.exit(failed)


@fuzz.command()
@click.argument("target")
@click.argument("seed", type=int)
def one(target: str, seed: int) -> None:
    """Try the case of a TARGET and a SEED."""
    prepare()
    report = try_part(Part(target, seed, seed + 1))
    click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())


@fuzz.command("document")
@click.option("--folder", type=click.Path(path_type=Path), default=Path(".fuzz"), show_default=True)
def write_figures(folder: Path) -> None:
    """Write the figures of the last run into the documentation."""
    document(msgspec.convert(json.loads((folder / "report.json").read_text("utf-8")), list[Report]))


if __name__ == "__main__":
    fuzz()
