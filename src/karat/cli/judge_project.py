"""``karat judge export`` and ``import``: a whole project as one archive, and back again."""

from __future__ import annotations

import click

from karat.cli.judge_summary import answers_option, pool_argument


@click.command()
@pool_argument
@answers_option
@click.option("-o", "--out", "output", required=True, type=click.Path(), help="The archive.")
def export(pool: str, answers: str | None, output: str) -> None:
    """Write the project of a POOL as one archive: the pool, every line of the journal, the people and their roles.

    The workbench may be open meanwhile: what was answered before is in it. So this is how to make a backup.

    \b
        karat judge export pool.jsonl -o project.zip
    """
    from karat.errors import many
    from karat.judge.carrying import export_project

    carried = export_project(pool, answers, output)
    click.echo(f"{output}: {many(carried.lines, 'line')}, {many(carried.people, 'member')}")


@click.command("import")
@click.argument("archive", type=click.Path())
@click.option("-o", "--out", "output", required=True, type=click.Path(), help="The file of the pool.")
@answers_option
def import_(archive: str, output: str, answers: str | None) -> None:
    """Bring the project of an ARCHIVE in, with every line of its journal checked; tokens go on to work.

    \b
        karat judge import project.zip -o pool.jsonl
        karat judge import project.zip -o pool.jsonl --answers postgresql://judges
    """
    from karat.errors import many
    from karat.judge.carrying import import_project

    carried = import_project(archive, output, answers)
    click.echo(f"{output}: {many(carried.lines, 'line')}, {many(carried.people, 'member')}")
