"""The drop-ins for published programs, with switches as these take them: one dash (or two), before the parameters."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import get_data
from typing import Any, NamedTuple, NoReturn

import click

STATUS = 255
"""The exit status of a program that was called in a wrong way, as that of one that stopped."""


class Switch(NamedTuple):
    """A switch with its line in the help; one without ``value`` takes none. ``choices`` are checked by us."""

    name: str
    help: str
    value: bool = True
    default: str | None = None
    choices: Sequence[str] = ()


class Parameter(NamedTuple):
    """A parameter with its line in the help; ``several`` takes all the words that are left."""

    name: str
    help: str
    required: bool = True
    several: bool = False


@cache
def _programs() -> Mapping[str, Any]:
    return tomllib.loads((get_data(__name__, "switches.toml") or b"").decode("utf-8"))


class SwitchCommand(click.Command):
    """A program with switches in the way of the published ones, as ``switches.toml`` declares it.

    ``module`` has the :class:`~karat.protocols.coldstart.drop_in.outlets.Program`, which takes the options by name
    (those given, and defaults), the files where the last parameter takes several words, and the outlets to write to.
    """

    def __init__(self, name: str) -> None:
        declared, shared = _programs()[name], _programs()["shared"]
        super().__init__(name, callback=self._run, help=declared["help"], add_help_option=False)
        self.program = declared["program"]
        self.module = declared["module"]
        self.versions = declared.get("versions", {})
        switches = {name: shared[name] for name in declared["shared"]} | declared.get("switches", {})
        listed = (Switch(**{"name": name, **described}) for name, described in switches.items())
        self.switches = {switch.name: switch for switch in listed}
        self.parameters = [Parameter(name, **described) for name, described in declared["parameters"].items()]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the switches, then the parameters."""
        words = list(args)
        options = {switch.name: switch.default for switch in self.switches.values() if switch.default is not None}
        while words and words[0].startswith("-") and words[0] != "-":
            word = words.pop(0)
            name = word.removeprefix("-")
            if name.startswith("-"):
                name, equals, value = name[1:].partition("=")
                words[:0] = [value] if equals else []
            if name in ("help", "h"):
                click.echo(self.get_help(ctx))
                ctx.exit(0)
            if name == "version" and (version := self.versions.get(options["profile"])):
                click.echo(f"{self.program} version {version}")
                ctx.exit(0)
            switch = self.switches.get(name)
            if switch is None:
                self._complain(ctx, f"Unknown switch: -{word.removeprefix('-')}")
            options[name] = self._value(ctx, switch, words) if switch.value else ""
        for parameter in self.parameters:
            if words and parameter.several:
                ctx.params["files"], words = words, []
            elif words:
                options[parameter.name] = words.pop(0)
            elif parameter.required:
                self._complain(ctx, f"Not enough arguments; {parameter.name} must be provided")
        if words:
            self._complain(ctx, "Too many arguments")
        ctx.params["options"] = options
        return []

    def _value(self, ctx: click.Context, switch: Switch, words: list[str]) -> str:
        if not words:
            self._complain(ctx, f"Not enough arguments; {self.parameters[0].name} must be provided")
        value = words.pop(0)
        if switch.choices and value not in switch.choices:
            from karat.errors import unknown

            raise unknown(switch.name, value, switch.choices)
        return value

    def _complain(self, ctx: click.Context, message: str) -> NoReturn:
        click.echo(f"ERROR: {message}\n\n{self.get_help(ctx)}")
        ctx.exit(STATUS)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage: switches, then parameters, optional ones in braces."""
        names = (
            f"{parameter.name}…"
            if parameter.several
            else parameter.name
            if parameter.required
            else f"{{{parameter.name}}}"
            for parameter in self.parameters
        )
        formatter.write_usage(ctx.command_path, f"{{-switch {{-switch …}}}} {' '.join(names)}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the switches by name and the parameters in order."""
        del ctx
        rows = [("-help, -h", "Show this help.")]
        if self.versions:
            rows.append(("-version", "Print the version number of the published program."))
        for switch in self.switches.values():
            default = f" (Default: {switch.default}.)" if switch.default is not None else ""
            rows.append((f"-{switch.name}{' <value>' if switch.value else ''}", switch.help + default))
        with formatter.section("Switches, with one dash or two"):
            formatter.write_dl(sorted(rows))
        with formatter.section("Parameters"):
            formatter.write_dl([(parameter.name, parameter.help) for parameter in self.parameters])

    def _run(self, options: dict[str, str], files: Sequence[str] | None = None) -> int:
        """Run the program, deliver what it wrote, and return its exit status."""
        from karat.protocols.coldstart.drop_in.outlets import run_program

        module = import_module(f"karat.protocols.coldstart.drop_in.{self.module}")
        stop = run_program(module.PROGRAM, options, files)
        return 0 if stop is None else stop.status


validate_kb = SwitchCommand("validate-kb")
resolve_queries = SwitchCommand("resolve-queries")
generate_queries = SwitchCommand("generate-queries")
validate_sf = SwitchCommand("validate-sf")
correct_query_ids = SwitchCommand("correct-query-ids")
score = SwitchCommand("score")
project_scores = SwitchCommand("project-scores")
