from __future__ import annotations

from dataclasses import fields

import pytest
from tests.cli.conftest import Command

from karat.evaluation.registry import protocols
from karat.formats import formats


def test_every_protocol_and_format_is_listed(karat: Command) -> None:
    assert [line.split()[0] for line in karat("protocols").out.splitlines()] == list(protocols())
    lines = karat("formats").out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(formats())
    assert all(line.endswith(":") for line in lines if not line.startswith("  "))


@pytest.mark.parametrize("name", protocols())
def test_a_protocol_is_described_with_options_and_quirks(name: str, karat: Command) -> None:
    shown = karat("protocols", name).out
    assert protocols()[name].title in shown
    for option in fields(protocols()[name].options):
        flag = f"  --{option.name.replace('_', '-')} "
        assert (f"\n  {option.metadata['metavar']}\n" if option.metadata["argument"] else flag) in shown
    for quirk in protocols()[name].quirks:
        assert f"\n  {quirk.name}" in shown


@pytest.mark.parametrize("name", formats())
def test_a_format_is_described(name: str, karat: Command) -> None:
    shown = karat("formats", name).out
    assert formats()[name].title in shown
    assert formats()[name].layers in shown
    assert ("scheme" in shown) == (name in ("conll", "conllup", "plain"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, karat: Command) -> None:
    shown = karat("completion", shell)
    assert shown.status == 0
    assert "_KARAT_COMPLETE" in shown.out


@pytest.mark.parametrize(
    ("words", "word", "expected"),
    [
        ("karat sc", "1", "score"),
        ("karat score hipe2022-ne", "2", "hipe2022-nel"),
        ("karat convert --from br", "3", "brat"),
    ],
)
def test_names_are_completed(
    words: str, word: str, expected: str, karat: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.shell_completion import BashComplete

    from karat.cli import karat as command

    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", word)
    completed = BashComplete(command, {}, "karat", "_KARAT_COMPLETE").complete()
    assert f"plain,{expected}" in completed.splitlines()
