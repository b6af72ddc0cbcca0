"""Which gold spans of a document a system span meets where some are patterns; plain ones are runs of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property

from karat.errors import InputError
from karat.protocols.newsreader.drop_in.pattern_search import Texts
from karat.protocols.newsreader.drop_in.patterns import Pattern
from karat.protocols.newsreader.drop_in.runs import SPECIAL, RunIndex
from karat.protocols.newsreader.drop_in.steps import StepsLeft


class GoldSpans:
    """The gold spans of a document with the line of each, in the order of the file.

    ``systems`` are the spans of the system, line by line; ``steps`` is what patterns may take.

    >>> list(GoldSpans({"1-2": 0, "2.3": 1, "9": 2}, ["2-3", "1.2"], StepsLeft()).met())
    [[1], [0]]
    """

    def __init__(self, lines: Mapping[str, int], systems: Sequence[str], steps: StepsLeft) -> None:
        self._lines, self._systems, self._steps = lines, systems, steps
        self._runs = RunIndex(lines, steps)
        self._patterns = list(filter(SPECIAL.search, lines))
        self._refused: dict[int, InputError] = {}

    def met(self) -> Iterator[list[int]]:
        """Yield for each system span the lines whose span it is found in, or is found in it, in their order."""
        return map(cache(self._matching), self._systems)

    def _matching(self, span: str) -> list[int]:
        if not SPECIAL.search(span):
            lines = set(self._runs.matching(span))
        elif self._lines:
            holding = self._texts.holding(Pattern(span, self._steps))
            lines = {self._in_order[place] for place in holding}
            lines.update(line for line in self._runs.parts_of(span) if line not in self._pattern_lines)
        else:
            lines = set()
        if self._patterns:
            lines.update(self._found.get(span, ()))
            for line, refusal in self._refused.items():
                if line not in lines:
                    raise refusal
        return sorted(lines, key=self._places.__getitem__)

    @cached_property
    def _pattern_lines(self) -> set[int]:
        return {self._lines[span] for span in self._patterns}

    @cached_property
    def _in_order(self) -> list[int]:
        return list(self._lines.values())

    @cached_property
    def _places(self) -> dict[int, int]:
        return {line: place for place, line in enumerate(self._in_order)}

    @cached_property
    def _texts(self) -> Texts:
        return Texts(list(self._lines))

    @cached_property
    def _found(self) -> dict[str, list[int]]:
        """The system spans in which gold patterns are found; those that are none are refused where they are needed."""
        systems = list(dict.fromkeys(self._systems))
        texts = Texts(systems)
        lines: dict[str, list[int]] = {}
        for gold in self._patterns:
            try:
                pattern = Pattern(gold, self._steps)
            except InputError as refusal:
                self._refused[self._lines[gold]] = refusal
                continue
            for place in texts.holding(pattern):
                lines.setdefault(systems[place], []).append(self._lines[gold])
        return lines
