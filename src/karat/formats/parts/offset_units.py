"""Units of offsets: characters (code points), UTF-16 units, bytes or graphemes; and which of them a document uses.

Most formats repeat the text of a mention. The unit of a document is the first one under which all stated texts are
found, so it is verified, not assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from karat.annotations.faults import shown, surface
from karat.errors import InputError, needing
from karat.model import Span

Unit = Literal["point", "utf16", "byte", "line-end", "grapheme"]

NOUNS: dict[Unit, str] = {
    "point": "characters",
    "utf16": "UTF-16 units",
    "byte": "bytes",
    "line-end": "a line end of two characters as one",
    "grapheme": "graphemes",
}
PROVABLE: tuple[Unit, ...] = ("point", "utf16", "byte", "line-end")
_INSIDE = -1


class Stated(NamedTuple):
    """The offsets of a mention as written, and its stated text, if any."""

    name: str
    spans: tuple[Span, ...]
    text: str | None


class Offsets:
    """Converts offsets of a text in some unit to character offsets.

    >>> Offsets("😀 Ana", "utf16").span(3, 6), Offsets("Łódź", "byte").span(0, 7)
    ((2, 5), (0, 4))
    """

    def __init__(self, text: str, unit: Unit = "point") -> None:
        self.unit = unit
        self._places = _places(text, unit)

    def span(self, start: int, end: int) -> Span:
        """Return the span between two offsets, or raise an error that says what is wrong with them."""
        size = len(self._places) - 1
        if start < 0 or end < 0 or max(start, end) > size:
            reason = f"is outside of the text, which has {size} {_noun(self.unit)}"
        elif start >= end:
            reason = "is empty" if start == end else "ends before it begins"
        else:
            span = self._places[start], self._places[end]
            if _INSIDE not in span:
                return span
            reason = f"begins or ends inside of a character, if it counts {_noun(self.unit)}"
        raise InputError(f"the span [{start}, {end}] {reason}")

    def places(self, offsets: Iterable[int]) -> list[int]:
        """Return the character offsets for valid offsets in the unit."""
        return [self._places[offset] for offset in offsets]

    def backwards(self) -> dict[int, int]:
        """Return the offset in the unit for each character offset that has one."""
        return {place: offset for offset, place in enumerate(self._places) if place != _INSIDE}


def width(text: str, unit: Unit) -> int:
    r"""Return the length of a text in some unit.

    >>> width("Łódź 😀", "byte"), width("Łódź 😀", "utf16"), width("a\r\nb", "line-end")
    (12, 7, 3)
    """
    return len(text) if text.isascii() and unit != "line-end" else len(_places(text, unit)) - 1


def _noun(unit: Unit) -> str:
    return "characters" if unit == "line-end" else NOUNS[unit]


def _places(text: str, unit: Unit) -> Sequence[int]:
    """Return the character offset of each offset in the unit, and of the end; -1 within a character."""
    if unit == "point" or (unit in ("utf16", "byte") and text.isascii()):
        return range(len(text) + 1)
    if unit == "grapheme":
        with needing("counting graphemes", "graphemes"):
            import regex
        return [*(cluster.start() for cluster in regex.finditer(r"\X", text)), len(text)]
    if unit == "line-end":
        return [place for place in range(len(text) + 1) if text[place - 1 : place + 1] != "\r\n" or not place]
    places: list[int] = []
    for index, character in enumerate(text):
        point = ord(character)
        width = 1 + (point > 0xFFFF) if unit == "utf16" else 1 + (point > 0x7F) + (point > 0x7FF) + (point > 0xFFFF)
        places += (index, *(_INSIDE,) * (width - 1))
    return [*places, len(text)]


def proven(text: str, stated: Iterable[Stated]) -> Unit | None:
    r"""Return the first unit under which all stated texts are found, or None.

    >>> proven("😀 Ana", [Stated("m1", ((3, 6),), "Ana")]), proven("a\r\nb", [Stated("m1", ((2, 3),), "b")])
    ('utf16', 'line-end')
    """
    texts = [mention for mention in stated if mention.text is not None]
    return next((unit for unit in PROVABLE if fits(text, texts, Offsets(text, unit))), None)


def fits(text: str, stated: Iterable[Stated], offsets: Offsets) -> bool:
    """Tell whether all stated texts are found at their offsets."""
    try:
        return all(
            mention.text is None or surface(text, placed(mention, offsets)) == mention.text for mention in stated
        )
    except InputError:
        return False


def placed(mention: Stated, offsets: Offsets) -> tuple[Span, ...]:
    """Return the spans of a mention in characters; fragments that are out of order or overlap are an error."""
    try:
        spans = tuple(offsets.span(start, end) for start, end in mention.spans)
    except InputError as error:
        raise InputError(f"mention {shown(mention.name)}: {error.message}") from None
    if any(later[0] < earlier[1] for earlier, later in pairwise(spans)):
        raise InputError(f"mention {shown(mention.name)}: its spans overlap or are out of order")
    return spans


def mismatch(text: str, mention: Stated, unit: Unit = "point") -> str:
    """Return a sentence if the stated text of a mention is not at its offsets, else ``""``."""
    standing = surface(text, placed(mention, Offsets(text, unit)))
    if mention.text is None or mention.text == standing:
        return ""
    where = ", ".join(f"{start}-{end}" for start, end in mention.spans)
    return f"mention {shown(mention.name)}: its text is {shown(mention.text)}, but at {where} stands {shown(standing)}"


def check_stated(text: str, span: Span, stated: object) -> None:
    """Raise an error if the stated text of a span differs from the text."""
    standing = text[slice(*span)]
    if isinstance(stated, str) and stated != standing:
        raise InputError(f"the text of a span is {shown(stated)}, but at {list(span)} stands {shown(standing)}")


def plainer_form(text: str, mention: Stated) -> str:
    """Return a remark if a stated text is a plainer form of the text at its offsets, ``""`` if they are equal.

    Any other difference is an error.

    >>> plainer_form("In TNF-α", Stated("m1", ((3, 8),), "TNF-a"))
    "the stated 'TNF-a' is not what stands at its place, 'TNF-α'; the place counts"
    """
    fault = mismatch(text, mention)
    if not fault:
        return ""
    stated, standing = mention.text or "", surface(text, placed(mention, Offsets(text)))
    alike = sum(character == other for character, other in zip(standing, stated, strict=False))
    if len(standing) != len(stated) or 2 * alike < len(standing):
        raise InputError(fault)
    return f"the stated {shown(stated)} is not what stands at its place, {shown(standing)}; the place counts"
