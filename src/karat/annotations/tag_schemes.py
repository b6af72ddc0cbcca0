"""Tag sequences and labelled token spans: IOB1, IOB2, IOE1, IOE2, BIOES and BILOU, with policies for broken tags.

Chunk boundaries are read in the same way for every scheme, by the rule of conlleval: a tag continues the chunk before
it if both have the same label, the earlier tag does not close (``E``, ``L``, ``S``, ``U``) and the later one does not
open (``B``, ``S``, ``U``). The scheme tells which tags a chunk *should* have; where a tag differs, the policy applies.
So under ``conlleval`` a wrong scheme never moves a chunk: it only changes what is counted as a repair. The Perl script
overlooks ``E-X B-X``, which is a boundary here. Only ``discard`` differs: it keeps the chunks of seqeval's strict mode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, pairwise
from typing import Literal, NamedTuple, TypeVar

from karat.annotations.strict_tags import cell_of, rules_of, strict_chunks
from karat.errors import InputError, many

Scheme = Literal["IOB1", "IOB2", "IOE1", "IOE2", "BIOES", "BILOU"]
SchemeOrAuto = Literal["auto"] | Scheme
RepairPolicy = Literal["conlleval", "strict", "discard"]
"""What becomes of a chunk whose tags break the scheme: it is read all the same, an error, or dropped as by seqeval."""

SCHEMES: tuple[Scheme, ...] = ("IOB2", "IOB1", "BIOES", "BILOU", "IOE2", "IOE1")
"""Every scheme; where tags fit several equally well, the first of them is assumed."""
REPAIR_POLICIES: tuple[RepairPolicy, ...] = ("conlleval", "strict", "discard")
OUTSIDE = "O"

_OPENING = frozenset("BSU")
_CLOSING = frozenset("ELSU")
_KNOWN = frozenset("BIELSU")
_FOREIGN = "?"
"""The places at which a single segment begins."""

R = TypeVar("R")
TagRun = tuple[str, ...]
"""Tags that follow each other, none of which is ``O``. Most runs are short and occur again and again."""
LONGEST_KNOWN = 16
"""Tags of a run that is remembered with what it says."""
MOST_RUNS = 8192
"""How many runs are remembered."""
MOST_PLACED = 1 << 15
"""How many runs are remembered with their place."""


class Chunk(NamedTuple):
    """A label over a half-open range of tokens."""

    start: int
    end: int
    label: str


class Repair(NamedTuple):
    """A tag that breaks its scheme: the index of the token, and what was found, expected and done.

    ``is_error`` means that the tag cannot be repaired.
    """

    token: int
    message: str
    is_error: bool = False


class Shape(NamedTuple):
    """The prefixes of a chunk, and whether a chunk with the same label directly precedes or follows it."""

    prefixes: str
    after: bool
    before: bool


class ColumnForm(NamedTuple):
    """The shape of a chunk (None for a tag without meaning) in a column, with the scheme it is read by."""

    column: str
    scheme: SchemeOrAuto
    shape: Shape | None


def decode(tags: Sequence[str], scheme: Scheme, repair: RepairPolicy = "conlleval") -> tuple[list[Chunk], list[Repair]]:
    """Return the chunks of one segment in text order, and its repairs.

    A label is whatever follows the first hyphen, so it may hold hyphens itself; bare ``B`` or ``I`` have the
    label ``""``. An unknown prefix counts as ``I``; a tag with neither a known prefix nor a label counts as
    ``O``. Both are repairs.

    Under ``conlleval`` every tag that breaks the scheme is one repair, and all chunks are kept.
    Under ``strict`` a chunk with such a tag is dropped, and every such tag is an error. Under ``discard`` the chunks
    are those of seqeval's strict mode; each chunk that is dropped or changed is one repair, and a prefix that is not in
    the scheme is an error.

    >>> decode(["B-loc", "I-loc", "O", "I-per"], "IOB2")
    ([Chunk(start=0, end=2, label='loc'), Chunk(start=3, end=4, label='per')], \
[Repair(token=3, message="'I-per' stands where IOB2 has 'B-per'; read as 'B-per'", is_error=False)])
    >>> decode(["I-loc", "I-loc", "O", "I-per"], "IOB1")[1]
    []
    """
    if repair == "discard":
        return _discarding(tags, scheme)
    kept: list[Chunk] = []
    repairs: list[Repair] = []
    for first, run in runs_in(tags):
        chunks, mended = _decoded(run, scheme, repair)
        kept += [Chunk(first + start, first + end, label) for start, end, label in chunks]
        repairs += [Repair(first + token, message, is_error) for token, message, is_error in mended]
    return kept, repairs


def _decode_run(tags: TagRun, scheme: Scheme, repair: RepairPolicy) -> tuple[list[Chunk], list[Repair]]:
    """Return the chunks of a run of tags that are kept, and its repairs; see :func:`decode`."""
    kept: list[Chunk] = []
    repairs = _strays(tags, scheme, repair)
    for chunk, shape in _run_chunks(tags):
        misfits = _misfits(chunk, shape, scheme)
        if not misfits or repair == "conlleval":
            kept.append(chunk)
        for index, right in misfits:
            done = "" if repair == "strict" else f"; read as {right!r}"
            message = f"{tags[index]!r} stands where {scheme} has {right!r}{done}"
            repairs.append(Repair(index, message, repair == "strict"))
    repairs.sort()
    return kept, repairs


def _discarding(tags: Sequence[str], scheme: Scheme) -> tuple[list[Chunk], list[Repair]]:
    """Return the chunks of seqeval's strict mode, and the repairs; see :func:`decode`."""
    letters = rules_of(scheme).letters
    cells = [cell_of(tag) for tag in tags]
    repairs = [
        Repair(index, f"{tags[index]!r} is no tag of {scheme}, which begin with {', '.join(letters)}", is_error=True)
        for index, (letter, _) in enumerate(cells)
        if letter not in letters or not letter
    ]
    if repairs:
        return [], repairs
    kept = [Chunk(*chunk) for chunk in strict_chunks(cells, rules_of(scheme))]
    whole = {chunk[:2] for chunk in kept}
    inside = {index for chunk in kept for index in range(chunk.start, chunk.end)}
    for chunk, shape in _chunks(tags):
        if chunk[:2] not in whole:
            index, right = next(iter(_misfits(chunk, shape, scheme)), (chunk.end - 1, ""))
            fault = f"stands where {scheme} has {right!r}" if right else "ends no chunk before what follows"
            done = "dropped with" if inside.isdisjoint(range(chunk.start, chunk.end)) else "dropped from"
            size = many(chunk.end - chunk.start, "token")
            repairs.append(Repair(index, f"{tags[index]!r} {fault}; {done} its chunk of {size}"))
    return kept, repairs


def _misfits(chunk: Chunk, shape: Shape, scheme: Scheme) -> list[tuple[int, str]]:
    """Return the tokens of a chunk whose tags break the scheme, each with the tag that the scheme demands."""
    wanted = _prefixes(len(shape.prefixes), scheme, shape.after, shape.before)
    pairs = enumerate(zip(shape.prefixes, wanted, strict=True), chunk.start)
    return [(index, _tag(right, chunk.label)) for index, (prefix, right) in pairs if prefix != right]


def encode(chunks: Iterable[Chunk | tuple[int, int, str]], length: int, scheme: Scheme) -> list[str]:
    """Return the tags of a segment of ``length`` tokens; a chunk with the empty label gives bare tags such as ``B``.

    >>> encode([(0, 1, "loc"), (1, 3, "loc")], 4, "IOB1")
    ['I-loc', 'B-loc', 'I-loc', 'O']
    >>> encode([(0, 1, "loc"), (1, 3, "loc")], 4, "BIOES")
    ['S-loc', 'B-loc', 'E-loc', 'O']
    """
    tags = [OUTSIDE] * length
    ordered = sorted(Chunk(*chunk) for chunk in chunks)
    for index, chunk in enumerate(ordered):
        left = ordered[index - 1] if index else None
        right = ordered[index + 1] if index + 1 < len(ordered) else None
        if not (left.end if left else 0) <= chunk.start < chunk.end <= length:
            raise InputError(
                f"tokens {chunk.start} to {chunk.end} ({chunk.label!r}) overlap another chunk, are none, or"
                f" lie outside the {length} tokens of the segment; a tag column holds one chunk per token"
            )
        after = left is not None and left.end == chunk.start and left.label == chunk.label
        before = right is not None and chunk.end == right.start and right.label == chunk.label
        wanted = _prefixes(chunk.end - chunk.start, scheme, after, before)
        tags[chunk.start : chunk.end] = [_tag(prefix, chunk.label) for prefix in wanted]
    return tags


def shapes_and_strays(tags: Sequence[str]) -> list[Shape | None]:
    """Return the shape of each chunk, and None for each tag that has no meaning in any scheme.

    >>> shapes_and_strays(["B-loc", "O", "X"])
    [Shape(prefixes='B', after=False, before=False), None]
    """
    return [form for _, run in runs_in(tags, ()) for form in read_run(run)[1]]


def chunks_and_forms(
    tags: Sequence[str], segments: Iterable[int] = ()
) -> tuple[list[tuple[int, int, str]], list[Shape | None]]:
    """Return the chunks of segments as :func:`decode` does under ``conlleval``, and :func:`shapes_and_strays`.

    >>> chunks_and_forms(["B-loc", "O", "X"])
    ([(0, 1, 'loc')], [Shape(prefixes='B', after=False, before=False), None])
    """
    chunks: list[tuple[int, int, str]] = []
    forms: list[Shape | None] = []
    for first, run in runs_in(tags, segments):
        read, formed = read_run(run)
        chunks += [(first + start, first + end, label) for start, end, label in read]
        forms += formed
    return chunks, forms


@lru_cache(maxsize=MOST_PLACED)
def _placed_chunks(first: int, run: TagRun) -> list[tuple[int, int, str]]:
    return [(first + start, first + end, label) for start, end, label in read_run(run)[0]]


def is_inside(tag: str) -> bool:
    """Tell whether a tag is part of a chunk.

    >>> is_inside("B-loc"), is_inside("X"), is_inside("O")
    (True, False, False)
    """
    return _split(tag) is not None


def chunks_in(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return the chunks of one segment as :func:`decode` does under ``conlleval``, for any scheme.

    >>> chunks_in(["B-loc", "I-loc", "O", "I-per"])
    [(0, 2, 'loc'), (3, 4, 'per')]
    """
    return [chunk for first, run in runs_in(tags) for chunk in _placed_chunks(first, run)]


def guess_scheme(segments: Iterable[Sequence[str]]) -> Scheme:
    """Return the scheme that the fewest tags of a file break.

    Every chunk is compared with the tags each scheme demands; on a tie the first of :data:`SCHEMES` wins. So a file
    without chunks is IOB2, one with only ``I`` is IOB1.

    >>> guess_scheme([["B-loc", "I-loc", "O"], ["B-per", "B-per"]])
    'IOB2'
    >>> guess_scheme([["I-loc", "I-loc", "O"], ["I-per", "B-per"]])
    'IOB1'
    """
    return fitting_scheme(Counter(chain.from_iterable(map(shapes, segments))))


def shapes(tags: Sequence[str]) -> list[Shape]:
    """Return the shape of each chunk of a segment, from which :func:`fitting_scheme` determines the scheme.

    >>> shapes(["B-loc", "E-loc", "S-loc"])
    [Shape(prefixes='BE', after=False, before=True), Shape(prefixes='S', after=True, before=False)]
    """
    return [shape for _, run in runs_in(tags) for _, shape in _chunks_of(run)]


def fitting_scheme(counts: Mapping[Shape, int]) -> Scheme:
    """Return the scheme that the fewest tags break, from the number of chunks of each shape.

    >>> fitting_scheme({Shape("BE", after=False, before=True): 2})
    'BIOES'
    """
    return min(SCHEMES, key=lambda scheme: misfits(counts, scheme))


def misfits(counts: Mapping[Shape, int], scheme: Scheme) -> int:
    """Return how many tags break a scheme, from the number of chunks of each shape.

    >>> misfits({Shape("BE", after=False, before=True): 2}, "IOB2")
    2
    """
    broken = 0
    for shape, count in counts.items():
        wanted = _prefixes(len(shape.prefixes), scheme, shape.after, shape.before)
        if wanted != shape.prefixes:
            pairs = zip(shape.prefixes, wanted, strict=True)
            broken += count * sum(prefix != right for prefix, right in pairs)
    return broken


def broken_tags(counts: Mapping[Shape | None, int], scheme: SchemeOrAuto = "auto") -> tuple[Scheme, int]:
    """Return the scheme, guessed if ``auto``, and how many tags break it, given the number of chunks of each shape.

    >>> broken_tags({Shape("BE", after=False, before=True): 2, None: 1})
    ('BIOES', 1)
    """
    formed = {shape: times for shape, times in counts.items() if shape is not None}
    read_as = fitting_scheme(formed) if scheme == "auto" else scheme
    return read_as, misfits(formed, read_as) + counts.get(None, 0)


def repairs_of(counts: Iterable[tuple[ColumnForm, int]]) -> int:
    """Return how many tags break the schemes of their columns."""
    columns: dict[tuple[str, SchemeOrAuto], dict[Shape | None, int]] = {}
    for (column, scheme, shape), times in counts:
        forms = columns.setdefault((column, scheme), {})
        forms[shape] = forms.get(shape, 0) + times
    return sum(broken_tags(forms, scheme)[1] for (_, scheme), forms in columns.items())


def _chunks(tags: Sequence[str]) -> Iterator[tuple[Chunk, Shape]]:
    """Return the chunks by the rule in the docstring of this module, for any scheme."""
    for first, run in runs_in(tags):
        for (start, end, label), shape in _chunks_of(run):
            yield Chunk(first + start, first + end, label), shape


def runs_in(tags: Sequence[str], segments: Iterable[int] = ()) -> list[tuple[int, TagRun]]:
    """Return the runs of tags other than ``O``, each with the index of its first token; no chunk crosses their ends.

    A new run starts at each segment; ``segments`` has the index of the first token of each.

    >>> runs_in(["B-loc", "I-loc", "O", "I-per", "I-per"], segments=[0, 4])
    [(0, ('B-loc', 'I-loc')), (3, ('I-per',)), (4, ('I-per',))]
    """
    edges = set(segments)
    runs: list[tuple[int, TagRun]] = []
    first = past = 0
    for index in compress(range(len(tags)), map(OUTSIDE.__ne__, tags)):
        if index != past or index in edges:
            if past > first:
                runs.append((first, tuple(tags[first:past])))
            first = index
        past = index + 1
    if past > first:
        runs.append((first, tuple(tags[first:past])))
    return runs


def _run_chunks(tags: TagRun) -> list[tuple[Chunk, Shape]]:
    chunks: list[tuple[Chunk, Shape]] = []
    cells = [*map(_split, tags), None]
    start, after = 0, False
    for index, (cell, following) in enumerate(pairwise(cells)):
        if cell is None:
            start, after = index + 1, False
            continue
        prefix, label = cell
        before = following is not None and following[1] == label
        if before and following is not None and prefix not in _CLOSING and following[0] not in _OPENING:
            continue
        prefixes = "".join(cell[0] for cell in cells[start : index + 1] if cell)
        chunks.append((Chunk(start, index + 1, label), Shape(prefixes, after, before)))
        start, after = index + 1, before
    return chunks


def _read_run(tags: TagRun) -> tuple[list[Chunk], list[Shape | None]]:
    """Return the chunks of a run, and their shapes, with None for each stray tag."""
    chunks = _run_chunks(tags)
    strays = (None for tag in tags if _split(tag) is None)
    return [chunk for chunk, _ in chunks], [*(shape for _, shape in chunks), *strays]


def _remembering(read: Callable[..., R]) -> Callable[..., R]:
    """Return a caching version of a function of a run; short runs are cached."""
    known = lru_cache(maxsize=MOST_RUNS)(read)

    def reading(run: TagRun, *rules: str) -> R:
        return known(run, *rules) if len(run) <= LONGEST_KNOWN else read(run, *rules)

    return reading


_chunks_of = _remembering(_run_chunks)
read_run = _remembering(_read_run)
"""Returns the chunks of a run, and the shape of each, with ``None`` for each stray tag."""
_decoded = _remembering(_decode_run)


@lru_cache(maxsize=4096)
def _split(tag: str) -> tuple[str, str] | None:
    """Return the prefix and the label of a tag, or None for a tag outside every chunk."""
    if tag == OUTSIDE:
        return None
    prefix, _, label = tag.partition("-")
    if prefix in _KNOWN:
        return prefix, label
    return (_FOREIGN, label) if label else None


def _strays(tags: Sequence[str], scheme: Scheme, repair: RepairPolicy) -> list[Repair]:
    """Return a repair for each tag that has no meaning in any scheme."""
    done = "" if repair == "strict" else f"; read as {OUTSIDE!r}"
    return [
        Repair(index, f"{tag!r} is no tag of {scheme}{done}", repair == "strict")
        for index, tag in enumerate(tags)
        if _split(tag) is None
    ]


@lru_cache(maxsize=1024)
def _prefixes(size: int, scheme: Scheme, after: bool, before: bool) -> str:
    """Return the prefixes that the scheme demands of a chunk; for the two flags see :class:`Shape`."""
    first, last, single = {
        "IOB1": ("B", "I", "B") if after else ("I", "I", "I"),
        "IOB2": ("B", "I", "B"),
        "IOE1": ("I", "E", "E") if before else ("I", "I", "I"),
        "IOE2": ("I", "E", "E"),
        "BIOES": ("B", "E", "S"),
        "BILOU": ("B", "L", "U"),
    }[scheme]
    return single if size == 1 else first + "I" * (size - 2) + last


def _tag(prefix: str, label: str) -> str:
    return f"{prefix}-{label}" if label else prefix
