"""What the ledger of the linking protocols adds up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from karat.ledger import Entry, Item
from karat.protocols.linking.counting import EMERGING, GOLD_IN_KB, IN_KB
from karat.tally import Group, Tally
from karat.vocabularies.identifiers import NIL

Inside = Callable[[Item, bool, bool], bool]


def _type(item: Item) -> str:
    return item.label if item.alternatives else ""


def _is_nil(item: Item) -> bool:
    return (item.alternatives or (item.label,))[-1].startswith(NIL)


def _slices(entries: Sequence[Entry], names: Iterable[str]) -> dict[str, Inside]:
    """Return for each slice whether an item belongs to it; in this data a place is a span."""
    places = {(one.layer, one.gold.span) for one in entries if one.gold is not None and not _is_nil(one.gold)}
    known: dict[str, Inside] = {
        "": lambda item, gold, correct: True,
        IN_KB: lambda item, gold, correct: not _is_nil(item),
        EMERGING: lambda item, gold, correct: _is_nil(item),
    }
    found = {name: known[name] for name in names if name in known}
    if GOLD_IN_KB in names:
        for layer in {one.layer for one in entries}:
            found[f"{GOLD_IN_KB}\0{layer}"] = lambda item, gold, correct, layer=layer: (  # type: ignore[misc]
                (layer, item.span) in places and not (_is_nil(item) and (gold or correct))
            )
    return found


def summed(slices: Sequence[str]) -> Callable[[Iterable[Entry], Sequence[str]], Tally]:
    """Return what counts the verdicts of a ledger, for all labels and for each, in these slices."""

    def counted(entries: Iterable[Entry], counts: Sequence[str]) -> Tally:
        listed = list(entries)
        tally: dict[Group, list[int]] = {}

        def count(group: Group, name: str) -> None:
            tally.setdefault(group, [0] * len(counts))[counts.index(name)] += 1

        for key, inside in _slices(listed, slices).items():
            part, _, layer = key.partition("\0")
            for entry in listed:
                if layer and entry.layer != layer:
                    continue
                for regime, outcome in entry.verdicts.items():
                    items = {"gold": entry.gold, "system": entry.system}
                    correct = outcome == "correct"
                    counting = {
                        side: item
                        for side, item in items.items()
                        if item is not None and inside(item, side == "gold", correct)
                    }
                    for side, item in counting.items():
                        for label in (None, _type(item)):
                            count(Group(entry.layer, part, label), f"{regime}-{side}")
                    if correct and len(counting) == 2:
                        types = {_type(item) for item in counting.values()}
                        for label in [None, *(types if len(types) == 1 else ())]:
                            count(Group(entry.layer, part, label), f"{regime}-correct")
        return {group: tuple(numbers) for group, numbers in tally.items()}

    return counted


LINKING_SUMMARIES = {
    "tac-edl": summed(("",)),
    "gerbil-a2kb": summed(("", IN_KB, EMERGING)),
    "gerbil-d2kb": summed(("", IN_KB, EMERGING, GOLD_IN_KB)),
}
