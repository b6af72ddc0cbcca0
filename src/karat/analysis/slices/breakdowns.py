"""Breakdowns: the features that scores can be broken down by, and how Python and the command line name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from karat.errors import UsageError

LABEL, UNIT = "label", "unit"
UNIT_FEATURES = {
    "document": "the gold document",
    "document-length": "words of the gold document, in four parts of as many units as the lengths allow",
}
"""Features of units, beside the metadata keys of their documents."""
ITEM_FEATURES = {
    "length": "words of the item",
    "frequency": "how often the surface form stands in the gold",
    "ambiguity": "how many labels or links the surface form has in the gold",
    "nesting": "whether the item is inside of another one of its side, around one, or neither",
    "seen": "whether the gold of another file has the surface form, and with the same label",
}
"""Features of items; a pair has the features of its gold item."""
SEEN = "seen"
_FEATURES = (LABEL, UNIT, *UNIT_FEATURES, *ITEM_FEATURES)
_METADATA = "metadata:"

By = str | Sequence[str] | None
"""The breakdowns of scores: None, a name, or several names."""


class Breakdown(NamedTuple):
    """One breakdown of scores: the name of a feature or metadata key, and the file that the feature needs.

    ``is_key`` says that the name is a metadata key, as it is for any name that is not a feature.
    """

    name: str
    file: str = ""
    is_key: bool = False

    @property
    def of_items(self) -> bool:
        """Whether the breakdown is by a feature of items, so that it needs the items and not only tallies."""
        return not self.is_key and self.name in ITEM_FEATURES

    @property
    def of_units(self) -> bool:
        """Whether the breakdown is by a feature of units, so that it needs only the run."""
        return self.is_key or self.name in UNIT_FEATURES


def breakdowns(by: By) -> tuple[Breakdown, ...]:
    """Return the requested breakdowns without duplicates; raise an error for an impossible one.

    >>> [breakdown.name for breakdown in breakdowns(["label", "seen=train.conll", "date"])]
    ['label', 'seen', 'date']
    """
    named = [by] if isinstance(by, str) else by or ()
    asked = tuple(dict.fromkeys(map(_breakdown, named)))
    names = [breakdown.name for breakdown in asked if not breakdown.is_key]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"scores can be broken down by {name} of one file only; run once for each file")
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
        raise UsageError(f"{name} takes no value; write --by {name} instead of {text!r}")
    return Breakdown(text, is_key=text not in _FEATURES)


def item_features(asked: Iterable[Breakdown]) -> list[Breakdown]:
    """Return the breakdowns by features of items."""
    return [breakdown for breakdown in asked if breakdown.of_items]


def unknown_key(key: str, unit: str, known: Iterable[str]) -> UsageError:
    """Return the error for a name that is neither a feature nor a metadata key of the gold."""
    import difflib

    keys = sorted(known)
    near = difflib.get_close_matches(key, [*_FEATURES, *keys], n=2)
    meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    listed = f"keys are {', '.join(keys)}" if keys else "it has none at all"
    return UsageError(
        f"{key!r} is not a feature ({', '.join(_FEATURES)}), and no {unit} of the gold has such a key ({listed})"
        + meant
    )
