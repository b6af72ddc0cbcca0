"""The lines of a BRAT ``.ann`` file: how they are cut into fields, and what the fields stand for.

Conventions that let everything else of the model pass through BRAT and back:

- An attribute ``Layer`` of a text-bound annotation is the mention's layer; the value of a binary attribute
  is ``""``.
- A normalisation is a link. Its target is ``RESOURCE:ID`` as written, except that ``Wikidata:Q42`` reads as
  ``Q42``, ``Wikidata:NIL`` as ``NIL``, and ``KB:anything`` as ``anything``. Its last field, a name for people
  to read, is not kept.
- A role that an event repeats is numbered in BRAT (``Theme``, ``Theme2``); the number is not part of it.
- Each ``*`` line is one chain; ``Equiv`` and ``AnnotatorNotes`` stand for "no label".
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from karat.annotations.faults import shown, surface

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.model import Span

LAYER = "Layer"
REFERENCE = "Reference"
NO_CHAIN_LABEL = "Equiv"
NO_NOTE_LABEL = "AnnotatorNotes"

_WIKIDATA = "Wikidata:"
_ANY_KB = "KB:"
_WIKIDATA_ID = re.compile(r"Q[0-9]+|NIL")
_BLANKS = re.compile(r"\s+")
_OFFSET = re.compile(r"[0-9]{1,12}")
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


class Entry(NamedTuple):
    """One line: its kind, id, the words of its second field, and its third field if there is one.

    The kind is the first character of the id, except that ``M`` is an old way to write ``A``. ``spans`` are the
    fragments of a text-bound annotation as they are written, unless they are malformed.
    """

    line: int
    kind: str
    id: str
    words: list[str]
    text: str | None
    spans: tuple[Span, ...] | None = None


class Remark(NamedTuple):
    """Something to report about a line."""

    line: int
    message: str


def parse(lines: Iterable[str]) -> tuple[list[Entry], list[Remark]]:
    """Cut the lines of a file into entries; what is no annotation at all becomes a fault."""
    cut = [cut_line(line_number, line) for line_number, line in enumerate(lines, start=1)]
    return [line for line in cut if isinstance(line, Entry)], [line for line in cut if isinstance(line, Remark)]


def cut_line(line_number: int, line: str) -> Entry | Remark | None:
    """Cut a line into an entry; what is no annotation at all is a fault, and a blank line nothing."""
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


def _read_spans(words: Sequence[str]) -> tuple[Span, ...] | None:
    spans: list[Span] = []
    for piece in " ".join(words[1:]).split(";"):
        offsets = piece.split(" ")
        if len(offsets) != 2 or not all(_OFFSET.fullmatch(offset) for offset in offsets):
            return None
        spans.append((int(offsets[0]), int(offsets[1])))
    return tuple(spans)


def read_reference(reference: str) -> str:
    """Return the link target that a normalisation names.

    >>> [read_reference(one) for one in ("Wikidata:Q42", "Wikipedia:534366", "KB:x")]
    ['Q42', 'Wikipedia:534366', 'x']
    """
    if reference.startswith(_ANY_KB):
        return reference.removeprefix(_ANY_KB)
    plain = reference.removeprefix(_WIKIDATA)
    return plain if _WIKIDATA_ID.fullmatch(plain) else reference


def write_reference(target: str) -> str:
    """Return the normalisation that :func:`read_reference` turns into the target.

    >>> [write_reference(one) for one in ("Q42", "Wikipedia:534366", "x", "KB:x")]
    ['Wikidata:Q42', 'Wikipedia:534366', 'KB:x', 'KB:KB:x']
    """
    if _WIKIDATA_ID.fullmatch(target):
        return _WIKIDATA + target
    resource, _, name = target.partition(":")
    return target if resource and name and read_reference(target) == target else _ANY_KB + target


def read_roles(written: Sequence[str]) -> list[str]:
    """Return the roles of an event without the numbers that tell repeated ones apart.

    >>> read_roles(["Theme", "Arg1", "Theme2"])
    ['Theme', 'Arg1', 'Theme']
    """
    seen: Counter[str] = Counter()
    repeated: dict[str, str] = {}
    roles: list[str] = []
    for role in written:
        plain = repeated.get(role, role)
        seen[plain] += 1
        repeated[f"{plain}{seen[plain] + 1}"] = plain
        roles.append(plain)
    return roles


def write_roles(roles: Sequence[str]) -> list[str]:
    """Return the roles of an event with repeated ones numbered.

    >>> write_roles(["Theme", "Arg1", "Theme"])
    ['Theme', 'Arg1', 'Theme2']
    """
    seen: Counter[str] = Counter()
    written: list[str] = []
    for role in roles:
        seen[role] += 1
        written.append(role if seen[role] == 1 else f"{role}{seen[role]}")
    return written


def settle_text(raw: str, entries: Sequence[Entry]) -> tuple[str, int]:
    r"""Return the text and how much to take off the offsets, judged by what makes the mentions fit.

    BRAT counts every character of the text file: a byte-order mark and both halves of ``\r\n``. Other tools
    do not. The reading that gives most mentions the text their line states wins; on a tie, BRAT's own does.
    A byte-order mark is never part of the text.
    """
    body = raw.removeprefix("\ufeff")
    shifts = (1, 0) if raw != body else (0,)
    texts = [body, body.replace("\r\n", "\n")] if "\r\n" in body else [body]
    candidates = [(text, shift) for text in texts for shift in shifts]
    if len(candidates) == 1:
        return candidates[0]
    bound = [(entry.spans or (), entry.text or "") for entry in entries if entry.kind == "T"]

    def fits(candidate: tuple[str, int]) -> int:
        text, shift = candidate
        return sum(same_text(surface(text, moved(spans, shift)), stated) for spans, stated in bound)

    return max(candidates, key=fits)


def moved(spans: Iterable[Span], shift: int) -> tuple[Span, ...]:
    """Return the spans with the shift taken off."""
    return tuple([(start - shift, end - shift) for start, end in spans])


def same_text(text: str, other: str) -> bool:
    """Say whether two texts are the same, however wide their blanks are: BRAT writes line ends as blanks."""
    return text == other or _BLANKS.sub(" ", text) == _BLANKS.sub(" ", other)
