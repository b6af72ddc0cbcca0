"""``karat judge serve``, ``invite``, ``export``, ``import`` and ``verify``: the workbench, its people, its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.judge import answers_option, pool_argument, scheme_option

if TYPE_CHECKING:
    import socket


_COLLECT = (2000, 10, 10)
"""The thresholds of garbage collection, frequent enough for a process that runs for days."""


@click.command()
@pool_argument
@answers_option
@scheme_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; others need tokens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="The port to listen on.")
@click.option(
    "--host-name",
    multiple=True,
    metavar="NAME",
    help="A host name under which the workbench is reachable (may be repeated).",
)
@click.option("--open", "open_browser", is_flag=True, help="Open a browser.")
def serve(
    pool: str,
    answers: str | None,
    scheme: str | None,
    host: str,
    port: int,
    host_name: tuple[str, ...],
    open_browser: bool,
) -> None:
    """Open the workbench on a POOL: judges work through its items in the browser, blind.

    On this machine alone, judges need a name only. On another --host everyone needs a token; make them with
    karat judge invite. Every answer is on the disk before the page moves on.

    \b
        karat judge serve pool.jsonl --scheme omin --open
    """
    from karat.errors import needing

    with needing("the workbench", "judge"):
        import uvicorn

        from karat.judge.web.app import Workbench
    import gc

    from karat.judge.people import People
    from karat.judge.project import begin

    with begin(pool, scheme, answers) as project:
        people = People(project.database)
        if not any(person.role == "owner" for person in people.known()):
            click.echo(f"The owner's token, shown this once: {people.invite('owner', 'owner')}", err=True)
        workbench = Workbench(project, people, host=host, names=frozenset(host_name))
        listening = _listening(host, port)
        address = f"http://{host}:{listening.getsockname()[1]}/"
        click.echo(f"{address}  (Ctrl-C ends it; nothing is lost)", err=True)
        if open_browser:
            click.launch(address)
        # Each request leaves cyclic garbage. Short commands can ignore it, but a server cannot; the pool is exempt.
        gc.freeze()
        gc.set_threshold(*_COLLECT)
        uvicorn.Server(uvicorn.Config(workbench.app, log_level="warning", access_log=False)).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """Return a listening socket, opened before the address is printed."""
    import socket

    from karat.errors import InputError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that no packet waits
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        raise InputError(f"cannot listen on {host}:{port}: {error.strerror}; choose another --port") from error
    return listening


@click.command()
@pool_argument
@click.argument("name")
@answers_option
@click.option(
    "--role",
    type=click.Choice(("judge", "adjudicator", "owner")),
    default="judge",
    show_default=True,
    help="The role of the person.",
)
def invite(pool: str, name: str, answers: str | None, role: str) -> None:
    """Print a token with which NAME logs in to the workbench of a POOL; it replaces an older one."""
    from karat.judge.people import People, role_named
    from karat.judge.project import resume

    with resume(pool, answers) as project:
        token = People(project.database).invite(name, role_named(role))
    click.echo(token)


@click.command()
@pool_argument
@answers_option
@click.option("-o", "--out", "output", required=True, type=click.Path(), help="The archive.")
def export(pool: str, answers: str | None, output: str) -> None:
    """Write the project of a POOL as one archive: the pool, every line of the journal, the people and their roles.

    The workbench may stay open: the archive has all answers given so far. Use it for backups.

    \b
        karat judge export pool.jsonl -o project.zip
    """
    from karat.errors import many
    from karat.judge.project_archive import export_project

    carried = export_project(pool, answers, output)
    click.echo(f"{output}: {many(carried.lines, 'line')}, {many(carried.people, 'member')}")


@click.command("import")
@click.argument("archive", type=click.Path())
@click.option("-o", "--out", "output", required=True, type=click.Path(), help="The file of the pool.")
@answers_option
def import_(archive: str, output: str, answers: str | None) -> None:
    """Import the project in an ARCHIVE and check every line of its journal; tokens stay valid.

    \b
        karat judge import project.zip -o pool.jsonl
        karat judge import project.zip -o pool.jsonl --answers postgresql://judges
    """
    from karat.errors import many
    from karat.judge.project_archive import import_project

    carried = import_project(archive, output, answers)
    click.echo(f"{output}: {many(carried.lines, 'line')}, {many(carried.people, 'member')}")


@click.command()
@pool_argument
@click.argument("earlier", nargs=-1, type=click.Path(), metavar="[EARLIER]…")
@answers_option
def verify(pool: str, earlier: tuple[str, ...], answers: str | None) -> None:
    """Check the digest of every line in the journal of a POOL, and that the current answers follow from them.

    EARLIER is an older saved summary (.json) or an archive of karat judge export. The journal must still have every
    line that it had then, so a journal that was rewritten as a whole is detected, too.

    \b
        karat judge verify pool.jsonl
        karat judge verify pool.jsonl manual_evaluations/pool.json project.zip
    """
    from karat.errors import InputError, many
    from karat.judge.project import resume
    from karat.judge.project_archive import end_in

    ends = {path: end_in(path) for path in earlier}
    with resume(pool, answers) as project:
        checked = project.journal.check()
        for path, end in ends.items():
            if not project.journal.goes_on_from(end):
                what = f"the journal was changed: it does not continue the {many(end.lines, 'line')} recorded here"
                raise InputError(what, path=path)
    click.echo(f"{many(checked, 'line')}, none changed")
    for path, end in ends.items():
        click.echo(f"{path}: the first {many(end.lines, 'line')}")
