"""What results hold of their texts: nothing, but how to read them again, for a notebook."""

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
    """Yields every gold and every system item with its verdict; displayed, it is read again with its texts.

    Sources that come only once, such as generators, cannot be read again, and are not displayed.
    """

    def __init__(self, entries: Iterator[Entry], shown: Callable[[], Showing] | None) -> None:
        self._entries, self._shown = entries, shown

    def __next__(self) -> Entry:
        return next(self._entries)

    def _repr_html_(self) -> str | None:
        return None if self._shown is None else self._shown()._repr_html_()


_HELD = "Scores of documents in memory hold none of them: show(gold, system) shows the texts."


class Rereading(NamedTuple):
    """How a system was scored: by which protocol and options, how files are read, and which, if there are any."""

    bound: Bound
    readings: Sequence[Reading]
    paths: tuple[str, str] | None = None

    @classmethod
    def of(cls, bound: Bound, gold: Source, system: Source, readings: Sequence[Reading]) -> Any:
        """Return how these were scored; of what is no file nothing is kept."""
        paths = [
            os.fspath(source) for source in (gold, system) if isinstance(source, str | os.PathLike) and source != STDIN
        ]
        return cls(bound, readings, (paths[0], paths[1]) if len(paths) == 2 else None)

    def __call__(self, scores: Scores, gold: Any, system: Any, document: str | None) -> Showing:
        """Return the texts behind scores with the numbers beside them, or the numbers and what is to be done."""
        from karat.display.drawing.pages import Showing
        from karat.display.views.papers import scores_markup
        from karat.evaluation.corpora import load
        from karat.report.notebook import Contender, showing_of

        if (gold is None) != (system is None):
            raise UsageError("the texts of both sides are needed; give gold and system, or neither")
        sources = self.paths if gold is None else (gold, system)
        if sources is None:
            if document is not None:
                raise UsageError(f"document {document!r} is not at hand; say show(gold, system, document={document!r})")
            return Showing(f"{scores.protocol}: {scores.system}", f"{scores_markup([scores])}<p>{_HELD}</p>\n")
        sides = load(self.bound, sources, self.readings, lines=True, texts=True)
        contender = Contender(scores.system, self.bound, *sides)
        shown = showing_of(contender, document=document, numbers=scores_markup([scores]))
        if shown.reading is not None and _digests(shown.reading.systems[0].signature) != _digests(scores.signature):
            changed = "these files are not as they were scored" if gold is None else "these are not what was scored"
            raise InputError(f"{changed}, so that texts and numbers would not belong together; score them again")
        return shown


def _digests(signature: str) -> list[str | None]:
    """Return what a signature says of both sides."""
    parts = parts_of(signature)
    return [parts.get(side) for side in ("gold", "system")]
