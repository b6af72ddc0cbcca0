"""The lines of a BRAT ``.ann`` file by the rules of the eHealth-KD programs, which take what they understand as it is.

Relations, attributes and chains are cut at any blank, an entity needs no text, offsets are any whole numbers, ids may
come twice, and references may lead nowhere; of the arguments of an event with one role the last counts. Notes are not
looked at, and a line of a kind that they do not know, or an empty one, ends the programs; the format still reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from karat.annotations.faults import shown
from karat.formats.brat.columns import read_fragments
from karat.formats.brat.lines import Entry, Remark

_FORMS = {
    "T": "T1<TAB>LABEL 0 5<TAB>text",
    "R": "R1<TAB>LABEL Arg1:T1 Arg2:T2",
    "E": "E1<TAB>LABEL:T1 Role:T2",
    "A": "A1<TAB>NAME T1",
    "*": "*<TAB>LABEL T1 T2",
}
_NOTE = "#"
KINDS = "".join(_FORMS)
"""The kinds of lines that are read."""


Otherwise = Callable[[int, str], Entry | Remark | None]
"""Cuts a line in another way, given its number."""


def parse_loosely(
    lines: Iterable[str], *, kinds: str = KINDS, text_required: bool = False, otherwise: Otherwise | None = None
) -> tuple[list[Entry], list[Remark]]:
    """Cut the lines of some kinds into entries.

    What the programs do not read is cut ``otherwise``. If there is no other way, notes are left out, and what cannot be
    understood is a fault. With ``text_required`` an entity has exactly three columns, as the program of 2020 wants it.
    """
    entries: list[Entry] = []
    wrong: list[Remark] = []
    for line_number, line in enumerate(lines, start=1):
        kind = line[:1]
        outcome: Entry | Remark | None = None
        try:
            if kind == "T":
                outcome = _entity(line_number, line, text_required)
            elif kind not in _CUT:
                outcome = otherwise(line_number, line) if otherwise else _unknown(line_number, line)
                if kind == _NOTE and isinstance(outcome, Remark):
                    outcome = Entry(line_number, _NOTE, line, [], None)
            elif kind in kinds:
                outcome = _CUT[kind](line_number, line)
        except (ValueError, IndexError):
            message = f"found {shown(line)}, expected the form {_FORMS[kind]!r}"
            outcome = otherwise(line_number, line) if otherwise else Remark(line_number, message)
        if isinstance(outcome, Entry):
            entries.append(outcome)
        elif outcome is not None:
            wrong.append(outcome)
    return entries, wrong


def _unknown(line_number: int, line: str) -> Remark | None:
    """Return the fault of a line of another kind, unless it is a note."""
    if line.startswith(_NOTE):
        return None
    expected = f"expected an id that begins with one of {', '.join([*_FORMS, _NOTE])}"
    return Remark(line_number, f"{shown(line)} is no annotation; {expected}")


def _entity(line_number: int, line: str, text_required: bool) -> Entry:
    columns = line.split("\t") if text_required else line.strip().split("\t")
    name, middle = columns[:2]
    label, blank, spans = middle.partition(" ")
    int(name[1:])  # the programs know an entity by its number
    if not blank or (text_required and len(columns) != 3):
        raise ValueError
    return Entry(line_number, "T", name, [label], columns[2] if len(columns) > 2 else None, read_fragments(spans))


def _relation(line_number: int, line: str) -> Entry:
    name, label, first, second = line.split()
    source, target = first.split(":")[1], second.split(":")[1]
    return Entry(line_number, "R", name, [label, f"Arg1:{source}", f"Arg2:{target}"], None)


def _event(line_number: int, line: str) -> Entry:
    name, content = line.strip().split("\t")
    head, *arguments = content.split()
    label, trigger = head.split(":")
    roles = {argument.split(":")[0]: argument.split(":")[1] for argument in arguments}
    return Entry(
        line_number, "E", name, [f"{label}:{trigger}", *[f"{role}:{end}" for role, end in roles.items()]], None
    )


def _attribute(line_number: int, line: str) -> Entry:
    name, label, target = line.split()
    return Entry(line_number, "A", name, [label, target], None)


def _chain(line_number: int, line: str) -> Entry:
    label, blank, targets = line[1:].strip().partition(" ")
    if not blank:
        raise ValueError
    return Entry(line_number, "*", "*", [label, *targets.split()], None)


_CUT = {"R": _relation, "E": _event, "A": _attribute, "*": _chain}
