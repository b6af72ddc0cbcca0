"""Spans as lists of token ids, such as ``13-14-15``, and which of them are a run of another."""

from __future__ import annotations

from collections.abc import Iterable


def is_run(part: str, whole: str) -> bool:
    """Say whether the ids of one span stand in another, in the same order and without a gap.

    >>> is_run("16-17", "13-14-15-16-17"), is_run("1-3", "1-2-3"), is_run("1", "11-12")
    (True, False, False)
    """
    return f"-{part}-" in f"-{whole}-"


class RunIndex:
    """Spans by their ids, so that those that could match another are found without looking at all."""

    def __init__(self, spans: Iterable[str]) -> None:
        self._order: dict[str, int] = {}
        self._holding: dict[str, list[str]] = {}
        self._beginning: dict[str, list[str]] = {}
        for span in dict.fromkeys(spans):
            self._order[span] = len(self._order)
            ids = span.split("-")
            self._beginning.setdefault(ids[0], []).append(span)
            for one in set(ids):
                self._holding.setdefault(one, []).append(span)

    def matching(self, span: str) -> list[str]:
        """Return the spans that are a run of this one or of which this one is a run, in the order they were given.

        >>> RunIndex(["1", "5-6-7", "2-3", "6"]).matching("6-7")
        ['5-6-7', '6']
        """
        ids = span.split("-")
        if len(ids) == 1:
            return self._holding.get(span, [])
        found = {one for one in self._holding.get(ids[0], ()) if is_run(span, one)}
        for start in set(ids):
            if start in self._beginning:
                found.update([one for one in self._beginning[start] if is_run(one, span)])
        return sorted(found, key=self._order.__getitem__) if len(found) > 1 else list(found)
