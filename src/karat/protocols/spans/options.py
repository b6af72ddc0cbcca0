"""The options of the entity protocols."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from karat.annotations.tag_chunks import OUTSIDE, Reading
from karat.errors import UsageError
from karat.protocols.corrections import CorrectableOptions
from karat.protocols.spans import readings
from karat.protocols.spans.items import Entity, in_order
from karat.settings import Bounds, choice, option, shared_option

_CORRECTED = "--profile corrected"


@dataclass(frozen=True)
class EntityOptions(CorrectableOptions):
    """Options of every entity protocol."""

    layers: str = shared_option("layers")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")

    def reading(self) -> Reading | None:
        """Return how the tags of a document are read, if not as its format reads them."""
        return None

    @property
    def corrected_by(self) -> str:
        """The option by which tags are read right that the program misreads; nothing if it drops some on purpose."""
        return ""

    @property
    def kept_labels(self) -> Collection[str]:
        """The labels to evaluate; an empty collection stands for all."""
        return ()

    def arranged(self, entities: Iterable[Entity]) -> list[Entity]:
        """Return the entities that count in the order in which they are looked at: each once, as the text has them."""
        return in_order(entities)

    def remarks(self) -> Iterator[str]:
        """Yield remarks on these options."""
        return iter(())


class TaggedOptions(EntityOptions):
    """Options of protocols that also compare tags."""

    def alike(self, gold: str, system: str) -> bool:
        """Return whether two tags that are not written alike are the same."""
        del gold, system
        return False


@dataclass(frozen=True)
class Conll2003Options(TaggedOptions):
    """Options of the protocols that count as conlleval does."""

    singly: ClassVar[Collection[str]] = ("official",)

    profile: str = shared_option(
        "profile",
        help="how tags are read: as the published program does, or without its faults in other schemes than IOB",
        choices=("official", "corrected"),
    )

    def reading(self) -> Reading | None:
        """Return how conlleval reads tags, unless its faults are to be put right."""
        return readings.conlleval_reading(self.mended) if self.profile == "official" else None

    @property
    def corrected_by(self) -> str:
        """The profile that reads tags of all schemes."""
        return _CORRECTED if self.profile == "official" else ""

    def alike(self, gold: str, system: str) -> bool:
        """Return whether two tags have the same prefix and type."""
        return readings.split(gold) == readings.split(system)


@dataclass(frozen=True)
class ConllevalOptions(Conll2003Options):
    """Options of conlleval itself."""

    raw: str = choice(("no", "yes"), "tags are labels without a prefix, and every word is a chunk")
    outside: str = option(OUTSIDE, "the label of words outside of chunks, beside O, if labels are raw", metavar="TAG")

    def __post_init__(self) -> None:
        if self.outside != OUTSIDE and self.raw != "yes":
            raise UsageError("protocol conlleval: a label outside of chunks is for raw labels; say --raw yes")

    def reading(self) -> Reading | None:
        """Return how conlleval reads tags, or raw labels."""
        return partial(readings.every_word, outside=self.outside) if self.raw == "yes" else super().reading()

    def alike(self, gold: str, system: str) -> bool:
        """Return whether two tags have the same prefix and type, or are the same raw label."""
        if self.raw == "yes":
            return readings.raw_label(gold, self.outside) == readings.raw_label(system, self.outside)
        return super().alike(gold, system)

    @property
    def corrected_by(self) -> str:
        """The profile that reads tags of all schemes; raw labels have none."""
        return "" if self.raw == "yes" else super().corrected_by


@dataclass(frozen=True)
class SeqevalOptions(TaggedOptions):
    """Options of the seqeval protocol."""

    profile: str = shared_option("profile")
    mode: str = choice(
        ("default", "strict"), "every chunk counts, or only those that are well-formed in the scheme", always=True
    )
    scheme: str = choice(("", *readings.SCHEMES), "the scheme of the tags, for the strict mode", always=False)
    suffix: str = choice(("no", "yes"), "the letter of a tag stands at its end, as in PER-B")

    def __post_init__(self) -> None:
        if self.profile == "corrected" and self.mode == "strict" and not self.scheme:
            raise UsageError("protocol seqeval: the strict mode needs a scheme, as --scheme IOB2")
        if self.profile == "corrected" and self.mode != "strict" and self.scheme:
            raise UsageError("protocol seqeval: a scheme is for the strict mode; say --mode strict, or leave it out")

    def reading(self) -> Reading | None:
        """Return how seqeval reads tags, or how they are read in any scheme."""
        suffix = self.suffix == "yes"
        is_strict = self.mode == "strict" and bool(self.scheme)
        if self.profile == "published":
            if is_strict:
                return readings.strict(self.scheme, suffix=suffix, mended=self.mended)
            return readings.seqeval(suffix=suffix, mended=self.mended)
        if is_strict or suffix:
            return partial(readings.by_scheme, scheme=self.scheme, suffix=suffix)
        return None

    @property
    def corrected_by(self) -> str:
        """The profile that reads tags of all schemes; the strict mode drops some on purpose."""
        drops = self.mode == "strict" and bool(self.scheme)
        return _CORRECTED if self.profile == "published" and not drops and self.suffix == "no" else ""

    def remarks(self) -> Iterator[str]:
        """Yield remarks on options that the published program accepts and ignores."""
        if self.mode == "strict" and not self.scheme:
            yield "without a scheme the strict mode of seqeval scores as the default one; say --scheme IOB2"
        if self.mode != "strict" and self.scheme:
            yield "seqeval looks at the scheme in its strict mode only; say --mode strict"


@dataclass(frozen=True)
class Wnut17Options(TaggedOptions):
    """Options of the WNUT-17 protocol."""

    profile: str = shared_option(
        "profile",
        help="as the served program counts, as the first one did, or with every surface form of both sides",
        choices=("published", "first", "corrected"),
    )

    def reading(self) -> Reading | None:
        """Return how the programs read tags, or nothing if they are read as their format reads them."""
        known: dict[str, Reading] = {"published": readings.wnut17, "first": readings.wnut17_first}
        return known.get(self.profile)


@dataclass(frozen=True)
class MulticonerOptions(TaggedOptions):
    """Options of the MultiCoNER protocol."""

    profile: str = shared_option("profile")

    def reading(self) -> Reading | None:
        """Return how the program reads tags, unless its faults are to be put right."""
        if self.profile != "published":
            return None
        return partial(readings.multiconer, mended=self.mended) if self.mended else readings.multiconer


def parse_names(text: str) -> tuple[str, ...]:
    """Parse a comma-separated list of names.

    >>> parse_names("PER,LOC")
    ('PER', 'LOC')
    """
    return tuple(name for name in text.split(",") if name)


@dataclass(frozen=True)
class NervaluateOptions(EntityOptions):
    """Options of the nervaluate protocols."""

    singly: ClassVar[Collection[str]] = ("1.2.1", "1.1.0")

    profile: str = shared_option(
        "profile",
        help="which version pairs entities, NER-Evaluation before it, or the best pairing one to one",
        choices=("1.2.1", "1.1.0", "0.2.0", "classic", "corrected"),
    )
    tags: tuple[str, ...] = option(
        (), "the labels that count, if not all", parse=parse_names, show=",".join, metavar="LABEL,…"
    )
    min_overlap_percentage: float = option(
        1.0,
        "the least percentage of a gold entity that must be covered by one that meets it, from 1 to 100",
        bounds=Bounds(1, 100, whole=False),
        metavar="PERCENT",
        show=lambda percent: f"{percent:g}",
    )

    def __post_init__(self) -> None:
        if isinstance(self.tags, list):
            object.__setattr__(self, "tags", tuple(self.tags))
        if self.min_overlap_percentage != 1 and self.profile in ("0.2.0", "classic"):
            raise UsageError(f"protocol nervaluate: {self.profile} knows no least overlap; leave it out")

    def reading(self) -> Reading | None:
        """Return how nervaluate reads tags, unless its faults are to be put right."""
        if self.mends("foreign-letters-go-on"):
            return None
        return readings.old_nervaluate if self.profile in ("0.2.0", "classic") else readings.nervaluate

    @property
    def kept_labels(self) -> Collection[str]:
        """The labels to evaluate; an empty collection stands for all."""
        return self.tags

    def arranged(self, entities: Iterable[Entity]) -> list[Entity]:
        """Return the entities in the order in which they come, repeated ones too, or as every protocol has them."""
        return super().arranged(entities) if self.profile == "corrected" else list(entities)


@dataclass(frozen=True)
class OverlapOptions(EntityOptions):
    """Options of the overlap protocol; a pair must meet both thresholds."""

    min_iou: float = option(
        0.5,
        "the least intersection over union of two mentions that may be paired, from 0 to 1",
        bounds=Bounds(0, 1, whole=False),
        metavar="SHARE",
        show=lambda share: f"{share:g}",
        always=True,
    )
    min_overlap: int = option(
        1,
        "the least number of characters that two mentions must share to be paired",
        bounds=Bounds(1, 1_000_000_000),
        metavar="NUMBER",
        always=True,
    )
