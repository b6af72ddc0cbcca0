"""Every drop-in has one shape: its command reads, evaluates (checks, converts, predicts) and prints."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import click
import pytest

from karat.cli import karat
from karat.protocols.coldstart.drop_in.outlets import Program
from karat.protocols.coldstart.drop_in.switches import SwitchCommand

WORK = ("evaluate", "check", "convert", "predict")
OWN = {
    "coldstart run": "runs the drop-ins of the published programs one after the other",
    "coldstart stats": "is no published program; it lists counts",
}
"""Commands that are no drop-ins of a published program, with the reason."""


def _commands(group: click.Group, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the name and the command of each drop-in below a group."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, *names, name)
        elif ".drop_in." in (inspect.unwrap(command.callback).__module__ if command.callback else ""):
            yield " ".join((*names, name)), command


def _modules(command: click.Command) -> list[ModuleType]:
    """Return the modules of its evaluation that a command imports as a whole, or whose ``printed`` it imports."""
    if isinstance(command, SwitchCommand):
        return [import_module(f"karat.protocols.coldstart.drop_in.{command.module}")]
    assert command.callback is not None
    found: list[ModuleType] = []
    for node in ast.walk(ast.parse(inspect.getsource(command.callback))):
        if isinstance(node, ast.ImportFrom) and node.module and ".drop_in" in node.module:
            names = [alias.name for alias in node.names]
            inner = [name for name in (f"{node.module}.{one}" for one in names) if _is_module(name)]
            found += map(import_module, inner or [node.module] * ("printed" in names))
    return found


def _is_module(name: str) -> bool:
    package = import_module(name.rpartition(".")[0])
    return hasattr(package, "__path__") and find_spec(name) is not None


DROP_INS = dict(_commands(karat))


def test_all_evaluations_with_programs_are_seen() -> None:
    programs = {"coldstart", "conll2012", "conlleval", "docred", "ehealthkd", "hipe", "newsreader", "omin", "tacred"}
    assert programs <= {name.split()[0] for name in DROP_INS}
    assert OWN.keys() <= DROP_INS.keys()


@pytest.mark.parametrize("name", sorted(DROP_INS.keys() - OWN.keys()))
def test_a_drop_in_reads_works_and_prints(name: str) -> None:
    modules = _modules(DROP_INS[name])
    assert modules, "the command does not deliver what a module's printed returns"
    for module in modules:
        functions = {function for function in ("read", *WORK, "printed") if callable(getattr(module, function, None))}
        assert {"read", "printed"} <= functions, module.__name__
        assert len(functions) == 3, module.__name__
        if program := getattr(module, "PROGRAM", None):
            work = next(getattr(module, name) for name in WORK if hasattr(module, name))
            assert program == Program(module.read, work, module.printed)
