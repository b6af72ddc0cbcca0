"""How well-known programs decode entities from tags; each reading takes the tags of a segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial

from karat.annotations.strict_tags import Cell, rules_of, strict_chunks
from karat.annotations.tag_chunks import OUTSIDE, Chunks, NeighbourReading, Reading
from karat.annotations.tag_schemes import Scheme, decode
from karat.errors import InputError

_STARTS = frozenset(("BB", "IB", "OB", "OI", "EE", "EI", "OE"))
_ENDS = frozenset(("BB", "BO", "IB", "IO", "EE", "EI", "EO"))
_BRACKETS = ("[", "]")
_NO_CHUNK = (OUTSIDE, ".")

Tag = tuple[str, str]
"""A tag by prefix and label, as a program splits it."""

SCHEMES: dict[str, Scheme]
SCHEMES = {"IOB1": "IOB1", "IOB2": "IOB2", "IOE1": "IOE1", "IOE2": "IOE2", "IOBES": "BIOES", "BILOU": "BILOU"}
"""The schemes by the names that seqeval gives them, each with ours."""
_ALSO: dict[str, Scheme] = {"IOB1": "IOB2", "IOE1": "IOE2"}
"""In which other schemes a chunk may be well-formed."""


def split_at_hyphen(tag: str) -> Tag:
    """Return the text before the first hyphen of a tag, and its type, as the first evaluation of WNUT-17 does."""
    prefix, _, label = tag.partition("-")
    return prefix, label


@lru_cache(maxsize=4096)
def split(tag: str) -> Tag:
    """Return prefix and type of a tag as conlleval does, to which the type ``0`` is none.

    >>> split("B-Org-2"), split("I"), split("B-0")
    (('B', 'Org-2'), ('I', ''), ('B', ''))
    """
    prefix, _, label = tag.partition("-")
    return prefix, "" if label == "0" else label


def _split_renamed(split_tag: Callable[[str], Tag], prefixes: Mapping[str, str], tag: str) -> Tag:
    """Return prefix and type of a tag; a prefix unknown to a program becomes its own with the same meaning."""
    prefix, label = split_tag(tag)
    return prefixes.get(prefix, prefix), label


def between(before: Tag, tag: Tag) -> tuple[bool, bool]:
    """Return whether a chunk ends between two tags, and whether one starts, as conlleval has it."""
    (left, left_label), (right, right_label) = before, tag
    changes = left_label != right_label
    ends = left + right in _ENDS or (changes and left not in _NO_CHUNK) or left in _BRACKETS
    starts = left + right in _STARTS or (changes and right not in _NO_CHUNK) or right in _BRACKETS
    return ends, starts


def _between_and_closing(before: Tag, tag: Tag) -> tuple[bool, bool]:
    ends, starts = between(before, tag)
    closes = (before[0], tag[0]) == ("E", "B")
    return ends or closes, starts or closes


conlleval: Reading = NeighbourReading(split, between)
"""As conlleval: it knows the prefixes ``B``, ``I``, ``E`` and ``O``, and brackets for chunks of one token."""


@cache
def conlleval_reading(mended: str = "") -> Reading:
    """Return the reading of conlleval, with at most one corrected rule.

    >>> conlleval(["S-X", "S-X"]), conlleval_reading("unknown-prefixes")(["S-X", "S-X"])
    ([(0, 2, 'X')], [(0, 1, 'X'), (1, 2, 'X')])
    """
    if not mended:
        return conlleval
    splits: dict[str, Callable[[str], Tag]] = {
        "type-zero-is-none": split_at_hyphen,
        "unknown-prefixes": partial(_split_renamed, split, {"S": "[", "U": "[", "L": "E"}),
    }
    closing = mended == "end-does-not-close"
    return NeighbourReading(splits.get(mended, split), _between_and_closing if closing else between)


def every_word(tags: Sequence[str], outside: str = OUTSIDE) -> Chunks:
    """Return a chunk for each word, as conlleval does with raw labels.

    >>> every_word(["NN", "O", "VB"])
    [(0, 1, 'NN'), (2, 3, 'VB')]
    """
    labels = (raw_label(tag, outside) for tag in tags)
    return [(index, index + 1, label) for index, label in enumerate(labels) if label is not None]


def raw_label(tag: str, outside: str = OUTSIDE) -> str | None:
    """Return the label that a whole tag is, nothing outside of chunks; the label ``0`` is none, too, but a chunk.

    >>> raw_label("NN-2"), raw_label("0"), raw_label("O")
    ('NN-2', '', None)
    """
    return None if tag in (OUTSIDE, outside) else split(f"B-{tag}")[1]


def _seqeval_split(tag: str, *, suffix: bool) -> Tag:
    if not tag:
        raise InputError("a tag is empty; expected O, or a prefix and a type, as B-PER")
    if suffix:
        return tag[-1], tag[:-1].rsplit("-", 1)[0] or "_"
    return tag[0], tag[1:].split("-", 1)[-1] or "_"


def seqeval_between(before: Tag, tag: Tag) -> tuple[bool, bool]:
    """Return whether a chunk ends between two tags, and whether one starts, as seqeval has it by default."""
    (left, left_label), (right, right_label) = before, tag
    changes = left_label != right_label
    ends = left in ("E", "S") or (left in ("B", "I") and right in ("B", "S", OUTSIDE))
    starts = right in ("B", "S") or (right in ("E", "I") and left in ("E", "S", OUTSIDE))
    return ends or (changes and left not in _NO_CHUNK), starts or (changes and right not in _NO_CHUNK)


@cache
def seqeval(*, suffix: bool = False, mended: str = "") -> Reading:
    """Return the reading of seqeval in its default mode, which may know all letters.

    >>> seqeval()(["B-LOC", "I-LOC", "S-LOC", "I-PER"]), seqeval(suffix=True)(["LOC-B", "LOC-I"])
    ([(0, 2, 'LOC'), (2, 3, 'LOC'), (3, 4, 'PER')], [(0, 2, 'LOC')])
    """
    split_tag: Callable[[str], Tag] = partial(_seqeval_split, suffix=suffix)
    if mended == "letters":
        split_tag = partial(_split_renamed, split_tag, {"U": "S", "L": "E"})
    return NeighbourReading(split_tag, seqeval_between, remembers=True)


def strict_cell(tag: str, *, suffix: bool = False) -> Cell:
    """Return letter and label of a tag as the strict mode of seqeval does: without hyphens at either end of the label.

    >>> strict_cell("B-a-"), strict_cell("B"), strict_cell("PER-B", suffix=True)
    (('B', 'a'), ('B', '_'), ('B', 'PER'))
    """
    letter, label = (tag[-1:], tag[:-1]) if suffix else (tag[:1], tag[1:])
    return letter, label.strip("-") or "_"


def _whole_cell(tag: str, *, suffix: bool = False) -> Cell:
    letter, label = (tag[-1:], tag[:-1].removesuffix("-")) if suffix else (tag[:1], tag[1:].removeprefix("-"))
    return letter, label or "_"


@cache
def strict(scheme: str, *, suffix: bool = False, mended: str = "") -> Reading:
    """Return the reading of seqeval in its strict mode, for a scheme by the name that seqeval gives it.

    A rule of it may be mended: types keep their hyphens, or letters that a scheme does not need are good for it.

    >>> strict("IOBES")(["B-LOC", "E-LOC", "I-PER"])
    [(0, 2, 'LOC')]
    """
    rules = rules_of(SCHEMES[scheme])
    letters = rules.letters
    cell_of = _whole_cell if mended == "strict-strips-hyphens" else strict_cell
    cell = lru_cache(maxsize=4096)(partial(cell_of, suffix=suffix))

    def read(tags: Sequence[str]) -> Chunks:
        cells = [cell(tag) for tag in tags]
        for tag, (letter, _) in zip(tags, cells, strict=True):
            if letter not in letters or not letter:
                expected = ", ".join(letters)
                raise InputError(f"{tag!r} is no tag of {scheme}; expected one that begins with {expected}")
        if mended == "needless-letters":
            return by_scheme(_written(cells), scheme)
        return strict_chunks(cells, rules)

    return read


def prefixed(tags: Sequence[str]) -> list[str]:
    """Return tags with their letter moved from the end to the front.

    >>> prefixed(["PER-B", "O"])
    ['B-PER', 'O']
    """
    return _written(strict_cell(tag, suffix=True) for tag in tags)


def _written(cells: Iterable[Cell]) -> list[str]:
    return [letter if label == "_" else f"{letter}-{label}" for letter, label in cells]


def by_scheme(tags: Sequence[str], scheme: str = "", *, suffix: bool = False) -> Chunks:
    """Return the chunks that tags make in any scheme or, if one is named, those that are well-formed in it.

    A ``B`` that IOB1 does not need starts a chunk all the same, and an ``E`` that IOE1 does not need ends one.

    >>> by_scheme(["S-X", "S-X"]), by_scheme(["B-X", "I-X", "I-Y"], "IOB2")
    ([(0, 1, 'X'), (1, 2, 'X')], [(0, 2, 'X')])
    """
    written = prefixed(tags) if suffix else tags
    if not scheme:
        return [chunk[:] for chunk in decode(written, "IOB2")[0]]
    kept = (decode(written, known, "strict")[0] for known in {SCHEMES[scheme], _ALSO.get(scheme, SCHEMES[scheme])})
    return sorted({chunk[:] for chunks in kept for chunk in chunks})


def wnut17(tags: Sequence[str]) -> Chunks:
    """Return the chunks that the evaluation of WNUT-17 sees: ``I`` goes on if the type before it is the same.

    Otherwise it starts a chunk, as ``B`` does. ``O`` with a type is a chunk where a sentence begins, and else no tag. A
    token without a tag is passed over.

    >>> wnut17(["I-person", "B-person", "I-person", "I-group", "O", "B-person", "", "I-person"])
    [(0, 1, 'person'), (1, 3, 'person'), (3, 4, 'group'), (5, 8, 'person')]
    """
    chunks: Chunks = []
    start, past, label = -1, 0, ""
    for index, tag in enumerate((*tags, OUTSIDE)):
        if not tag:
            continue
        letter, _, kind = tag.partition("-")
        if letter != "I" or start < 0 or kind != label:
            if start >= 0:
                chunks.append((start, past, label))
            if letter == OUTSIDE and kind and past:
                raise InputError(f"{tag!r} stands behind another tag; expected O, B-{kind} or I-{kind}")
            start, label = (-1, "") if tag == OUTSIDE else (index, kind)
        past = index + 1
    return chunks


def wnut17_first_between(before: Tag, tag: Tag) -> tuple[bool, bool]:
    """Return whether a chunk ends between two tags, and whether one starts, as in the first WNUT-17 program."""
    ends, starts = seqeval_between(before, tag)
    return ends or before[0] in _BRACKETS, starts or tag[0] in _BRACKETS


wnut17_first: Reading = NeighbourReading(split_at_hyphen, wnut17_first_between)
"""As the first evaluation of WNUT-17: like conlleval, but with ``E`` and ``S``."""


def _nervaluate_split(tag: str) -> Tag:
    return tag[:2], tag[2:]


def _old_nervaluate_between(before: Tag, tag: Tag) -> tuple[bool, bool]:
    if tag[0] == OUTSIDE:
        return before[0] != OUTSIDE, False
    starts = before[0] == OUTSIDE or before[1] != tag[1] or tag[0].startswith("B")
    return starts, starts


def _nervaluate_between(before: Tag, tag: Tag) -> tuple[bool, bool]:
    ends, starts = _old_nervaluate_between(before, tag)
    if starts and tag[0] not in ("B-", "I-"):
        raise InputError(f"{''.join(tag)!r} is no tag that starts an entity; expected one that begins with B- or I-")
    return ends, starts


nervaluate: Reading = NeighbourReading(_nervaluate_split, _nervaluate_between)
"""As nervaluate: ``B`` and another type start, and every other tag goes on."""
old_nervaluate: Reading = NeighbourReading(_nervaluate_split, _old_nervaluate_between)
"""As nervaluate before 1.0: any tag starts an entity, whatever its letter."""


def multiconer(tags: Sequence[str], mended: str = "") -> Chunks:
    """Return the chunks that the MultiCoNER baseline sees: ``B`` starts, ``O`` ends, and all others go on unread.

    A type that is called O is none.

    >>> multiconer(["I-X", "B-X", "I-Y", "O", "I-X", "B-O"])
    [(1, 3, 'X')]
    >>> multiconer(["I-X", "B-X", "I-Y", "O"], "i-behind-o-lost"), multiconer(["B-X", "I-Y", "O"], "type-of-i-unread")
    ([(0, 1, 'X'), (1, 3, 'X')], [(0, 1, 'X'), (1, 2, 'Y')])
    """
    if not tags:
        raise InputError("a sentence has no tags, at which the program stops; leave it out, or say --profile corrected")
    chunks: Chunks = []
    start, label = -1, ""
    for index, tag in enumerate((*tags, OUTSIDE)):
        letter = tag[:1]
        if letter not in ("B", OUTSIDE) and not _starts(tag[2:], label, start >= 0, mended):
            continue
        if start >= 0 and (label != OUTSIDE or mended == "type-o-is-none"):
            chunks.append((start, index, label))
        start, label = (-1, "") if letter == OUTSIDE else (index, tag[2:])
    return chunks


def _starts(kind: str, label: str, is_inside: bool, mended: str) -> bool:
    """Return whether a tag that is neither ``B`` nor ``O`` starts a chunk where a rule is mended."""
    return mended == "type-of-i-unread" and kind != label if is_inside else mended == "i-behind-o-lost"
