"""Where each outcome stands, document by document; looked for when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from karat.compat.nervaluate.counting import LACKS, TOO_MUCH, WORTH, case_of
from karat.compat.nervaluate.entities import EvaluationIndices, Index
from karat.compat.nervaluate.loaded import Spans
from karat.protocols.spans.scenarios import SCENARIOS, by_scenario

Lists = tuple[list[Index], ...]
"""Where each outcome stands, in the order of the outcomes."""


class OutcomePlaces:
    """Where each outcome stands under each scenario, for one selection of tags."""

    def __init__(self, version: str = "1.2.1") -> None:
        self.version = version
        self.lists: dict[str, Lists] = {name: ([], [], [], [], []) for name in SCENARIOS}

    def add(self, document: int, gold: Spans, system: Spans, minimum: float) -> None:
        """Look for the outcomes of a document."""
        for name, partners in by_scenario(gold, system, minimum, self.version).items():
            lists, worth = self.lists[name], WORTH[name]
            for place, span in enumerate(system):
                partner = partners.get(place)
                case = TOO_MUCH if partner is None else case_of(gold[partner], span)
                lists[worth[case]].append((document, place))
            taken = set(partners.values())
            lists[worth[LACKS]].extend((document, place) for place in range(len(gold)) if place not in taken)

    def indices(self) -> dict[str, EvaluationIndices]:
        """Return where each outcome stands under each scenario."""
        return {name: EvaluationIndices(*lists) for name, lists in self.lists.items()}


def overall(documents: Sequence[tuple[Spans, Spans]], minimum: float, version: str) -> dict[str, EvaluationIndices]:
    """Return where each outcome stands, over all tags."""
    places = OutcomePlaces(version)
    for index, (gold, system) in enumerate(documents):
        places.add(index, gold, system, minimum)
    return places.indices() if documents else {}


def of_tag(
    documents: Sequence[tuple[Spans, Spans]], minimum: float, version: str, tag: str
) -> dict[str, EvaluationIndices]:
    """Return where each outcome stands among the entities of a tag alone."""
    alone = [tuple([span for span in side if span[2] == tag] for side in pair) for pair in documents]
    return overall(alone, minimum, version)  # type: ignore[arg-type]


class Lazy(Mapping[str, EvaluationIndices]):
    """A dictionary by scenario that is made when it is looked at."""

    def __init__(self, names: Sequence[str], make: Callable[[], Mapping[str, EvaluationIndices]]) -> None:
        self.names, self.make = names, make
        self._made: Mapping[str, EvaluationIndices] | None = None

    def __getitem__(self, name: str) -> EvaluationIndices:
        if self._made is None:
            self._made = self.make()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return repr(dict(self))
