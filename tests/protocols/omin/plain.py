"""The later OMIn program about entities, plainly written from its description, to check all that is clever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from karat.protocols.omin.schemes import SHORTER, TYPE_SETS

Row = Sequence[str | None]
"""The id, the text, the entity and the label of a row."""
Span = tuple[str, int, int]

MISSING = (None, "", "NA")


class StopsError(Exception):
    """The program stops with an exception of Python."""


def counted(
    tokens: Mapping[str, Sequence[str]], gold: Sequence[Row], results: Sequence[Row], types: str, *, untyped: bool
) -> dict[str, Counter[str]]:
    """Return how often each outcome occurs under each scheme."""
    if any(row[2] in MISSING for row in results):
        raise StopsError
    schemes = {name: Counter[str]() for name in ("strict", "exact", "partial", "type")}
    for name in dict.fromkeys(row[0] for row in gold):
        words = {number: form.upper() for number, form in enumerate(tokens[str(name)])}
        sides: list[list[Span]] = []
        for rows, capitals in ((gold, False), (results, True)):
            join_possessive(words)
            own = [row for row in rows if row[0] == name and not any(cell in MISSING for cell in row)]
            phrases = [str(row[2]).upper() if capitals else str(row[2]) for row in own]
            if capitals:
                labels = [SHORTER.get(str(row[3]), str(row[3])) for row in own]
            else:
                labels = ["ORG" if untyped else str(row[3]) for row in own]
            sides.append([(label, *place) for label, place in zip(labels, located(phrases, words), strict=True)])
        golds, systems = in_order(sides[0]), sides[1]
        known = TYPE_SETS[types]
        judge([gold for gold in golds if gold[0] in known], [gold for gold in systems if gold[0] in known], schemes)
    return schemes


def join_possessive(words: dict[int, str]) -> None:
    """Join the first ``'S`` by its place among the tokens that are left, which may be no longer its number."""
    left = list(words.values())
    if "'S" in left:
        place = left.index("'S")
        if place not in words or place - 1 not in words:
            raise StopsError
        words[place - 1] += "'S"
        del words[place]


def located(phrases: Sequence[str], words: Mapping[int, str]) -> list[tuple[int, int]]:
    """Return where phrases stand: the next occurrence of a phrase that has several, the only one again and again."""
    forms, numbers = list(words.values()), list(words)
    waiting: dict[str, list[tuple[int, int]]] = {}
    places = []
    for phrase in phrases:
        spaced = phrase.replace("(", " ( ").replace(")", " ) ").replace("  ", " ")
        spaced = spaced.replace(",", " , ").replace("  ", " ")
        if spaced not in waiting:
            size = len(spaced.split())
            waiting[spaced] = [
                (numbers[start], numbers[start + size - 1] + 1)
                for start in range(len(forms))
                if forms[start : start + size] == spaced.split()
            ]
            only = len(waiting[spaced]) == 1
            if only:
                waiting[spaced] *= len(phrases)
        places.append(waiting[spaced].pop(0) if waiting[spaced] else (-1, -1))
    return places


def overlap(one: Span, two: Span) -> bool:
    return bool(set(range(one[1], one[2])) & set(range(two[1], two[2])))


def in_order(gold: Sequence[Span]) -> list[Span]:
    """Sort gold entities by how many shorter ones they overlap, in tokens; equal ones become one."""
    score = dict.fromkeys(gold, 0)
    for one in gold:
        for two in gold:
            longer = len(range(one[1], one[2])) > len(range(two[1], two[2]))
            score[one] += one != two and overlap(one, two) and longer
    return sorted(score, key=score.__getitem__)


def judge(gold: Sequence[Span], system: Sequence[Span], schemes: Mapping[str, Counter[str]]) -> None:
    """Count the outcomes of a document: the same entity first, else the first in the same place or across."""
    met = set()
    for entity in system:
        if entity in gold:
            outcomes = dict.fromkeys(schemes, "correct")
            met.add(entity)
        else:
            partner = next((one for one in gold if one[1:] == entity[1:] or overlap(one, entity)), None)
            if partner is None:
                outcomes = dict.fromkeys(schemes, "spurious")
            elif partner[1:] == entity[1:]:
                outcomes = {"strict": "incorrect", "exact": "correct", "partial": "correct", "type": "incorrect"}
            else:
                alike = "correct" if partner[0] == entity[0] else "incorrect"
                outcomes = {"strict": "incorrect", "exact": "incorrect", "partial": "partial", "type": alike}
            met.add(partner)
        for scheme, outcome in outcomes.items():
            schemes[scheme][outcome] += 1
    for counts in schemes.values():
        counts["missed"] += sum(one not in met for one in gold)


def precision_and_recall(counts: Counter[str]) -> tuple[float, float]:
    """Return both as the program divides them."""
    credit = counts["correct"] + 0.5 * counts["partial"]
    given = counts["correct"] + counts["incorrect"] + counts["partial"]
    actual, possible = given + counts["spurious"], given + counts["missed"]
    return credit / actual if actual else 0.0, credit / possible if possible else 0.0
