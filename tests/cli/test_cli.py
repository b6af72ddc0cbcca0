"""The command line as a whole: help, wrong commands, pipes, and what happens when output cannot be delivered."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from tests.cli.conftest import ENVIRONMENT, Command

import karat as package
from karat.cli import COMMANDS, SECTIONS
from karat.cli import karat as program

KARAT = [sys.executable, "-m", "karat"]
PROTOCOL = "hipe2022-nerc-coarse"


def test_help_lists_every_command_without_loading_one(karat: Command) -> None:
    shown = karat("--help")
    assert shown.status == 0
    for name, (_, line) in COMMANDS.items():
        assert name in shown.out
        assert line.split()[0] in shown.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str, karat: Command) -> None:
    shown = karat(name, "--help")
    assert shown.status == 0
    assert f"karat {name}" in shown.out


def test_version(karat: Command) -> None:
    assert karat("--version").out.strip() == f"karat, version {package.__version__}"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["scroe"], "unknown command 'scroe'; did you mean 'score'"),
        (["hipe", "evalaute"], "unknown command 'evalaute'; did you mean 'evaluate'"),
        (
            ["score", "hipe2022-ner-coarse", "gold.tsv", "good.tsv"],
            "unknown protocol .* did you mean 'hipe2022-nerc-coa",
        ),
        (["score", PROTOCOL, "gold.tsv", "good.tsv", "--from", "hip"], "unknown format 'hip'; did you mean 'hipe'"),
        (["score", PROTOCOL, "gold.tsv", "good.tsv", "--overlp", "best"], "No such option.*--overlap"),
        (["score", PROTOCOL, "gold.tsv", "good.tsv", "--overlap", "worst"], "'worst' is not one of 'first', 'best'"),
        (["score", PROTOCOL, "gold.tsv"], "Missing argument 'SYSTEM"),
        (["protocols", "hipe"], "unknown protocol 'hipe'"),
        (["score", "linking", "gold.tsv", "good.tsv"], "'linking', which is a task: name one of .*gerbil-a2kb"),
        (["help", "score"], "ask for help by .* score --help"),
        (["formats", "jsnl"], "unknown format 'jsnl'; did you mean 'jsonl'"),
        (["convert", "gold.tsv", "out.xyz"], "the format of 'out.xyz' is unknown.* --to"),
        (["explain", PROTOCOL, "gold.tsv", "good.tsv", "--regime", "strct"], "unknown regime 'strct'.*'strict'"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
    ],
)
def test_wrong_usage_is_2_with_a_hint(words: list[str], hint: str, karat: Command) -> None:
    shown = karat(*words)
    assert (shown.status, shown.out) == (2, "")
    assert re.search(hint, " ".join(shown.err.split())), shown.err


def test_bad_input_is_3_in_one_line(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "evil\n\x1b[2J.jsonl").write_text("{")
    for words in (
        ["score", PROTOCOL, "gold.tsv", "absent.tsv"],
        ["score", PROTOCOL, "gold.tsv", "."],
        ["explain", PROTOCOL, "gold.tsv", "evil\n\x1b[2J.jsonl"],
        ["convert", "absent.tsv", "out.jsonl"],
        ["score", PROTOCOL, "https://example.org/gold.tsv", "good.tsv"],
        ["score", PROTOCOL, "gold.tsv", "x" * 5000],
    ):
        shown = karat(*words)
        assert (shown.status, shown.out) == (3, "")
        assert shown.err.startswith("karat: ")
        assert (shown.err.count("\n"), shown.err.count("\x1b")) == (1, 0)


@pytest.mark.parametrize("kind", [ZeroDivisionError, EOFError])
def test_an_error_of_ours_is_70_and_says_how_to_see_more(
    karat: Command, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def broken(*_: object) -> None:
        raise kind("oops")

    monkeypatch.setattr("karat.display.views.render", broken)
    shown = karat("score", PROTOCOL, "gold.tsv", "good.tsv")
    assert shown.status == 70
    assert f"internal error ({kind.__name__}: oops); set KARAT_TRACEBACK=1" in shown.err


@pytest.mark.parametrize(
    "words",
    [
        ["explain", PROTOCOL, "gold.tsv", "good.tsv"],
        ["score", PROTOCOL, "gold.tsv", "good.tsv", "--by", "unit"],
        ["protocols", PROTOCOL],
        ["convert", "big.jsonl", "-", "--to", "conll"],
    ],
)
def test_a_closed_pipe_is_no_error(words: list[str], karat: Command, tmp_path: Path) -> None:
    (tmp_path / "big.jsonl").write_text("".join(f'{{"id":"{n}","text":"{"a " * 999}"}}\n' for n in range(60)))
    command = subprocess.Popen([*KARAT, *words], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout
    assert command.stderr
    assert command.stdout.readline()
    command.stdout.close()
    assert command.stderr.read() == b""
    command.stderr.close()
    assert command.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_delivered(karat: Command) -> None:
    with Path("/dev/full").open("w") as full:
        words = [*KARAT, "score", PROTOCOL, "gold.tsv", "good.tsv"]
        shown = subprocess.run(words, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (shown.returncode, shown.stderr) == (3, "karat: no space left on device\n")


def test_the_same_bytes_in_every_locale_and_with_every_hash_seed(karat: Command) -> None:
    words = [*KARAT, "explain", PROTOCOL, "gold.tsv", "bad.tsv", "--view", "jsonl"]
    seen = set()
    for environment in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONHASHSEED": "7"}):
        shown = subprocess.run(words, env=ENVIRONMENT | environment, capture_output=True, check=True)
        seen.add(shown.stdout)
    assert len(seen) == 1


def test_standard_input_can_be_closed(karat: Command) -> None:
    words = f"{shlex.quote(sys.executable)} -m karat validate - <&-"
    shown = subprocess.run(["/bin/sh", "-c", words], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert shown.returncode == 3
    assert "standard input" in shown.stdout + shown.stderr
    assert "Traceback" not in shown.stderr


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        (["score"], "hipe2022-ne", {"hipe2022-nel", "hipe2022-nerc-coarse", "hipe2022-nerc-fine"}),
        (["score", "hipe2022-nel", "gold.tsv", "x.tsv"], "--n-", {"--n-best"}),
        (["convert", "gold.tsv", "x", "--to"], "jso", {"jsonl", "jsonlines"}),
        (["score", "coref", "--view"], "js", {"json", "jsonl"}),
        ([], "lead", {"leaderboard"}),
    ],
)
def test_completion(words: list[str], begun: str, offered: set[str]) -> None:
    complete = ShellComplete(program, {}, "karat", "_KARAT_COMPLETE").get_completions
    assert {item.value for item in complete(words, begun)} == offered


def test_every_command_stands_in_one_section_of_the_help() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)
