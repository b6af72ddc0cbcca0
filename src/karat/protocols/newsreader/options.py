"""The options of the NewsReader protocols."""

from __future__ import annotations

from dataclasses import dataclass

from karat.errors import UsageError
from karat.evaluation.pairing import Missing
from karat.protocols.corrections import CorrectableOptions
from karat.protocols.likeness import LikenessOptions
from karat.settings import Bounds, option, shared_option

_SENTENCES = "how many sentences of each document are judged, or all"
_KB = "of links that are addresses only those with this text in them count; '' takes all"


def parse_sentences(text: str) -> int | None:
    """Return a number of sentences, None for ``all``.

    >>> parse_sentences("5"), parse_sentences("all")
    (5, None)
    """
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) < 1:
        raise UsageError(f"sentences is {text!r}; expected a whole number above 0, or all")
    return int(text)


def _show(sentences: int | None) -> str:
    return "all" if sentences is None else str(sentences)


@dataclass(frozen=True)
class PublishedOptions(CorrectableOptions, LikenessOptions):
    """Options of the published evaluation."""

    sentences: int | None = option(6, _SENTENCES, parse=parse_sentences, show=_show, metavar="N|all", always=True)
    kb: str = option("dbpedia", _KB, metavar="TEXT")
    missing: Missing = shared_option("missing", "empty")
    max_meetings: int = option(
        1_000_000,
        "how many pairs of a document, with a discontinuous link, are looked at before it is refused",
        bounds=Bounds(0, 1_000_000_000_000),
        metavar="N",
    )


@dataclass(frozen=True)
class CorrectedOptions(LikenessOptions):
    """Options of the corrected evaluation."""

    sentences: int | None = option(5, _SENTENCES, parse=parse_sentences, show=_show, metavar="N|all", always=True)
    kb: str = option("dbpedia", _KB, metavar="TEXT")
    missing: Missing = shared_option("missing")

    def mends(self, rule: str) -> bool:
        """Return True: every rule is corrected."""
        del rule
        return True

    def is_corrected(self) -> bool:
        """Say that the ontology is asked by its corrected profile, too."""
        return True


Options = PublishedOptions | CorrectedOptions
