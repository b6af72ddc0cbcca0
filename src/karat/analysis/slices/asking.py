"""What scores can be broken down by, and how that is asked for: the same words in Python and on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from karat.errors import UsageError

LABEL, UNIT = "label", "unit"
UNIT_FEATURES = {
    "document": "the gold document",
    "document-length": "words of the gold document, in four parts of as many units as the lengths allow",
}
"""What is known of a unit beside the metadata of its document."""
ITEM_FEATURES = {
    "length": "words of the item",
    "frequency": "how often the surface form stands in the gold",
    "ambiguity": "how many labels or links the surface form has in the gold",
    "nesting": "whether the item is inside of another one of its side, around one, or neither",
    "seen": "whether the gold of another file has the surface form, and with the same label",
}
"""What is asked of an item; of a pair the gold item is asked, of a system item without a partner that one."""
SEEN = "seen"
_FEATURES = (LABEL, UNIT, *UNIT_FEATURES, *ITEM_FEATURES)
_METADATA = "metadata:"

By = str | Sequence[str] | None
"""What scores are broken down by: nothing, a name, or several."""


class Breakdown(NamedTuple):
    """One way to break scores down: its name, and the file that it is about if it needs one.

    A ``key`` is one of the metadata; it is one if nothing else has the name, or if that is said.
    """

    name: str
    file: str = ""
    is_key: bool = False

    @property
    def of_items(self) -> bool:
        """Whether items are told apart, so that tallies alone do not suffice."""
        return not self.is_key and self.name in ITEM_FEATURES

    @property
    def of_units(self) -> bool:
        """Whether units are told apart, so that the run is all that is needed."""
        return self.is_key or self.name in UNIT_FEATURES


def breakdowns(by: By) -> tuple[Breakdown, ...]:
    """Return what is asked for, each once; what cannot be meant is an error.

    >>> [breakdown.name for breakdown in breakdowns(["label", "seen=train.conll", "date"])]
    ['label', 'seen', 'date']
    """
    named = [by] if isinstance(by, str) else by or ()
    asked = tuple(dict.fromkeys(map(_breakdown, named)))
    names = [breakdown.name for breakdown in asked if not breakdown.is_key]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"scores are broken down by {name} of one file at a time; ask for each by itself")
    return asked


def _breakdown(text: str) -> Breakdown:
    if not isinstance(text, str) or not text:
        expected = f"{', '.join(_FEATURES)}, or a key of the metadata"
        raise UsageError(f"scores cannot be broken down by {text!r}; expected {expected}")
    if text.startswith(_METADATA):
        return Breakdown(text.removeprefix(_METADATA), is_key=True)
    name, has_file, file = text.partition("=")
    if name == SEEN:
        if has_file and not file:
            raise UsageError("seen= needs a file: the gold of the training data, as in seen=train.conll")
        return Breakdown(SEEN, file)
    if has_file and name in _FEATURES:
        raise UsageError(f"{name} takes no value, but {text!r} was asked for; slices are chosen from what is shown")
    return Breakdown(text, is_key=text not in _FEATURES)


def item_features(asked: Iterable[Breakdown]) -> list[Breakdown]:
    """Return the breakdowns for which items must be looked at."""
    return [breakdown for breakdown in asked if breakdown.of_items]


def unknown_key(key: str, unit: str, known: Iterable[str]) -> UsageError:
    """Return the error for a name that is neither a feature nor a key that the gold has."""
    import difflib

    keys = sorted(known)
    near = difflib.get_close_matches(key, [*_FEATURES, *keys], n=2)
    meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    listed = f"keys are {', '.join(keys)}" if keys else "it has none at all"
    return UsageError(
        f"{key!r} is no feature ({', '.join(_FEATURES)}), and no {unit} of the gold has it in its metadata ({listed})"
        + meant
    )
