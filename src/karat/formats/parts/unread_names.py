"""Detects JSON keys and XML elements that nobody reads, so that misspelt or missing names are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from karat.annotations.faults import shown
from karat.errors import many
from karat.formats.base import Problems

_LONGEST = 40
_SHORTEST = 4
"""Letters that a name has at least if one of them may be wrong."""


class NearNames:
    """Counts names that are similar to one that is read, where that one is missing.

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
        """Return the known name to which this one is similar, or ``""``."""
        if len(name) > _LONGEST:
            return ""
        return next((self._forms[form] for form in _forms(name) if form in self._forms), "")

    def look(self, names: Collection[str]) -> None:
        """Count the unread names of an object or element that are similar to a missing known one."""
        for name in names:
            if name not in self.known and (near := self.of(name)) and near not in names:
                self.counts[name, near] += 1

    def report(self, path: str, problems: Problems, noun: str, besides: Collection[str] = ()) -> None:
        """Report every name once, except those that were reported already."""
        for (name, near), times in sorted(self.counts.items()):
            if name not in besides:
                message = f"the {noun} {shown(name)} is not read, {many(times, 'time')}; did you mean {shown(near)}?"
                problems.drop(path, None, f"the {noun} {shown(name)}", message, times)


def _forms(name: str) -> Iterator[str]:
    """Yield a name in lower case, and without each of its letters: similar names share one of these forms."""
    small = name.lower()
    yield small
    if len(small) >= _SHORTEST:
        yield from (small[:place] + small[place + 1 :] for place in range(len(small)))


class Unread:
    """Counts keys that nobody reads.

    At the top level of a document, unknown keys with lists or objects count. Within objects, and for other values,
    unknown keys count that are similar to a missing ``inner`` key, except below ``free`` keys. ``layers`` are keys that
    a file has in every document or in none: where only some lack one, these are counted.
    """

    def __init__(self, inner: Iterable[str] = (), layers: Iterable[str] = (), free: Iterable[str] = ()) -> None:
        self._counts: Counter[str] = Counter()
        self._inner = frozenset(inner)
        self._near = NearNames(self._inner)
        self._near_top: NearNames | None = None
        self._layers, self._free = tuple(layers), frozenset(free)
        self._peers: dict[tuple[str, str], list[int]] = {}
        """For a kind of object and a key, how many have it and how many there are."""

    def look(self, values: dict[str, Any], known: frozenset[str]) -> None:
        """Count the unknown keys of a document, and similar ones in its objects."""
        self._near_top = self._near_top or NearNames(known)
        self._near_top.look(values.keys())
        for key in values.keys() - known:
            self._counts[key] += isinstance(values[key], list | dict) and bool(values[key])
        self.compare("document", [values], self._layers)
        if self._inner:
            self._look_inside([values[key] for key in values.keys() & known - self._free])

    def compare(self, kind: str, peers: Iterable[dict[str, Any]], keys: Iterable[str]) -> None:
        """Count for objects of a kind how many have each of the keys that all or none should have."""
        for peer in peers:
            for key in keys:
                counts = self._peers.setdefault((kind, key), [0, 0])
                counts[0] += peer.get(key) is not None
                counts[1] += 1

    def _look_inside(self, waiting: list[Any]) -> None:
        while waiting:
            part = waiting.pop()
            if isinstance(part, dict):
                self._near.look(part.keys())
                waiting += [value for key, value in part.items() if key not in self._free]
            elif isinstance(part, list):
                waiting += [item for item in part if isinstance(item, list | dict)]

    def report(self, path: str, problems: Problems) -> None:
        """Report every key once, and count documents that lack one."""
        unread = {key: times for key, times in sorted(self._counts.items()) if times}
        for key, times in unread.items():
            message = f"the key {shown(key)} is not read as annotations, in {many(times, 'document')}"
            problems.drop(path, None, f"the key {shown(key)}", f"{message}; it is kept as metadata", times)
        for near in (self._near_top, self._near):
            if near is not None:
                near.report(path, problems, "key", unread)
        for (kind, key), (times, peers) in self._peers.items():
            if 0 < times < peers:
                problems.counted[f"{kind} without the key {shown(key)}"] += peers - times
