"""The options of the OMIn protocols."""

from __future__ import annotations

from dataclasses import dataclass

from karat.errors import UsageError
from karat.files import STDIN
from karat.omin.similarity import Source
from karat.omin.spans import TYPE_SETS
from karat.settings import option

PROFILES = ("published", "corrected")
ROUNDINGS = ("none", "service")


def _profile() -> str:
    return option(  # type: ignore[no-any-return]
        "published",
        "as the published program counts, or with its named quirks put right",
        choices=PROFILES,
        always=True,
    )


@dataclass(frozen=True)
class PhraseOptions:
    """What can be set in the first evaluation of named entities."""

    profile: str = _profile()


@dataclass(frozen=True)
class SpanOptions:
    """What can be set in the later evaluation of named entities."""

    profile: str = _profile()
    types: str = option(
        "all", "the labels that count: all, or those of a set of types", choices=("all", *TYPE_SETS), always=True
    )
    typing: str = option(
        "typed",
        "whether labels are compared, or every gold entity is given the label ORG as the program does without types",
        choices=("typed", "untyped"),
        always=True,
    )


@dataclass(frozen=True)
class ChainOptions:
    """What can be set for coreference."""

    missing: str = option(
        "error",
        "gold documents that the system lacks: an error as in the program, counted as empty, or skipped",
        choices=("error", "empty", "skip"),
    )


def parse_max_pairs(text: str) -> int:
    """Read a number of pairs.

    >>> parse_max_pairs("25")
    25
    """
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise UsageError(f"max_pairs is {text!r}; expected a whole number, such as 25")
    return int(text)


def _digest(path: str) -> str:
    """Return what stands for an index or a table in a signature: a digest of its content, whatever its name."""
    from karat.files import digest

    return digest(path)


@dataclass(frozen=True)
class LikenessOptions:
    """Where the likeness of a link with the right one comes from."""

    ontology: str = option(
        "", "compute the likeness of links with the right ones from this ontology index", metavar="INDEX", show=_digest
    )
    similarity_table: str = option(
        "", "read the likeness from a table with the columns q1, q2, class and jc", metavar="FILE", show=_digest
    )
    max_pairs: int | None = option(
        None, "ask for the likeness of only so many pairs, as the web service did", parse=parse_max_pairs, metavar="N"
    )
    rounding: str = option(
        "none", "whether each likeness is rounded to ten decimals, as the web service did", choices=ROUNDINGS
    )

    def source(self) -> Source:
        """Return where likeness comes from: a file or folder, so that a digest in the signature can stand for it."""
        if self.similarity_table == STDIN:
            raise UsageError("a table of similarities cannot be standard input here; name a file")
        rounded = self.rounding == "service"
        return Source(self.ontology, self.similarity_table, self.max_pairs, rounded)


@dataclass(frozen=True)
class LinkOptions(LikenessOptions):
    """What can be set in the later evaluation of links."""

    profile: str = _profile()

    def source(self) -> Source:
        """Return where likeness comes from; corrected, the ontology is asked by its corrected profile."""
        return super().source()._replace(corrected=self.profile == "corrected")


@dataclass(frozen=True)
class BestLinkOptions(LikenessOptions):
    """What can be set in the evaluation of links as first described: only where likeness comes from."""
