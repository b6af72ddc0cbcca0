"""The lines of a BRAT ``.ann`` file by the rules of the eHealth-KD programs, which take what they understand as it is.

Relations, attributes and chains are cut at any blank, an entity needs no text, offsets are any whole numbers, ids may
come twice, and references may lead nowhere; of the arguments of an event with one role the last counts. Notes are not
looked at, and a line of a kind that they do not know, or an empty one, ends the programs; the format still reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.annotations.faults import shown
from karat.formats.brat.lines import Cut, Entry, Remark, Rules, cut_strictly

if TYPE_CHECKING:
    from karat.model import Span

_FORMS = {
    "T": "T1<TAB>LABEL 0 5<TAB>text",
    "R": "R1<TAB>LABEL Arg1:T1 Arg2:T2",
    "E": "E1<TAB>LABEL:T1 Role:T2",
    "A": "A1<TAB>NAME T1",
    "*": "*<TAB>LABEL T1 T2",
}
_NOTE = "#"


def read_fragments(text: str) -> tuple[Span, ...]:
    """Read fragments as in ``0 4;5 18``; a :class:`ValueError` says that they are something else.

    >>> read_fragments("0 4;5 18")
    ((0, 4), (5, 18))
    """
    if ";" in text:
        return tuple([fragment for piece in text.split(";") for fragment in read_fragments(piece)])
    start, end = text.split()
    return ((int(start), int(end)),)


def _entity(line_number: int, line: str) -> Entry:
    name, middle, *others = line.strip().split("\t")
    return _bound(line_number, name, middle, others[0] if others else None)


def _entity_with_text(line_number: int, line: str) -> Entry:
    name, middle, text = line.split("\t")
    return _bound(line_number, name, middle, text)


def _bound(line_number: int, name: str, middle: str, text: str | None) -> Entry:
    label, _, fragments = middle.partition(" ")
    int(name[1:])  # the programs know an entity by its number
    return Entry(line_number, "T", name, [label], text, read_fragments(fragments))


def _relation(line_number: int, line: str) -> Entry:
    name, label, first, second = line.split()
    source, target = first.split(":")[1], second.split(":")[1]
    return Entry(line_number, "R", name, [label, f"Arg1:{source}", f"Arg2:{target}"])


def _event(line_number: int, line: str) -> Entry:
    name, content = line.strip().split("\t")
    head, *arguments = content.split()
    label, trigger = head.split(":")
    roles = {argument.split(":")[0]: argument.split(":")[1] for argument in arguments}
    return Entry(line_number, "E", name, [f"{label}:{trigger}", *[f"{role}:{end}" for role, end in roles.items()]])


def _attribute(line_number: int, line: str) -> Entry:
    name, label, target = line.split()
    return Entry(line_number, "A", name, [label, target])


def _chain(line_number: int, line: str) -> Entry:
    label, *targets = line[1:].strip().split(" ", 1)
    return Entry(line_number, "*", "*", [label, *targets[0].split()])


def _nothing(line_number: int, line: str) -> None:
    """Leave a line alone, whatever its form."""


def _as_format(line_number: int, line: str) -> Entry | Remark | None:
    """Cut a line as the format does; a note that is none is left to who looks at notes."""
    outcome = cut_strictly(line_number, line)
    is_no_note = isinstance(outcome, Remark) and line.startswith(_NOTE)
    return Entry(line_number, _NOTE, line, []) if is_no_note else outcome


def _fault(line_number: int, line: str) -> Remark | None:
    """Return what is wrong with a line that the programs stop at."""
    if line.startswith(_NOTE):
        return None
    if line[:1] in _FORMS:
        return Remark(line_number, f"found {shown(line)}, expected the form {_FORMS[line[:1]]!r}")
    expected = f"expected an id that begins with one of {', '.join([*_FORMS, _NOTE])}"
    return Remark(line_number, f"{shown(line)} is no annotation; {expected}")


_KINDS: dict[str, Cut] = {"T": _entity, "R": _relation, "E": _event, "A": _attribute, "*": _chain}
LOOSE = Rules(_KINDS, _as_format, as_written=True)
"""Those of the programs, and for what they do not read those of the format."""


def program_rules(*, text_required: bool = False, relations: bool = True) -> Rules:
    """Return the rules of a program: what it does not read is a fault, but for notes.

    The one of 2020 wants three columns for an entity; where relations are not wanted they may have any form.
    """
    entities: dict[str, Cut] = {"T": _entity_with_text} if text_required else {}
    unwanted: dict[str, Cut] = {} if relations else dict.fromkeys("RE*", _nothing)
    return Rules({**_KINDS, **entities, **unwanted}, _fault, as_written=True)
