"""The options that all protocols on links share: where the likeness of a link with the right one comes from."""

from __future__ import annotations

from dataclasses import dataclass

from karat.errors import UsageError
from karat.files import STDIN, digest
from karat.ontology.provider import LikenessSource, Service
from karat.settings import Bounds, option

ROUNDINGS = ("none", "service")


def shown_index(path: str) -> str:
    """Return what stands for an index in a signature: the digest of its content, which it carries."""
    from karat.ontology.store import digest_of

    return digest_of(path)


@dataclass(frozen=True)
class LikenessOptions:
    """Where the likeness of a link with the right one comes from."""

    ontology: str = option(
        "",
        "compute the likeness of links with the right ones from this ontology index",
        metavar="INDEX",
        show=shown_index,
    )
    similarity_table: str = option(
        "", "read the likeness from a table with the columns q1, q2, class and jc", metavar="FILE", show=digest
    )
    max_pairs: int | None = option(
        None,
        "ask for the likeness of only so many pairs, as the web service did",
        bounds=Bounds(0, 1_000_000_000),
        metavar="N",
    )
    rounding: str = option(
        "none", "whether each likeness is rounded to ten decimals, as the web service did", choices=ROUNDINGS
    )

    def source(self) -> LikenessSource:
        """Return where likeness comes from: a file or folder, so that a digest in the signature can stand for it."""
        if self.similarity_table == STDIN:
            raise UsageError("a table of similarities cannot be standard input here; name a file")
        rounded = self.rounding == "service"
        return LikenessSource(self.ontology, self.similarity_table, self.max_pairs, rounded, self.is_corrected())

    def asks(self) -> bool:
        """Say whether anything was set about likeness."""
        return bool(self.ontology or self.similarity_table or self.max_pairs is not None or self.rounding != "none")

    def provider(self) -> Service | None:
        """Return what answers, ``None`` if there is nothing to ask; then no limits can be put on it."""
        source = self.source()
        if not source.given and (self.max_pairs is not None or source.rounded):
            name = "rounding" if self.max_pairs is None else "max_pairs"
            raise UsageError(
                f"{name} limits the likeness of links, but there is none: name an ontology or a table of it"
            )
        return source.open()

    def is_corrected(self) -> bool:
        """Say whether the ontology is asked by its corrected profile; a protocol that has one, too, says when."""
        return False
