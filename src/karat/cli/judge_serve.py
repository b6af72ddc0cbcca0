"""``karat judge serve`` and ``invite``: the workbench, and who may come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.judge_summary import answers_option, pool_argument, scheme_option

if TYPE_CHECKING:
    import socket

_COLLECT = (2000, 10, 10)
"""When to look for cyclic garbage: as often as a program should that runs for days."""


@click.command()
@pool_argument
@answers_option
@scheme_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; others need tokens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="The port to listen on.")
@click.option("--host-name", multiple=True, metavar="NAME", help="A name under which the machine is reached.")
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
        # Each request leaves some cyclic garbage, which only other commands can leave lying; the pool is none of it.
        gc.freeze()
        gc.set_threshold(*_COLLECT)
        uvicorn.Server(uvicorn.Config(workbench.app, log_level="warning", access_log=False)).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens, before anybody is told the address."""
    import socket

    from karat.errors import InputError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that no packet waits
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        raise InputError(f"{host}:{port} cannot be listened on: {error.strerror}; choose another --port") from error
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
    help="What they may do.",
)
def invite(pool: str, name: str, answers: str | None, role: str) -> None:
    """Print the token with which NAME enters the workbench of a POOL; an older one of theirs is void from now on."""
    from karat.judge.people import People, role_named
    from karat.judge.project import resume

    with resume(pool, answers) as project:
        token = People(project.database).invite(name, role_named(role))
    click.echo(token)
