r"""BRAT stand-off: a text file ``ID.txt`` and beside it ``ID.ann`` with one annotation per line.

A path names one ``.ann`` file or a folder, which is searched recursively except for hidden names and linked folders;
a document's id is then its path within the folder. Module ``lines`` splits lines into fields, ``conventions``
interprets the fields, ``write`` turns documents into files and refuses what BRAT cannot hold.

The text keeps its line ends, because BRAT's offsets count them: see ``assembly.settle_text``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.formats._files import names_below
from karat.formats.base import Format, Problems, Want, everything_but
from karat.formats.brat.assembly import BratAssembly, settle_text
from karat.formats.brat.lines import LOOSE, STRICT, BratEntry, BratRules, LineRemark, parse
from karat.formats.brat.write import write
from karat.io import decoded, is_folder, lines, read_whole
from karat.io.names import leading_fault
from karat.settings import choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.model import Document

__all__ = ["FORMAT", "read", "sniff", "write"]

_SUFFIX = ".ann"
_INPUT, _OUTPUT = "input.ann", "output.ann"
_MAX_TEXT = 256 * 1024 * 1024
_FIRST_LINE = re.compile(
    r"T[0-9]\S*\t\S+ [0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*\t"
    r"|[RN][0-9]\S*\t\S+ \S+ \S+"
    r"|E[0-9]\S*\t[^\s:]+:T[0-9]"
    r"|[AM#][0-9]\S*\t\S+ [TRE][0-9]"
    r"|\*\t\S+ T[0-9]"
)


_RULES = {"strict": STRICT, "ehealthkd": LOOSE}


@dataclass(frozen=True)
class BratOptions:
    """How files of the format are read."""

    rules: str = choice(
        tuple(_RULES),
        "whose reading it is: strict, in which faults are errors, or that of the eHealth-KD programs, which take what "
        "is written as it is and compare no text",
    )
    inputs: str = choice(
        ("read", "skip"),
        "what input.ann is in a folder with output.ann: a document, or what the systems of a challenge were given, "
        "which is left out",
    )


def read(path: str, *, problems: Problems, want: Want, options: BratOptions) -> Iterator[Document]:
    """Yield a document for each ``.ann`` file, by name; faulty ones are reported and skipped."""
    del want
    root = Path(path)
    if not is_folder(path):
        if root.suffix != _SUFFIX:
            problems.error(path, None, "is neither a folder nor an .ann file; name the folder of the BRAT files")
            return
        files = iter([(root, root.stem)])
    else:
        names: Sequence[str] = names_below(root, _SUFFIX)
        if options.inputs == "skip":
            names = _without_inputs(names, path, problems)
        files = ((root / name, name.removesuffix(_SUFFIX)) for name in names)
        if not names:
            problems.error(path, None, "holds no .ann file; BRAT keeps the annotations of ID.txt in ID.ann")
    for file, name in files:
        fault = leading_fault(name)
        if fault is not None:
            problems.error(path, None, f"the file name {name!a} {fault}; rename the file")
            continue
        with problems.catching(file):
            document = _read_file(file, name, problems, _RULES[options.rules])
            if document is not None:
                yield document


def sniff(head: str) -> bool:
    r"""Tell whether the first line is an annotation.

    >>> sniff("T1\tLOC 0 6\tZürich\n"), sniff("TOKEN\tNE-COARSE-LIT\n")
    (True, False)
    """
    return _FIRST_LINE.match(head.removeprefix("\ufeff").lstrip("\r\n")[:1000]) is not None


def _without_inputs(names: Sequence[str], path: str, problems: Problems) -> list[str]:
    """Return the names without any ``input.ann`` beside an ``output.ann``, which is reported."""
    outputs = {name.removesuffix(_OUTPUT) for name in names if name.rpartition("/")[2] == _OUTPUT}
    inputs = {f"{folder}{_INPUT}" for folder in outputs}.intersection(names)
    for name in sorted(inputs):
        problems.repair(path, None, f"{name!a} is what systems were given, and left out beside {_OUTPUT!r}")
    return [name for name in names if name not in inputs]


def _read_file(path: Path, name: str, problems: Problems, rules: BratRules) -> Document | None:
    """Return the document of one annotation file, or None if faults were reported."""
    if path.exists() and not path.is_file():
        raise InputError("is not a plain file", path=path)
    outcomes = list(parse(lines(path), rules))
    entries = [outcome for outcome in outcomes if isinstance(outcome, BratEntry)]
    wrong = [outcome for outcome in outcomes if isinstance(outcome, LineRemark)]
    raw = _raw_text(path)
    if rules.as_written:
        text, shift = raw.replace("\r\n", "\n").replace("\r", "\n"), 0
    else:
        text, shift = settle_text(raw, entries)
    assembly = BratAssembly(entries, text, shift, as_written=rules.as_written)
    document = assembly.document(name)
    document.source = str(path)
    wrong = sorted(wrong + assembly.wrong)
    for line, message in wrong:
        problems.error(path, line, message)
    for line, message in assembly.repairs:
        problems.repair(path, line, message)
    return None if wrong else document


def _raw_text(path: Path) -> str:
    """Return the text beside an annotation file with its line ends unchanged."""
    beside = path.with_suffix(".txt")
    if not beside.is_file():
        raise InputError(f"has no text beside it; expected the file {beside.name!r} in the same folder", path=path)
    return decoded(read_whole(beside, _MAX_TEXT), beside)


FORMAT = Format(
    name="brat",
    title="BRAT stand-off (.ann beside .txt)",
    known_by="lines such as T1, a tab, a label with its offsets, a tab, the text",
    read=read,
    sniff=sniff,
    suffixes=(_SUFFIX,),
    write=write,
    folder=True,
    options=BratOptions,
    keeps=everything_but("scores", "unplaced", "metadata", "tokens", "cells", "comments"),
    layers="mentions, links, chains, relations, events, attributes, notes",
)
