"""The lines of a BRAT ``.ann`` file, and how they are cut into fields by the rules of whoever reads them."""

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
_MOST_DIGITS = 12
"""Of an offset."""


class Entry(msgspec.Struct, frozen=True, gc=False):
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


class Remark(NamedTuple):
    """Something to report about a line."""

    line: int
    message: str


Cut = Callable[[int, str], Entry | Remark | None]
"""Makes an entry of a line, given its number; a fault, if it has another form; or nothing."""


class Rules(NamedTuple):
    """Whose reading it is: how lines are cut, and what becomes of an annotation that is not sound.

    Lines are cut by the kind that their first character names. All others are cut as the ``rest`` is, and so are those
    for which a :class:`ValueError` or :class:`IndexError` says that they have another form.
    """

    kinds: Mapping[str, Cut]
    rest: Cut
    as_written: bool
    """Whether ids that come twice, ends that are not there and offsets that do not fit the text are taken as such."""


def parse(lines: Iterable[str], rules: Rules) -> Iterator[Entry | Remark]:
    """Cut the lines of a file into entries; what the rules have no place for becomes a fault."""
    kinds, rest = rules.kinds, rules.rest
    for line_number, line in enumerate(lines, start=1):
        try:
            outcome = kinds.get(line[:1], rest)(line_number, line)
        except (ValueError, IndexError):
            outcome = rest(line_number, line)
        if outcome is not None:
            yield outcome


def cut_strictly(line_number: int, line: str) -> Entry | Remark | None:
    """Cut a line of any kind at its tabs and blanks; what is no annotation at all is a fault, a blank line nothing."""
    content = line.removeprefix("\ufeff") if line_number == 1 else line
    if not content.strip(" \t"):
        return None
    name, _, rest = content.partition("\t")
    data, tab, text = rest.partition("\t")
    if name[:1] not in FORMS or " " in name:
        expected = f"expected an id that begins with one of {', '.join(FORMS)}, then a tab"
        return Remark(line_number, f"{shown(content)} is no BRAT annotation; {expected}")
    kind = "A" if name[0] == "M" else name[0]
    words = [word for word in data.split(" ") if word]
    return Entry(line_number, kind, name, words, text if tab else None, _read_spans(words) if kind == "T" else None)


STRICT = Rules({}, cut_strictly, as_written=False)
"""Those of the format: all lines are cut alike, and faults are errors."""


def _read_spans(words: Sequence[str]) -> tuple[Span, ...] | None:
    spans: list[Span] = []
    for piece in " ".join(words[1:]).split(";"):
        offsets = piece.split(" ")
        if len(offsets) != 2 or not all(map(_is_offset, offsets)):
            return None
        spans.append((int(offsets[0]), int(offsets[1])))
    return tuple(spans)


def _is_offset(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS
