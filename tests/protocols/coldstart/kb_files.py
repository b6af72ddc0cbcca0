"""Running the programs of Cold Start in a folder: files in, streams, files and status out."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from karat.protocols.coldstart.drop_in.kb.validate import check, read, tac
from karat.protocols.coldstart.drop_in.outlets import Outlets
from karat.vocabularies.coldstart.problems import ProblemLog, Stop

KB_TEXT = """run1
:A\ttype\tPER
:A\tmention\t"Ada"\td1:0-2\t1.0
:A\tcanonical_mention\t"Ada"\td1:0-2\t1.0
:B\ttype\tPER
:B\tmention\t"Bob"\td1:10-12\t1.0
:B\tcanonical_mention\t"Bob"\td1:10-12\t1.0
:A\tper:children\t:B\td1:0-12\t0.8
:B\tper:parents\t:A\td1:0-12\t0.8
:B\tper:age\t"4"\td1:10-20\t0.9
"""
"""A small knowledge base without problems."""

QUERIES_TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<query_set>
  <query id="CSSF15_ENG_0123456789">
    <name>Ada</name>
    <docid>d1</docid>
    <beg>0</beg>
    <end>2</end>
    <enttype>per</enttype>
    <slot0>per:children</slot0>
    <slot1>per:age</slot1>
  </query>
</query_set>
"""
"""One query with two hops, for the knowledge base above."""

DEFAULTS = {
    "task": "CSKB",
    "output": "tac",
    "output_file": "stdout",
    "error_file": "stderr",
    "labels": "TAC",
    "linkkb": "none",
    "multiple": "ONE",
    "profile": "2015",
}


class Validated(NamedTuple):
    """What validation says and writes."""

    log: ProblemLog
    output: str


def validate(folder: Path, text: str, **options: str) -> Validated:
    """Validate a knowledge base and return its problems and, if it has no error, its repaired form."""
    path = folder / "kb.tac"
    path.write_text(text, "utf-8", newline="")
    asked = read(DEFAULTS | options | {"filename": str(path)}, Outlets())
    kb = asked.adder.kb
    try:
        check(asked)
    except Stop:
        assert kb.log.errors
    return Validated(kb.log, "" if kb.log.errors else "".join(tac(kb)))


def contents(outlets: Outlets) -> tuple[str, str]:
    """Return what went to standard output and standard error."""
    return outlets.output.content().decode(), outlets.error.content().decode()
