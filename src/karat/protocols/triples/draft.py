"""From two documents to a page: the triples of both sides, and notes on them from which remarks are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

import msgspec

from karat.errors import many
from karat.evaluation.protocol import Facts, Lack, Sheet
from karat.matching.fragments import Spans
from karat.model import Document
from karat.protocols.triples.embedding import Directions
from karat.protocols.triples.graph import Graph, graph_of
from karat.protocols.triples.judge import Page, is_large, judged, written
from karat.protocols.triples.options import TripleOptions
from karat.protocols.triples.places import Meanings, comparable, is_crowded, meanings
from karat.protocols.triples.reasons import shown
from karat.protocols.triples.triples import Triple, Wording, invented, triples_of

_SIDES = "gold", "system"
_NAMED = 3
"""How many names a remark gives."""


class TripleNote(NamedTuple):
    """The note that a side has a triple: the normal name of its relation, a spelling, and whether the table has it."""

    side: str
    name: str
    spelling: str
    is_known: bool


class SideNote(NamedTuple):
    """A note on something else about a side, or about a document (``side`` is empty), in words where it has any."""

    what: str
    side: str = ""
    words: str = ""


def directions(facts: Facts, options: TripleOptions) -> Directions | None:
    """Return the embedding model if the semantic regime is asked for, or None."""
    del facts
    return Directions(options.semantic) if options.semantic else None


def draft(gold: Document, system: Document, known: Directions | None, options: TripleOptions) -> Iterator[Sheet]:
    """Yield the page of a document with the triples of both sides.

    A document with so many of them that a regime may have to leave candidates out is judged at once: a note says so.
    """
    notes: list[Hashable] = []
    can_compare = comparable(gold, system)
    if gold.text and system.text and not can_compare:
        notes.append(SideNote("different"))
    meant = meanings(gold, system) if can_compare else Meanings({}, {})
    golds = triples_of(gold, options.mapping, meant.gold)
    systems = triples_of(system, options.mapping, meant.system)
    for side, extracted in zip(_SIDES, (golds, systems), strict=True):
        notes += [SideNote("other", side)] * extracted.others
    if not golds.triples and options.documents == "annotated":
        nothing = graph_of((), options.mapping)
        yield Sheet(gold.id, (_page((), (), (nothing, nothing)),), [*notes, SideNote("without")])
        return
    triples = golds.triples, systems.triples
    graphs = graph_of(golds.triples, options.mapping), graph_of(systems.triples, options.mapping)
    page = _page(
        *triples,
        graphs,
        invented=invented(*triples, gold.text or system.text),
        looks_up=bool(options.mapping),
        vectors=known
        and known.of(dict.fromkeys(phrase for side in triples for triple in side for phrase in triple.key)),
        sources=(gold.source, system.source),
    )
    if meant.is_crowded or is_crowded(*map(_places, triples)):
        notes.append(SideNote("crowded"))
    if is_large(page):
        judgement = judged(page)
        page = msgspec.structs.replace(page, judgement=judgement)
        notes += [] if judgement.is_best else [SideNote("oversized")]
    yield Sheet(gold.id, (page,), [*notes, *_notes(page, triples)])


def _places(triples: Sequence[Triple]) -> list[Spans]:
    return [end.spans for triple in triples for end in (triple.head, triple.tail)]


def _page(gold: Sequence[Triple], system: Sequence[Triple], graphs: tuple[Graph, Graph], **more: Any) -> Page:
    """Return the page of some triples, with further spellings of them behind."""
    wordings = [{wording for triple in side for wording in triple.wordings} for side in (gold, system)]
    shared = frozenset(wordings[0] & wordings[1])
    golds, gold_spellings = _with_spellings(gold, shared)
    systems, system_spellings = _with_spellings(system, shared)
    sizes = len(gold), len(system)
    return Page(golds, systems, sizes, (gold_spellings, system_spellings), shared, graphs, **more)


def _with_spellings(
    triples: Sequence[Triple], shared: frozenset[Wording]
) -> tuple[Sequence[Triple], dict[int, list[int]]]:
    """Return triples and behind them further spellings as triples, and where those of each triple stand.

    A triple itself is shown by a spelling that both sides have, if there is one.
    """
    lines = list(triples)
    spellings: dict[int, list[int]] = {}
    for index, triple in enumerate(triples):
        if len(triple.wordings) > 1:
            shown_by = written(triple, shared)
            respelt = [triple._replace(wordings=(wording,)) for wording in triple.wordings if wording != shown_by]
            spellings[index] = list(range(len(lines), len(lines) + len(respelt)))
            lines += respelt
    return lines, spellings


def _notes(page: Page, triples: tuple[Sequence[Triple], Sequence[Triple]]) -> Iterator[Hashable]:
    for side, several, graph in zip(_SIDES, triples, page.graphs, strict=True):
        yield from [TripleNote(side, triple.name, triple.wordings[0][1], bool(triple.canonical)) for triple in several]
        yield from [SideNote("repeated", side)] * (sum(len(triple.ids) for triple in several) - len(several))
        yield from [SideNote("duplicate", side)] * graph.duplicates
        yield from [SideNote("inverse", side)] * graph.inverses
        yield from [SideNote("synonym", side)] * graph.synonyms
        yield from (
            SideNote("contradiction", side, f"{shown(several[index])}: {why}") for index, why in graph.left_out.items()
        )
    system = triples[1]
    if page.invented is not None:
        heads, tails = page.invented
        yield from (SideNote("head", words=triple.head.text) for triple in compress(system, heads))
        yield from (SideNote("tail", words=triple.tail.text) for triple in compress(system, tails))
    elif system:
        yield SideNote("unread")


def remarks(notes: Counter[Hashable], known: Any, options: TripleOptions) -> Iterator[str]:
    """Yield remarks on anything that makes the scores unreliable."""
    del known
    if without := notes[SideNote("without")]:
        documents = many(without, "gold document")
        yield f"left out what the system has in {documents} without a triple; it counts with --documents all"
    if different := notes[SideNote("different")]:
        yield f"the texts of {many(different, 'document')} differ, so only words are compared there"
    for side in _SIDES:
        if others := notes[SideNote("other", side)]:
            yield f"left out {many(others, f'{side} relation')} that do not join two mentions"
    said: dict[str, Counter[TripleNote]] = {side: Counter() for side in _SIDES}
    for note, times in notes.items():
        if isinstance(note, TripleNote):
            said[note.side][note] = times
    for side, triples in said.items():
        if not triples:
            yield Lack(side, "triples")
        if repeated := notes[SideNote("repeated", side)]:
            total = triples.total() + repeated
            yield f"{repeated} of {total} {side} triples say the same as another one in normal spelling"
    yield from _hallucinations(notes, said["system"].total())
    yield from _predicates(said, options)
    yield from _cleaning(notes)
    yield from _bounds(notes)


def _hallucinations(notes: Counter[Hashable], total: int) -> Iterator[str]:
    for word in ("head", "tail"):
        texts = _words(notes, word)
        if texts:
            hallucinated = f"{many(texts.total(), word)} of {total} system triples"
            yield f"hallucinated, not in the text: {hallucinated}: {_some(texts)}"
    if unread := notes[SideNote("unread")]:
        yield f"no text is known of {many(unread, 'document')}, so hallucinations are not counted there"


def _predicates(said: Mapping[str, Counter[TripleNote]], options: TripleOptions) -> Iterator[str]:
    """Yield which predicates the table lacks or, without one, the gold."""
    if options.mapping:
        for side, triples in said.items():
            lacking = _spellings((note, times) for note, times in triples.items() if not note.is_known)
            if lacking:
                share = f"{lacking.total()} of {triples.total()}"
                yield f"the table lacks the predicates of {share} {side} triples: {_some(lacking)}"
    elif all(said.values()):
        names = {note.name for note in said["gold"]}
        foreign = _spellings((note, times) for note, times in said["system"].items() if note.name not in names)
        if foreign:
            share = f"{foreign.total()} of {said['system'].total()}"
            never = f"the gold never uses the predicates of {share} system triples: {_some(foreign)}"
            yield f"{never}; a table can say what they mean, see --mapping"


def _spellings(triples: Iterable[tuple[TripleNote, int]]) -> Counter[str]:
    spellings: Counter[str] = Counter()
    for note, times in triples:
        spellings[note.spelling] += times
    return spellings


def _cleaning(notes: Counter[Hashable]) -> Iterator[str]:
    """Yield remarks on triples that the graphs merge or leave out."""
    for side in _SIDES:
        counts = {word: notes[SideNote(word, side)] for word in ("duplicate", "inverse", "synonym")}
        merged = [many(times, word) for word, times in counts.items() if times]
        if merged:
            yield f"made one with another fact of the {side} graph: {', '.join(merged)}"
        contradicted = _words(notes, "contradiction", side)
        if contradicted:
            facts = many(contradicted.total(), "fact")
            yield f"left out of the {side} graph as contradictions: {facts}, as {next(iter(contradicted))}"


def _bounds(notes: Counter[Hashable]) -> Iterator[str]:
    """Yield remarks on documents that are too large for a regime."""
    if oversized := notes[SideNote("oversized")]:
        are = f"{many(oversized, 'document')} {'is' if oversized == 1 else 'are'}"
        yield f"{are} too large for the exact optimum, so pairs may be fewer or worth less than possible there"
    if crowded := notes[SideNote("crowded")]:
        have = f"{many(crowded, 'document')} {'has' if crowded == 1 else 'have'}"
        yield f"{have} too many mentions to see which overlap, so only words and equal places count there"


def _words(notes: Counter[Hashable], what: str, side: str = "") -> Counter[str]:
    return Counter(
        {note.words: times for note, times in notes.items() if isinstance(note, SideNote) and note[:2] == (what, side)}
    )


def _some(names: Counter[str]) -> str:
    """Return the most frequent names."""
    ordered = sorted(names, key=lambda name: (-names[name], name))
    return ", ".join(ordered[:_NAMED]) + (", …" if len(ordered) > _NAMED else "")
