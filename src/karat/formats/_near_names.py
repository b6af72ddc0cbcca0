"""Names that are nearly one that is read, as a misspelt key is: one letter more, less or other, or other capitals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from karat.annotations.faults import shown
from karat.errors import many
from karat.formats.base import Problems

_LONGEST = 40
_SHORTEST = 4
"""Letters that a name has at least if one of them may be wrong."""


class NearNames:
    """Counts names that stand where one that is read is missing.

    >>> near = NearNames(("label", "start", "id"))
    >>> near.of("lable"), near.of("labels"), near.of("ID"), near.of("ids"), near.of("score")
    ('label', 'label', 'id', '', '')
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self.counts: Counter[tuple[str, str]] = Counter()
        """How often a name stands there, with the one that it is near to."""
        self._forms = {form: name for name in sorted(self.known) for form in _forms(name)}

    def of(self, name: str) -> str:
        """Return the name that is read which this one is nearly, if there is one."""
        if len(name) > _LONGEST:
            return ""
        return next((self._forms[form] for form in _forms(name) if form in self._forms), "")

    def look(self, names: Collection[str]) -> None:
        """Count those of an object or element that are not read, but nearly one that is, which is not there."""
        for name in names:
            if name not in self.known and (near := self.of(name)) and near not in names:
                self.counts[name, near] += 1

    def report(self, path: str, problems: Problems, noun: str, besides: Collection[str] = ()) -> None:
        """Report every name once, but those that were reported already."""
        for (name, near), times in sorted(self.counts.items()):
            if name not in besides:
                message = f"the {noun} {shown(name)} is not read, {many(times, 'time')}; did you mean {shown(near)}?"
                problems.drop(path, None, f"the {noun} {shown(name)}", message, times)


def _forms(name: str) -> Iterator[str]:
    """Yield a name in small letters, and without each of its letters: near names have one of these in common."""
    small = name.lower()
    yield small
    if len(small) >= _SHORTEST:
        yield from (small[:place] + small[place + 1 :] for place in range(len(small)))
