"""``karat completion``: the completion script for a shell."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print the completion script for your SHELL.

    \b
        karat completion bash >> ~/.bashrc
        karat completion zsh  >> ~/.zshrc
        karat completion fish > ~/.config/fish/completions/karat.fish
    """
    from click.shell_completion import get_completion_class

    from karat.cli import karat

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - the choices above are the ones click knows
    click.echo(kind(karat, {}, "karat", "_KARAT_COMPLETE").source())
