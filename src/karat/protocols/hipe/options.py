"""The options of the HIPE protocols, and the profiles: which published revision, with which rules."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import msgspec

from karat.errors import InputError
from karat.io import read_text
from karat.protocols.corrections import CorrectableOptions
from karat.protocols.likeness import LikenessOptions
from karat.settings import choice, option, shared_option

LinkSpans = Literal["ner", "runs", "fixed"]


class ProfileRules(msgspec.Struct, frozen=True):
    """What a profile decides.

    ``link_spans``: where links begin and end (bounded by the entities, runs of equal links, or our repaired runs).
    ``compare_text``: whether the surface text is part of equality. ``hash_tokens``: whether tokens with ``#`` are
    dropped. ``rows``: whether rows with empty cells are filled up or refused. ``odd_cells``: whether tags that are
    neither ``O`` nor hold a label are entities of the empty type or an error. ``whole_tags``: whether the tag set
    holds whole types and links, or what stands behind their last hyphen. ``last_document``: whether the last document
    is lost if the file ends in an empty segment. ``revision``: whether files are read as in June 2020 or as later.
    ``whole_document``: whether an entity that covers a whole document counts. ``other_tokens``: how
    many kinds of tokens of a system file without document marks may differ from the gold's.
    """

    link_spans: LinkSpans
    compare_text: bool
    hash_tokens: Literal["drop", "keep"] = "keep"
    rows: Literal["pad", "full"] = "pad"
    odd_cells: Literal["entity", "refuse"] = "entity"
    whole_tags: bool = False
    last_document: Literal["keep", "lose"] = "lose"
    revision: Literal["later", "2020"] = "later"
    whole_document: Literal["keep", "drop"] = "keep"
    other_tokens: int = 20


PROFILES = {
    "current": ProfileRules(link_spans="ner", compare_text=True, hash_tokens="drop"),
    "2022": ProfileRules(link_spans="ner", compare_text=True, rows="full"),
    "2020": ProfileRules(link_spans="runs", compare_text=False, revision="2020", whole_document="drop", other_tokens=0),
    "corrected": ProfileRules(
        link_spans="fixed", compare_text=False, odd_cells="refuse", whole_tags=True, last_document="keep"
    ),
}


class Level(msgspec.Struct, frozen=True):
    """A band of OCR noise: lower bound <= LED < upper bound, or both equal to it."""

    low: float
    high: float

    @property
    def name(self) -> str:
        """The label of the official files."""
        return f"LED-{self.low}-{self.high}"

    def holds(self, noise: float | None) -> bool:
        """Return whether a token of that noise is kept; one without a value always is."""
        return noise is None or self.low <= noise < self.high or self.low == noise == self.high


class Period(msgspec.Struct, frozen=True):
    """A stretch of time: start <= date < end."""

    start: datetime.date
    end: datetime.date

    @property
    def name(self) -> str:
        """The label of the official files: years only, even for full dates."""
        return f"TIME-{self.start:%Y}-{self.end:%Y}"

    def holds(self, date: datetime.date) -> bool:
        """Return whether a token of that date is kept."""
        return self.start <= date < self.end


class Slice(msgspec.Struct, frozen=True):
    """A part of the data: a band of noise, a period, or both; nothing is everything."""

    level: Level | None = None
    period: Period | None = None

    @property
    def time_name(self) -> str:
        """The label of the period in the official files."""
        return "TIME-ALL" if self.period is None else self.period.name

    @property
    def noise_name(self) -> str:
        """The label of the noise band in the official files."""
        return "LED-ALL" if self.level is None else self.level.name

    @property
    def name(self) -> str:
        """The name in scores; the whole of the data has none."""
        whole = self.level is None and self.period is None
        return "" if whole else f"{self.time_name}-{self.noise_name}"


class HipeColumn(msgspec.Struct, frozen=True):
    """An evaluated column; a column of links is bounded by a column of labels."""

    name: str
    bounds: str | None = None

    def layers(self, options: HipeOptions) -> list[tuple[str, int | None]]:
        """Return the layers that the column is scored as: one for labels, one for each cutoff of links."""
        if self.bounds is None:
            return [(self.name, None)]
        return [(f"{self.name}@{cutoff}", cutoff) for cutoff in dict.fromkeys(options.n_best)]


def parse_levels(text: str) -> tuple[Level, ...]:
    """Read noise levels.

    >>> [level.name for level in parse_levels("0-0,0.001-0.10")]
    ['LED-0.0-0.0', 'LED-0.001-0.1']
    """
    levels = []
    for part in filter(None, text.split(",")):
        bounds = part.split("-")
        try:
            low, high = map(float, bounds)
        except ValueError:
            raise InputError(
                f"noise level {part!r} is not of the form lower-upper; expected for example 0.0-0.1,0.1-0.3"
            ) from None
        levels.append(Level(low, high))
    if text and not levels:
        raise InputError(f"noise level {text!r} names no level; expected for example 0.0-0.1,0.1-0.3")
    return tuple(levels)


def parse_periods(text: str) -> tuple[Period, ...]:
    """Read time periods, all as years or all as days.

    >>> [period.name for period in parse_periods("1790-1810,1810-1830")]
    ['TIME-1790-1810', 'TIME-1810-1830']
    """
    parts = [part.split("-") for part in text.split(",")] if text else []
    for pattern in ("%Y", "%Y/%m/%d"):
        try:
            return tuple(Period(_day(part[0], pattern), _day(part[1], pattern)) for part in parts)
        except (ValueError, IndexError):
            continue
    raise InputError(
        f"time period {text!r} is not a list of periods; expected years as in 1790-1810,1810-1830 or days as in "
        "1790/01/01-1810/12/31"
    )


def _day(text: str, pattern: str) -> datetime.date:
    return datetime.datetime.strptime(text, pattern).date()


def parse_cutoffs(text: str) -> tuple[int, ...]:
    """Read the cutoffs of ranked links: ``1,3,5``; nothing is ``1``."""
    try:
        return tuple(int(part) for part in text.split(",")) if text else (1,)
    except ValueError:
        raise InputError(f"n-best {text!r} is not a list of whole numbers; expected for example 1,3,5") from None


def parse_glue(text: str) -> tuple[tuple[str, str], ...]:
    """Read the pairs of columns to glue: ``COL1+COL2,COL3+COL4``."""
    pairs = []
    for part in text.split(",") if text else []:
        columns = part.split("+")
        if len(columns) != 2:
            raise InputError(
                f"glue {part!r} does not name two columns; expected for example NE-COARSE-LIT+NE-FINE-COMP"
            )
        pairs.append((columns[0], columns[1]))
    return tuple(pairs)


def parse_tagset(path: str) -> tuple[str, ...]:
    """Read a tag set: a file with one tag a line, by whatever Unicode takes for a line end."""
    return tuple(read_text(path).upper().splitlines()) if path else ()


def _join(values: Iterable[object]) -> str:
    return ",".join(map(str, values))


def _names(parts: Iterable[Level | Period]) -> str:
    return _join(part.name for part in parts)


def _digest(tags: Sequence[str]) -> str:
    from hashlib import sha256

    return sha256("\n".join(sorted(tags)).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class HipeOptions(CorrectableOptions):
    """What can be set in a HIPE evaluation."""

    singly: ClassVar[Collection[str]] = tuple(PROFILES)

    profile: str = shared_option(
        "profile", help="which revision of the scorer to reproduce, or our corrected variant", choices=PROFILES
    )
    link_spans: str = choice(
        ("", "ner", "runs", "fixed"),
        "where linked mentions begin and end, if not as the profile says: bounded by the entities, runs of equal "
        "links (the scorer's --original_nel), or runs that respect entity starts",
    )
    n_best: tuple[int, ...] = option(
        (1,), "cutoffs of the ranked links", parse=parse_cutoffs, show=_join, metavar="N,N…"
    )
    noise_level: tuple[Level, ...] = option(
        (), "also score bands of OCR noise, lower-upper", parse=parse_levels, show=_names, metavar="LO-HI,…"
    )
    time_period: tuple[Period, ...] = option(
        (),
        "also score periods, from-to, as years or as days with slashes",
        parse=parse_periods,
        show=_names,
        metavar="FROM-TO,…",
    )
    glue: tuple[tuple[str, str], ...] = option(
        (),
        "put the label of one column in front of another's",
        parse=parse_glue,
        show=lambda pairs: _join(map("+".join, pairs)),
        metavar="COL1+COL2,…",
    )
    tagset: tuple[str, ...] = option(
        (),
        "a file of tags, one a line, that count for the system even if the gold has none",
        parse=parse_tagset,
        show=_digest,
        metavar="FILE",
    )
    overlap: str = choice(
        ("first", "best"),
        "which overlapping gold mention a system mention is compared with: the first one free, as published, or the "
        "best one: same label first, then most tokens",
    )
    charge: str = choice(
        ("gold", "both"),
        "where a wrong label is booked in the figures by label: on the gold label, as published, or as missed on the "
        "gold label and spurious on the system's",
    )
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")

    @cached_property
    def rules(self) -> ProfileRules:
        """The rules of the profile."""
        published = PROFILES[self.profile]
        if not self.mended:
            return published
        return msgspec.structs.replace(published, **{self.mended: getattr(PROFILES["corrected"], self.mended)})

    @property
    def spans(self) -> str:
        """Where links begin and end, by option or profile."""
        return self.link_spans or self.rules.link_spans

    @property
    def slices(self) -> list[Slice]:
        """The slices in the order of evaluation; of those that are named alike the last one counts."""
        return [Slice(level, period) for level in (None, *self.noise_level) for period in (None, *self.time_period)]


@dataclass(frozen=True)
class HipeLinkOptions(LikenessOptions, HipeOptions):
    """What can be set in an evaluation of links: where their likeness comes from, too."""

    def is_corrected(self) -> bool:
        """Return whether the ontology is asked by its corrected profile."""
        return self.profile == "corrected"
