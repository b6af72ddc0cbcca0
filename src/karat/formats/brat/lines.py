"""The lines of BRAT ``.ann`` files, split into fields by the rules of the format or of a published program.

The loose rules are those of the eHealth-KD programs, which accept whatever they can parse. Relations, attributes
and chains are split at any blank, an entity needs no text, offsets are any integers, ids may be repeated, and
references may be dangling; of the arguments of an event with the same role the last counts. Notes are ignored. A line
of an unknown kind, or an empty one, ends the programs and is a fault under their rules; the format accepts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from karat.annotations.faults import shown

if TYPE_CHECKING:
    from karat.model import Span

FORMS = {
    "T": "T1<TAB>LABEL 0 5<TAB>text",
    "R": "R1<TAB>LABEL Arg1:T1 Arg2:T2",
    "E": "E1<TAB>LABEL:T1 Role:T2",
    "A": "A1<TAB>NAME T1 VALUE",
    "M": "M1<TAB>NAME T1 VALUE",
    "N": "N1<TAB>Reference T1 RESOURCE:ID<TAB>name",
    "#": "#1<TAB>AnnotatorNotes T1<TAB>text",
    "*": "*<TAB>Equiv T1 T2",
}
_LOOSE_FORMS = {**{kind: FORMS[kind] for kind in "TRE"}, "A": "A1<TAB>NAME T1", "*": "*<TAB>LABEL T1 T2"}
_NOTE = "#"
_MOST_DIGITS = 12
"""Of an offset."""


class BratEntry(msgspec.Struct, frozen=True, gc=False):
    """One line: its kind, id, the words of its second field, and its third field if there is one.

    The kind is the first character of the id, except that ``M`` is an old way to write ``A``. ``spans`` are the
    fragments of a text-bound annotation as they are written, unless they are malformed.
    """

    line: int
    kind: str
    id: str
    words: list[str]
    text: str | None = None
    spans: tuple[Span, ...] | None = None


class LineRemark(NamedTuple):
    """A fault or a repair of a line."""

    line: int
    message: str


Cut = Callable[[int, str], BratEntry | LineRemark | None]
"""Makes an entry of a line, given its number; a fault, if it has another form; or nothing."""


class BratRules(NamedTuple):
    """The rules of a reader: how lines are split, and what happens to an unsound annotation.

    Lines are split by the function for the kind that their first character names. All others are split by ``rest``, and
    so are those for which the function raises :class:`ValueError` or :class:`IndexError`.
    """

    kinds: Mapping[str, Cut]
    rest: Cut
    as_written: bool
    """Whether ids that come twice, ends that are not there and offsets that do not fit the text are taken as such."""


def parse(lines: Iterable[str], rules: BratRules) -> Iterator[BratEntry | LineRemark]:
    """Yield the entries of a file's lines; lines that the rules cannot parse become faults."""
    kinds, rest = rules.kinds, rules.rest
    for line_number, line in enumerate(lines, start=1):
        try:
            outcome = kinds.get(line[:1], rest)(line_number, line)
        except (ValueError, IndexError):
            outcome = rest(line_number, line)
        if outcome is not None:
            yield outcome


def cut_strictly(line_number: int, line: str) -> BratEntry | LineRemark | None:
    """Return the entry of a line of any kind, a fault if it is not an annotation, or None for a blank line."""
    content = line.removeprefix("\ufeff") if line_number == 1 else line
    if not content.strip(" \t"):
        return None
    name, _, rest = content.partition("\t")
    data, tab, text = rest.partition("\t")
    if name[:1] not in FORMS or " " in name:
        expected = f"expected an id that begins with one of {', '.join(FORMS)}, then a tab"
        return LineRemark(line_number, f"{shown(content)} is not a BRAT annotation; {expected}")
    kind = "A" if name[0] == "M" else name[0]
    words = [word for word in data.split(" ") if word]
    return BratEntry(line_number, kind, name, words, text if tab else None, _read_spans(words) if kind == "T" else None)


STRICT = BratRules({}, cut_strictly, as_written=False)
"""Those of the format: all lines are cut alike, and faults are errors."""


def _read_spans(words: Sequence[str]) -> tuple[Span, ...] | None:
    spans: list[Span] = []
    for piece in " ".join(words[1:]).split(";"):
        offsets = piece.split(" ")
        are_digits = all(text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS for text in offsets)
        if len(offsets) != 2 or not are_digits:
            return None
        spans.append((int(offsets[0]), int(offsets[1])))
    return tuple(spans)


def read_fragments(text: str) -> tuple[Span, ...]:
    """Return the fragments of a text such as ``0 4;5 18``; raises :class:`ValueError` for anything else.

    >>> read_fragments("0 4;5 18")
    ((0, 4), (5, 18))
    """
    if ";" in text:
        return tuple([fragment for piece in text.split(";") for fragment in read_fragments(piece)])
    start, end = text.split()
    return ((int(start), int(end)),)


def _entity(line_number: int, line: str) -> BratEntry:
    name, middle, *texts = line.strip().split("\t")
    return _bound(line_number, name, middle, texts[0] if texts else None)


def _entity_with_text(line_number: int, line: str) -> BratEntry:
    name, middle, text = line.split("\t")
    return _bound(line_number, name, middle, text)


def _bound(line_number: int, name: str, middle: str, text: str | None) -> BratEntry:
    label, _, fragments = middle.partition(" ")
    int(name[1:])  # the programs know an entity by its number
    return BratEntry(line_number, "T", name, [label], text, read_fragments(fragments))


def _relation(line_number: int, line: str) -> BratEntry:
    name, label, first, second = line.split()
    source, target = first.split(":")[1], second.split(":")[1]
    return BratEntry(line_number, "R", name, [label, f"Arg1:{source}", f"Arg2:{target}"])


def _event(line_number: int, line: str) -> BratEntry:
    name, content = line.strip().split("\t")
    head, *arguments = content.split()
    label, trigger = head.split(":")
    roles = {argument.split(":")[0]: argument.split(":")[1] for argument in arguments}
    return BratEntry(line_number, "E", name, [f"{label}:{trigger}", *[f"{role}:{end}" for role, end in roles.items()]])


def _attribute(line_number: int, line: str) -> BratEntry:
    name, label, target = line.split()
    return BratEntry(line_number, "A", name, [label, target])


def _chain(line_number: int, line: str) -> BratEntry:
    label, *targets = line[1:].strip().split(" ", 1)
    return BratEntry(line_number, "*", "*", [label, *targets[0].split()])


def _nothing(line_number: int, line: str) -> None:
    """Ignore a line, whatever it contains."""


def _as_format(line_number: int, line: str) -> BratEntry | LineRemark | None:
    """Return the entry for a line as the format reads it; a malformed note becomes an empty one, ignored later."""
    outcome = cut_strictly(line_number, line)
    is_no_note = isinstance(outcome, LineRemark) and line.startswith(_NOTE)
    return BratEntry(line_number, _NOTE, line, []) if is_no_note else outcome


def _fault(line_number: int, line: str) -> LineRemark | None:
    """Return the fault of a line at which the programs stop."""
    if line.startswith(_NOTE):
        return None
    if line[:1] in _LOOSE_FORMS:
        return LineRemark(line_number, f"found {shown(line)}, expected the form {_LOOSE_FORMS[line[:1]]!r}")
    expected = f"expected an id that begins with one of {', '.join([*_LOOSE_FORMS, _NOTE])}"
    return LineRemark(line_number, f"{shown(line)} is not an annotation; {expected}")


_KINDS: dict[str, Cut] = {"T": _entity, "R": _relation, "E": _event, "A": _attribute, "*": _chain}
LOOSE = BratRules(_KINDS, _as_format, as_written=True)
"""Those of the programs, and for what they do not read those of the format."""


def program_rules(*, text_required: bool = False, relations: bool = True) -> BratRules:
    """Return the rules of a program: what it cannot read is a fault, except notes.

    The program of 2020 requires three columns for an entity; relations that are not wanted may have any form.
    """
    entities: dict[str, Cut] = {"T": _entity_with_text} if text_required else {}
    unwanted: dict[str, Cut] = {} if relations else dict.fromkeys("RE*", _nothing)
    return BratRules({**_KINDS, **entities, **unwanted}, _fault, as_written=True)
