"""What a side of an evaluation lacks: without a single item of the kind that is judged, a score says nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from karat.errors import many
from karat.protocols.base import Figure, Protocol, Side
from karat.runs.notices import HELD, WITHOUT, Noted, Notices, Unlike
from karat.tally import Counts, Tallies

_JUDGED = {
    "entities": "mentions",
    "linking": "links",
    "relations": "relations",
    "coreference": "chains",
    "slots": "mentions",
}
"""What the protocols of a task judge."""
SIDES: tuple[Side, Side] = ("gold", "system")
_HAS_NO = tuple(f"the {side} has no " for side in SIDES)
"""How a note begins that says what a side lacks."""
_DENOMINATORS: dict[Side, str] = {"gold": "recall", "system": "precision"}
"""The measure that divides by the items of a side."""


def lacks(protocol: Protocol, noticed: Sequence[Notices], tallies: Tallies | None = None) -> list[str]:
    """Return which side has nothing that the protocol judges, in words, given what was noticed when both were read.

    Where cells were read instead of mentions, or none of what is there counts, it is told from the tallies, if they
    are given.
    """
    if not any(side.documents for side in noticed):
        return ["nothing is scored: there are no documents"]
    return list(_lacks(protocol, noticed, tallies))


def unlike(protocol: Protocol, noticed: Sequence[Notices], noted: Iterable[Noted]) -> list[str]:
    """Return what one side has and the other one lacks, labels, parts of files, ids or texts, in words."""
    times = {entry.note: entry.times for entry in noted if isinstance(entry.note, Unlike)}
    return [*_unlabelled(protocol, noticed), *_parts(noticed), *_documents(noticed, times)]


def _lacks(protocol: Protocol, noticed: Sequence[Notices], tallies: Tallies | None) -> Iterator[str]:
    judged = _JUDGED.get(protocol.task, "")
    for side, notices in zip(SIDES, noticed, strict=True):
        is_known = bool(judged) and judged in notices.holds
        if is_known and not notices.holds[judged]:
            yield f"the {side} has no {judged}{_instead(notices)}"
        elif tallies is not None and _counts_nothing(protocol, tallies, side):
            yield f"the {side} has no {judged} that count" if is_known else f"nothing of the {side} is counted"


def _instead(notices: Notices) -> str:
    """Return what a side has, if anything, in words."""
    told = {kind: notices.holds.get(kind, 0) for kind in HELD if kind != "labels" and notices.holds.get(kind)}
    others = [many(count, kind.removesuffix("s")) for kind, count in told.items()]
    return f"; it has {' and '.join(others)}" if others else ""


def _documents(noticed: Sequence[Notices], times: Mapping[Unlike, int]) -> Iterator[str]:
    """Yield how many documents have another id or text, or no text although others of their side have one."""
    if other := times.get(Unlike("id")):
        yield f"{many(other, 'document')} with another id in the system than in the gold; they meet by their position"
    if other := times.get(Unlike("text")):
        yield f"{many(other, 'document')} with another text in the system than in the gold"
    for side, across, notices, _ in _both_ways(noticed):
        if 0 < (lacking := times.get(Unlike("text", side), 0)) < notices.documents:
            yield f"{many(lacking, 'document')} without a text in the {side}, but with one in the {across}"


def _both_ways(noticed: Sequence[Notices]) -> Iterator[tuple[Side, Side, Notices, Notices]]:
    """Yield each side and the other one, and what was noticed of both."""
    return zip(SIDES, SIDES[::-1], noticed, noticed[::-1], strict=True)


def _parts(noticed: Sequence[Notices]) -> Iterator[str]:
    """Yield which parts a side lacks that the other one has, where both are of a format that says so.

    A side without any mention lacks every layer, which is not said once more.
    """
    for side, across, notices, other in _both_ways(noticed):
        formats = {name for name, _ in notices.parts}
        absent = [part for name, part in other.parts if name in formats and (name, part) not in notices.parts]
        if notices.holds.get("mentions") == 0:
            absent = [part for part in absent if not part.startswith("layer ")]
        if absent:
            names = ", ".join("mentions without a layer" if part == "layer " else part for part in absent)
            yield f"the {side} has no {names}, which the {across} has"


def _unlabelled(protocol: Protocol, noticed: Sequence[Notices]) -> Iterator[str]:
    """Yield how many annotations of a side lack a label or a link, while each of the other side has one."""
    if protocol.task == "coreference" or not all("labels" in notices.holds for notices in noticed):
        return
    for lacking, (kind, what) in WITHOUT.items():
        if what == "link" and protocol.task != "linking":
            continue
        for side, notices, other in zip(SIDES, noticed, noticed[::-1], strict=True):
            bare, size = notices.holds[lacking], notices.holds[kind]
            if bare == size and size and other.holds[lacking] < other.holds[kind]:
                yield f"no {kind.removesuffix('s')} of the {side} has a {what}"
            elif bare * other.holds[kind] > other.holds[lacking] * size and (
                what != "link" or not other.holds[lacking]
            ):
                yield f"{bare} of {many(size, kind.removesuffix('s'))} of the {side} have no {what}"


def _counts_nothing(protocol: Protocol, tallies: Tallies, side: Side) -> bool:
    """Say whether nothing of a side is counted, under every regime and in every layer."""
    total = tallies.total(labels=False).values()
    kind = (_DENOMINATORS[side], "micro")
    figures = [figure for figure in protocol.figures if (figure.measure, figure.average) == kind]
    return bool(figures) and not any(_below(figure, protocol, side, counts) for figure in figures for counts in total)


def _below(figure: Figure, protocol: Protocol, side: Side, counts: Counts) -> float:
    """Return the items of a side behind a figure or, where they have no name, what stands below its line.

    Published programs may put something else there if it is 0.
    """
    name = (figure.behind or {}).get(side)
    return counts[protocol.counts.index(name)] if isinstance(name, str) else figure.formula(counts)[1] or 0


def with_lacks(told: Iterable[str], lacking: Iterable[str]) -> tuple[str, ...]:
    """Return notes, and what a side lacks where none of them says it in words of its own."""
    notes = tuple(told)
    said = tuple(words for words in _HAS_NO if any(words in note for note in notes))
    return notes + tuple(note for note in lacking if not note.startswith(said))


def said_to_lack(remarks: Iterable[str]) -> list[str]:
    """Return those remarks of a protocol that say what a side lacks."""
    return [note for note in remarks if note.startswith(_HAS_NO)]
