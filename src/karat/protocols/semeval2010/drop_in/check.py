"""The format checker of SemEval-2010 task 8: which lines of a file are no answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from karat.cli.drop_in import ProgramOutput
from karat.formats.semeval2010.answers import AnswerLine, answers


def read(files: Iterable[str]) -> list[Iterable[AnswerLine]]:
    """Return the lines of each file."""
    return [answers(path, "program") for path in files]


def evaluate(files: Iterable[Iterable[AnswerLine]]) -> list[list[str]]:
    """Return for each file a message about each line that is no answer, or the second of an id."""
    return [_faults(lines) for lines in files]


def _faults(lines: Iterable[AnswerLine]) -> list[str]:
    faults: list[str] = []
    known: set[str] = set()
    for answer in lines:
        if not answer.id:
            faults.append(f"Bad file format on line {answer.line}: '{answer.text}'")
        elif answer.id in known:
            faults.append(f"Bad file format on line {answer.line} (ID {answer.id} is already defined): '{answer.text}'")
        known.add(answer.id)
    return faults


def printed(faults_by_file: Iterable[Sequence[str]]) -> ProgramOutput:
    """Return what the checker prints, with bytes that are not UTF-8 as they are in the files."""
    return ProgramOutput("".join(map(_verdict, faults_by_file)).encode("utf-8", "surrogateescape"))


def _verdict(faults: Sequence[str]) -> str:
    incorrect = f"The format is INCORRECT: {len(faults)} problematic line(s) found!"
    summary = incorrect if faults else "The file format is OK."
    return "\n".join([*faults, "", f"<<< {summary}", ""])
