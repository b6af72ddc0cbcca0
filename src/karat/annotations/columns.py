r"""The content of token columns: labelled spans, links, and the white space between tokens.

Spans are read from a column as HIPE does, leniently and cell by cell: every cell but ``O`` is an annotation. Its first
character tells whether a span begins, and everything from the third character on is its type. So ``I-loc`` may open a
span, and ``_``, ``B`` or an empty cell are spans of the empty type.

White space between tokens is kept in the column ``MISC``. For none, HIPE writes ``NoSpaceAfter`` and CoNLL-U
``SpaceAfter=No``. ``SpacesAfter=`` is white space other than one blank, ``SpacesBefore=`` that before the first token,
escaped as UDPipe does: ``\s`` is a blank, ``\n`` a line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from karat.model import Link

OUTSIDE = "O"
NO_LINK = ("_", "-")
HASH_TOKENS = "hash-tokens"
"""The name of the filter that leaves out tokens with a hash sign."""
LINK_COLUMNS = {"NE-COARSE-LIT": "NEL-LIT", "NE-COARSE-METO": "NEL-METO"}
"""The column of links that belongs to a column of labels."""

FORM = "FORM"
TAG = "TAG"
"""The column of the default layer ``""``."""
MISC = "MISC"
EXPRESSIONS = "PARSEME:MWE"
"""The column of multiword expressions, whose cells are no tags."""
FORM_NAMES = frozenset((FORM, "TOKEN"))
_NOT_TAGS = FORM_NAMES | {"ID", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", MISC, EXPRESSIONS}
_LINKS = "NEL-"

GLUED_IN_HIPE = "NoSpaceAfter"
GLUED_IN_CONLL = "SpaceAfter=No"
_NOTHING = "_"
"""A cell that says nothing."""
_GLUED = (GLUED_IN_HIPE, GLUED_IN_CONLL)
_BEHIND, _BEFORE = "SpacesAfter=", "SpacesBefore="
_ESCAPES = {" ": r"\s", "\t": r"\t", "\r": r"\r", "\n": r"\n", "|": r"\p", "\\": r"\\"}
_CHARACTERS = {escape: character for character, escape in _ESCAPES.items()}

LabelledSpan = tuple[str, int, int]
"""A type over a half-open range of tokens."""


def labelled_spans(cells: Sequence[str]) -> list[LabelledSpan]:
    """Return the spans of a column in text order, with their types in upper case, as case is ignored.

    An open span of the empty type is dropped at the end of the document, as in the published scorer.

    >>> labelled_spans(["B-loc", "I-LOC", "O", "I-pers", "B-pers"])
    [('LOC', 0, 2), ('PERS', 3, 4), ('PERS', 4, 5)]
    """
    spans: list[LabelledSpan] = []
    start = end = -1
    current = ""
    for index, cell in enumerate(cells):
        if cell == OUTSIDE:
            continue
        is_outside, begins, label = _read(cell)
        if is_outside:
            continue
        if index == end and label == current and not begins:
            end = index + 1
            continue
        if end > 0:
            spans.append((current, start, end))
        current, start, end = label, index, index + 1
    if end > 0 and (current or end < len(cells)):
        spans.append((current, start, end))
    return spans


@lru_cache(maxsize=4096)
def _read(cell: str) -> tuple[bool, bool, str]:
    """Return whether a cell is outside of spans, whether it begins a span, and the type of the span."""
    upper = cell.upper()
    return upper == OUTSIDE, upper[:1] == "B", upper[2:]


def links_in(cell: str) -> tuple[Link, ...]:
    """Return the links of a cell, best first.

    >>> [link.target for link in links_in("Q220|NIL")], links_in("_")
    (['Q220', 'NIL'], ())
    """
    return () if not cell or cell in NO_LINK else tuple(Link(target) for target in cell.split("|") if target)


def linked_outside(cells: Sequence[str], links: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the token ranges with the same link that lie outside of the entities of a column.

    >>> list(linked_outside(["O", "O", "B-loc", "O"], ["Q1", "Q1", "Q2", "_"]))
    [(0, 2)]
    """
    start = end = -1
    for index, (cell, link) in enumerate(zip(cells, links, strict=True)):
        if cell.upper() != OUTSIDE or not link or link in NO_LINK:
            continue
        if index == end and link == links[start]:
            end = index + 1
            continue
        if end > 0:
            yield start, end
        start, end = index, index + 1
    if end > 0:
        yield start, end


def tag_layer_of(column: str) -> str | None:
    """Return the layer whose tags a column holds, or None for a column without tags.

    Columns without tags are those of CoNLL-U, the links of HIPE (``NEL-…``), and unnamed ones between token and tag.

    >>> tag_layer_of("TAG"), tag_layer_of("NE-COARSE-LIT"), tag_layer_of("LEMMA"), tag_layer_of("2")
    ('', 'NE-COARSE-LIT', None, None)
    """
    if column == TAG:
        return ""
    return None if column in _NOT_TAGS or column.startswith(_LINKS) or column.isdecimal() else column


def gaps_in(cells: Iterable[str], glued: str) -> dict[int, str]:
    r"""Return the white space after each token where it is not one blank, and before the first token (key -1).

    >>> gaps_in(["SpaceAfter=No", "_", r"Gloss=x|SpacesAfter=\n\s"], GLUED_IN_CONLL)
    {0: '', 2: '\n '}
    """
    gaps: dict[int, str] = {}
    for index, cell in enumerate(cells):
        if "Space" not in cell:
            continue
        for part in cell.split("|"):
            if part == glued:
                gaps[index] = ""
            elif part.startswith(_BEHIND):
                gaps[index] = _unescaped(part.removeprefix(_BEHIND))
            elif part.startswith(_BEFORE) and not index:
                gaps[-1] = _unescaped(part.removeprefix(_BEFORE))
    return gaps


def misc_cells(cells: Sequence[str], gaps: Mapping[int, str], glued: str) -> list[str]:
    r"""Return the cells of MISC with their white-space entries replaced by these gaps, in the words of a format.

    >>> misc_cells(["NoSpaceAfter|x", "_"], {0: "", 1: "\n"}, GLUED_IN_CONLL)
    ['SpaceAfter=No|x', 'SpacesAfter=\\n']
    """
    return [_misc(cell, index, gaps, glued, last=index == len(cells) - 1) for index, cell in enumerate(cells)]


def _misc(cell: str, index: int, gaps: Mapping[int, str], glued: str, *, last: bool) -> str:
    before = [_BEFORE + _escaped(gaps[-1])] if not index and -1 in gaps else []
    behind = [_BEHIND + _escaped(gaps[index]) if gaps[index] else glued] if index in gaps else []
    parts: list[str] = []
    for part in cell.split("|"):
        if part in _GLUED and (behind == [glued] or (last and not behind)):
            parts.append(glued)
            behind = []
        elif part not in ("", _NOTHING) and not is_gap(part):
            parts.append(part)
    return "|".join([*before, *parts, *behind]) or _NOTHING


def is_gap(part: str) -> bool:
    """Tell whether an entry of a MISC cell is about the white space around a token."""
    return part in _GLUED or part.startswith((_BEHIND, _BEFORE))


def _escaped(gap: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in gap)


def _unescaped(gap: str) -> str:
    return re.sub(r"\\.", lambda escape: _CHARACTERS.get(escape[0], escape[0]), gap)
