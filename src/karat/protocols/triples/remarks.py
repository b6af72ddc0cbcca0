"""What a user should know before believing the numbers: hallucinations, unknown predicates, and the cleaned graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from karat.errors import many
from karat.protocols.triples.judge import GOLD, SYSTEM, Judgement, Sheet
from karat.protocols.triples.reasons import shown
from karat.protocols.triples.triples import Triple

_NAMED = 3


def remarks(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield what is to be said about the triples of both sides, in words."""
    sides = [[triple for sheet in sheets for triple in (sheet.gold, sheet.system)[side]] for side in (GOLD, SYSTEM)]
    for name, triples in zip(("gold", "system"), sides, strict=True):
        if not triples:
            yield f"the {name} has no triples"
        repeated = sum(len(triple.ids) - 1 for triple in triples)
        if repeated:
            number = len(triples) + repeated
            yield f"{repeated} of {number} {name} triples say the same as another one in normal spelling"
    yield from _hallucinations(sheets, len(sides[SYSTEM]))
    if any(sheet.looks_up for sheet in sheets):
        yield from _unknown(sides)
    elif all(sides):
        yield from _foreign(*sides)
    yield from _cleaning(sheets)
    yield from _bounds(sheets)


def _hallucinations(sheets: Sequence[Sheet], number: int) -> Iterator[str]:
    """Yield how many heads and tails of the system are not in the text."""
    found: tuple[list[str], list[str]] = ([], [])
    unread = sum(sheet.invented is None and bool(sheet.system) for sheet in sheets)
    for sheet in sheets:
        if (marks := sheet.invented) is not None:
            for at, triple in enumerate(sheet.system):
                for side, end in enumerate((triple.head, triple.tail)):
                    if marks[side][at]:
                        found[side].append(end.text)
    for word, texts in zip(("head", "tail"), found, strict=True):
        if texts:
            hallucinated = f"{many(len(texts), word)} of {number} system triples"
            yield f"hallucinated, not in the text: {hallucinated}: {_some(texts)}"
    if unread:
        yield f"no text is known of {many(unread, 'document')}, so hallucinations are not counted there"


def _unknown(sides: Sequence[Sequence[Triple]]) -> Iterator[str]:
    """Yield which predicates the table lacks."""
    for name, triples in zip(("gold", "system"), sides, strict=True):
        lacking = [triple.wordings[0][1] for triple in triples if not triple.canonical]
        if lacking:
            yield f"the table lacks the predicates of {len(lacking)} of {len(triples)} {name} triples: {_some(lacking)}"


def _foreign(gold: Sequence[Triple], system: Sequence[Triple]) -> Iterator[str]:
    names = {triple.name for triple in gold}
    foreign = [triple.wordings[0][1] for triple in system if triple.name not in names]
    if foreign:
        found = (
            f"the gold never uses the predicates of {len(foreign)} of {len(system)} system triples: {_some(foreign)}"
        )
        yield f"{found}; a table can say what they mean, see --mapping"


def _cleaning(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield what was made one in the graphs, and what was left out of them."""
    for name, side in (("gold", GOLD), ("system", SYSTEM)):
        counts = Counter[str]()
        contradicted: list[str] = []
        for sheet in sheets:
            triples, graph = (sheet.gold, sheet.system)[side], sheet.graphs[side]
            counts.update(duplicates=graph.duplicates, inverses=graph.inverses, synonyms=graph.synonyms)
            contradicted += [f"{shown(triples[at])}: {why}" for at, why in graph.left_out.items()]
        merged = [many(counts[word], word[:-1]) for word in ("duplicates", "inverses", "synonyms") if counts[word]]
        if merged:
            yield f"made one with another fact of the {name} graph: {', '.join(merged)}"
        if contradicted:
            found = many(len(contradicted), "fact")
            yield f"left out of the {name} graph as contradictions: {found}, as {contradicted[0]}"


def _bounds(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield how many documents are too large for something."""
    oversized = sum(Judgement(sheet).is_oversized() for sheet in sheets)
    if oversized:
        found = f"{many(oversized, 'document')} {'is' if oversized == 1 else 'are'} too large for the exact optimum"
        yield f"{found}, so pairs may be fewer or worth less than possible there"
    crowded = sum(sheet.crowded for sheet in sheets)
    if crowded:
        found = (
            f"{many(crowded, 'document')} {'has' if crowded == 1 else 'have'} too many mentions to see which overlap"
        )
        yield f"{found}, so only words and equal places count there"


def _some(names: Iterable[str]) -> str:
    """Return the most frequent names."""
    counts = Counter(names)
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    return ", ".join(ordered[:_NAMED]) + (", …" if len(ordered) > _NAMED else "")
