"""What scorer.py of TACRED counts and prints: a row for each relation of the gold, and the micro average."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from karat.formats.base import Problems
from karat.formats.labels import NO_RELATION, bare, labels_in
from karat.measures.published import whole_zero_f1, whole_zero_ratio
from karat.protocols.base import Protocol
from karat.protocols.relations.paired import tallies_of
from karat.tally import Group, Tally, add

_SCORES = ("Precision", "Recall", "F1")


def labels_of(path: str, protocol: Protocol, settings: Any) -> list[str]:
    """Return the labels of a file, as the protocol wants them read."""
    return list(labels_in(path, Problems(), protocol.demands(settings).of("gold", "labels")["rules"]))


def total_of(pairs: Iterable[tuple[str, str]], protocol: Protocol, settings: Any) -> Tally:
    """Return the counts of labels of the gold and of the system.

    Two labels that differ count each for itself, so they are judged as one that is missed and one that is spurious.
    """
    times: Counter[tuple[str, str]] = Counter()
    for (gold, system), number in Counter(pairs).items():
        for pair in [(gold, system)] if gold == system else [(gold, NO_RELATION), (NO_RELATION, system)]:
            times[pair] += number
    pairs_of_documents = ((bare(number, gold), bare(number, system)) for number, (gold, system) in enumerate(times))
    judged = tallies_of(pairs_of_documents, protocol, settings)
    return add(
        {group: tuple(count * number for count in counts) for group, counts in tally.items()}
        for tally, number in zip(judged, times.values(), strict=True)
    )


def printed(total: Tally, counts: Sequence[str]) -> str:
    """Return the text for the counts of a whole evaluation."""
    places = [counts.index(name) for name in ("correct", "system", "gold")]
    rows = {group.label: tuple(row[place] for place in places) for group, row in total.items()}
    relations = sorted(label for label, (_, _, gold) in rows.items() if label is not None and gold)
    width = max(map(len, relations), default=0)
    lines = ["Per-relation statistics:"]
    for label in relations:
        shares = zip(("P", "R", "F1"), _prf(*rows[label]), strict=True)
        cells = "".join(f"  {name}: {_percent(share)}" for name, share in shares)
        lines.append(f"{label:<{width}}{cells}  #: {int(rows[label][2])}")
    lines += ["", "Final Score:"]
    final = _prf(*rows.get(Group().label, (0, 0, 0)))
    lines += [f"{name:>9} (micro): {100 * share:.3f}%" for name, share in zip(_SCORES, final, strict=True)]
    return "\n".join(lines) + "\n"


def _prf(correct: float, system: float, gold: float) -> tuple[float, float, float]:
    """Divide as the program does: precision is 1 where nothing was guessed."""
    precision, recall = (correct / system if system else 1.0), whole_zero_ratio(correct, gold)
    return precision, recall, whole_zero_f1(precision, recall)


def _percent(share: float) -> str:
    """Return a percentage with a blank for each digit that its exact value lacks."""
    return f"{' ' * ((share < 0.1) + (share < 1.0))}{100 * share:.2f}%"
