"""The sources behind scores: how to read them again, so that a notebook can show their texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.errors import InputError, UsageError
from karat.evaluation.ledger import Entry
from karat.io import STDIN
from karat.signature import parts_of

if TYPE_CHECKING:
    from karat.display.drawing.pages import Showing
    from karat.evaluation.corpora import Reading, Source
    from karat.evaluation.protocol import Bound
    from karat.evaluation.scores import Scores


class Ledger(Iterator[Entry]):
    """Yields every gold and system item with its verdict; to be displayed, the sources are read again with texts.

    Sources that can be read only once, such as generators, are not displayed.
    """

    def __init__(self, entries: Iterator[Entry], shown: Callable[[], Showing] | None) -> None:
        self._entries, self._shown = entries, shown

    def __next__(self) -> Entry:
        return next(self._entries)

    def _repr_html_(self) -> str | None:
        return None if self._shown is None else self._shown()._repr_html_()


_HELD = "These scores do not contain the documents; use show(gold, system) to see the texts."


class ScoredSources(NamedTuple):
    """How a system was scored: the protocol with its options, how files are read, and their paths if there are any."""

    bound: Bound
    readings: Sequence[Reading]
    paths: tuple[str, str] | None = None

    @classmethod
    def of(cls, bound: Bound, gold: Source, system: Source, readings: Sequence[Reading]) -> Any:
        """Return how these sources were scored; sources in memory are not kept."""
        paths = [
            os.fspath(source) for source in (gold, system) if isinstance(source, str | os.PathLike) and source != STDIN
        ]
        return cls(bound, readings, (paths[0], paths[1]) if len(paths) == 2 else None)

    def __call__(self, scores: Scores, gold: Any, system: Any, document: str | None) -> Showing:
        """Return the display of scores with their texts, or without texts and with advice if they are not available."""
        from karat.display.drawing.pages import Showing
        from karat.display.views.papers import scores_markup
        from karat.evaluation.corpora import load
        from karat.report.notebook import Contender, showing_of

        if (gold is None) != (system is None):
            raise UsageError("show needs the texts of both sides; give gold and system, or neither")
        sources = self.paths if gold is None else (gold, system)
        if sources is None:
            if document is not None:
                raise UsageError(
                    f"document {document!r} is not available; use show(gold, system, document={document!r})"
                )
            return Showing(f"{scores.protocol}: {scores.system}", f"{scores_markup([scores])}<p>{_HELD}</p>\n")
        sides = load(self.bound, sources, self.readings, lines=True, texts=True)
        contender = Contender(scores.system, self.bound, *sides)
        shown = showing_of(contender, document=document, numbers=scores_markup([scores]))
        if shown.reading is not None and _digests(shown.reading.systems[0].signature) != _digests(scores.signature):
            changed = (
                "the files have changed since they were scored"
                if gold is None
                else "these are not the sources that were scored"
            )
            raise InputError(f"{changed}, so texts and numbers would not match; score again")
        return shown


def _digests(signature: str) -> list[str | None]:
    """Return the digests of both sides in a signature."""
    parts = parts_of(signature)
    return [parts.get(side) for side in ("gold", "system")]
