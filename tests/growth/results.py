"""What is done with results: each command that shows, compares, ranks, reports or pools them, and each of its views."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from pathlib import Path

import click

from karat.cli import karat as program
from karat.formats import write
from tests.fuzz.calling import call
from tests.growth.corpora import DIMENSIONS, Corpora
from tests.growth.measuring import Work, too_fast

FILES = ("gold.jsonl", "a.jsonl", "b.jsonl")
_SCORED = "conll2003 gold.jsonl a.jsonl"
_DRAWN = "--ci-method percentile --resamples 5"
COMMANDS = {
    "score": f"score {_SCORED} b.jsonl --by label --by document --ci {_DRAWN}",
    "score --all": f"score semeval2013 gold.jsonl a.jsonl --by label --all --ci {_DRAWN}",
    "score --family": "score --family entities gold.jsonl a.jsonl",
    "explain": f"explain {_SCORED}",
    "explain --by case": f"explain {_SCORED} --by case",
    "explain --confusion": f"explain {_SCORED} --confusion",
    "explain of two systems": f"explain {_SCORED} b.jsonl",
    "explain of two protocols": "explain conll2003 semeval2013 gold.jsonl a.jsonl",
    "compare": f"compare {_SCORED} b.jsonl --by label {_DRAWN}",
    "leaderboard": f"leaderboard {_SCORED} b.jsonl {_DRAWN}",
    "report": f"report {_SCORED} b.jsonl {_DRAWN} -o page.html",
    "report of relations": f"report relations gold.jsonl a.jsonl {_DRAWN} -o page.html",
    "verify": "verify scores.tsv --gold gold.jsonl --system a.jsonl",
    "judge pool": "judge pool a.jsonl b.jsonl --kind mention -o pool.jsonl",
    "judge sheet": "judge sheet pool.jsonl -o sheet.xlsx",
    "judge summary": "judge summary sheet.xlsx --scheme correct --no-save",
}
"""Each command line by its name; what it needs of those before it is made first."""
MADE_BY = {
    "verify": [f"score {_SCORED} --view tsv -o scores.tsv"],
    "judge sheet": [COMMANDS["judge pool"]],
    "judge summary": [COMMANDS["judge pool"], COMMANDS["judge sheet"]],
}
REFUSED = {("explain --confusion", "html")}
"""Views that a command has, but not with these options."""
GROWING = ("items", "labels", "documents")
"""The dimensions of results: entries, rows and units."""


def views_of(name: str) -> list[str]:
    """Return the views that the command line of a name can have, or none at all."""
    return [view for view in views_of_words(COMMANDS[name].split()) if (name, view) not in REFUSED]


def views_of_words(words: Sequence[str]) -> list[str]:
    """Return the views of the command that a command line begins with."""
    command: click.Command = program
    for word in words:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    choices = [option.type for option in command.params if option.name == "view"]
    return list(choices[0].choices) if choices and isinstance(choices[0], click.Choice) else []


def of_command(name: str, size: int, views: list[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield each view and dimension, and how the work of the command grows if that is too fast."""
    for view in (views_of(name) if views is None else views) or [""]:
        for dimension in GROWING:
            with tempfile.TemporaryDirectory() as folder, chdir(folder):
                words = [*COMMANDS[name].split(), *(["--view", view] if view else [])]
                yield f"{view}: {dimension}", too_fast(_work(name, words, DIMENSIONS[dimension]), size)


def _work(name: str, words: list[str], make: Callable[[int], Corpora]) -> Work:
    def work(number: int) -> Callable[[], object]:
        for path in Path().iterdir():
            path.unlink()
        gold, system = make(number)
        for file, documents in zip(FILES, (gold, system, [*system[1:], *gold[:1]]), strict=True):
            write(documents, file, "jsonl")
        for needed in MADE_BY.get(name, ()):
            _done(needed.split())
        return lambda: _done(words)

    return work


def _done(words: list[str]) -> None:
    called = call(words)
    if called.status:
        raise AssertionError(f"{' '.join(words)} ends with {called.status}: {called.err}")
