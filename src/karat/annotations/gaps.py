r"""What stands between tokens, in the cells of a column ``MISC``.

HIPE says ``NoSpaceAfter``, CoNLL-U ``SpaceAfter=No``, where nothing does. ``SpacesAfter=`` is white space other than
one blank, ``SpacesBefore=`` that before the first token, written as UDPipe does: ``\s`` is a blank, ``\n`` a line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

GLUED_IN_HIPE = "NoSpaceAfter"
GLUED_IN_CONLL = "SpaceAfter=No"
NOTHING = "_"
"""A cell that says nothing."""
_GLUED = (GLUED_IN_HIPE, GLUED_IN_CONLL)
_BEHIND, _BEFORE = "SpacesAfter=", "SpacesBefore="
_ESCAPES = {" ": r"\s", "\t": r"\t", "\r": r"\r", "\n": r"\n", "|": r"\p", "\\": r"\\"}
_CHARACTERS = {escape: character for character, escape in _ESCAPES.items()}


def gaps_in(cells: Iterable[str], glued: str) -> dict[int, str]:
    r"""Return what stands behind tokens, where that is not one blank, and before the first (-1).

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
    r"""Return the cells of MISC with what they say about gaps replaced by what is so, in the words of a format.

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
        elif part not in ("", NOTHING) and not is_gap(part):
            parts.append(part)
    return "|".join([*before, *parts, *behind]) or NOTHING


def is_gap(part: str) -> bool:
    """Say whether a part of a cell is about the white space around a token."""
    return part in _GLUED or part.startswith((_BEHIND, _BEFORE))


def _escaped(gap: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in gap)


def _unescaped(gap: str) -> str:
    return re.sub(r"\\.", lambda escape: _CHARACTERS.get(escape[0], escape[0]), gap)
