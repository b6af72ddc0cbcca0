"""The road from files or objects to scores: read, pair, judge, count, sum, and sign."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

from karat.chaining import share_links as share_links_of
from karat.errors import UsageError, many, plural, unknown
from karat.files import STDIN, digest
from karat.formats import format_named, read, sniff
from karat.formats.base import EVERYTHING, Problems, Want
from karat.ledger import Entry
from karat.model import Document
from karat.objects import documents_from
from karat.protocols import protocol as protocol_named
from karat.protocols.base import SYSTEM_FILE, Case, Prepared, Protocol
from karat.scores import ZERO_RULES, Scores, ZeroRule, rows_of, unit_rows
from karat.settings import shown
from karat.signature import digest_documents, signature
from karat.tally import Tallies, Tally

Source = str | os.PathLike[str] | Sequence[Any]
"""A file or folder, or documents as objects: Documents, dictionaries, or sequences of tags."""

_CHUNK = 64
"""Units that a worker is given at once."""


@dataclass(frozen=True)
class Reading:
    """How the files of one side are read: the format, if it is not to be recognised, and its options.

    With ``share_links`` mentions without a link take those of their chain.
    """

    format: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    share_links: bool = False


@dataclass(frozen=True)
class Corpus:
    """The documents of one side, with what names and identifies them."""

    name: str
    documents: Sequence[Document]
    digest: str
    notes: tuple[str, ...] = ()
    read_as: str = ""
    """What was said about how to read it: the format and options, for the signature."""


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are computed: percentile bootstrap over units."""

    resamples: int = 1000
    seed: int = 42
    level: float = 0.95

    def __str__(self) -> str:
        level = "" if self.level == 0.95 else f"/{self.level:g}"
        return f"bootstrap{self.resamples}/seed{self.seed}{level}"


def score(
    protocol: str | Protocol,
    gold: Source,
    system: Source,
    *,
    by: str | None = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    share_links: bool = False,
    executor: Executor | None = None,
    **options: Any,
) -> Scores:
    """Score a system against the gold by a published protocol.

    ``gold`` and ``system`` are paths, :class:`~karat.model.Document` objects, or plain lists and dictionaries.
    ``by="label"`` adds a row for each label, ``ci=True`` percentile bootstrap intervals over the units; ``zero`` says
    what an undefined ratio is; with ``share_links`` mentions without a link take those of their chain; ``options`` are
    those of the protocol.

    >>> gold = [["B-LOC", "O", "B-PER", "I-PER"]]
    >>> system = [["B-LOC", "O", "B-PER", "O"]]
    >>> scores = score("hipe2022-nerc-coarse", gold, system)
    >>> scores.value("f1", regime="strict"), scores.value("f1", regime="fuzzy")
    (0.5, 1.0)
    """
    chosen, settings = configure(protocol, options)
    sides = load(chosen, settings, [gold, system], [Reading(share_links=share_links)] * 2)
    return evaluate(chosen, settings, *sides, by=by, ci=ci, zero=zero, executor=executor)


def explain(protocol: str | Protocol, gold: Source, system: Source, **options: Any) -> Iterator[Entry]:
    """Yield the ledger: every gold and every system item with its verdict, its partner and the reason.

    >>> gold, system = [["B-LOC", "O", "B-PER"]], [["B-PER", "B-LOC", "B-PER"]]
    >>> [entry.case for entry in explain("hipe2022-nerc-coarse", gold, system)]
    ['wrong-label', 'spurious', 'exact']
    """
    chosen, settings = configure(protocol, options)
    sides = load(chosen, settings, [gold, system], lines=True)
    for case in prepare(chosen, settings, *sides).cases:
        yield from chosen.ledger(case)


def configure(protocol: str | Protocol, options: Mapping[str, Any]) -> tuple[Protocol, Any]:
    """Return the protocol and its options, checked."""
    chosen = protocol_named(protocol) if isinstance(protocol, str) else protocol
    return chosen, chosen.configure(options)


def load(
    protocol: Protocol,
    settings: Any,
    sources: Sequence[Source],
    readings: Sequence[Reading] | None = None,
    *,
    lines: bool = False,
) -> list[Corpus]:
    """Read the sides of an evaluation, and of each no more than the protocol will look at.

    Where every side is a table of tokens that the protocol reads itself, mentions are not even built, and the
    tables are read as it says; otherwise all sides are read in full, so that their texts agree.
    """
    readings = readings or [Reading()] * len(sources)
    formats = [_format(source, reading) for source, reading in zip(sources, readings, strict=True)]
    asked = protocol.reading(settings)
    cells_only = asked.columns is not None and all(name in asked.options for name in formats)
    by_protocol = cells_only or asked.columns is None
    want = Want(mentions=False, lines=lines or asked.lines, columns=asked.columns) if cells_only else EVERYTHING
    _check_options(formats, readings)
    corpora = []
    for source, reading, name in zip(sources, readings, formats, strict=True):
        given = _own(name, reading.options)
        demanded = asked.options.get(name or "", {}) if by_protocol else {}
        for option, value in given.items():
            if demanded.get(option, value) != value:
                raise UsageError(f"{option}={value} contradicts the protocol, which reads {option}={demanded[option]}")
        said = [reading.format or "", *(f"{option}={value}" for option, value in sorted(given.items()))]
        corpus = _corpus(source, name, want, {**demanded, **given})
        if reading.share_links:
            said.append("share-links")
            corpus = _with_shared_links(corpus)
        corpora.append(replace(corpus, read_as=",".join(filter(None, said))))
    return corpora


def _with_shared_links(corpus: Corpus) -> Corpus:
    """Return the corpus in which mentions without a link have those of their chain, with a note on how many."""
    shared = [share_links_of(document) for document in corpus.documents]
    number = sum(count for _, count in shared)
    note = f"{many(number, 'mention')} of {corpus.name} took the links of the chain"
    return replace(
        corpus,
        documents=[document for document, _ in shared],
        notes=(*corpus.notes, *([note] if number else [])),
    )


def _check_options(names: Sequence[str | None], readings: Sequence[Reading]) -> None:
    """Refuse an option that none of the formats has; sides of different formats may have different ones."""
    known = {one for name in names if name for one in _option_names(name)}
    for option in (option for reading in readings for option in reading.options):
        if option not in known:
            raise unknown("option of the input format", option, known)


def _own(name: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    return {option: value for option, value in options.items() if name and option in _option_names(name)}


def _option_names(name: str) -> set[str]:
    return {one.name for one in fields(format_named(name).options)}


def _format(source: Source, reading: Reading) -> str | None:
    """Return the name of a file's format; objects have none."""
    if not isinstance(source, str | os.PathLike):
        return None
    return reading.format or sniff(source).name


def _corpus(source: Source, format: str | None, want: Want, options: Mapping[str, Any]) -> Corpus:  # noqa: A002
    if not isinstance(source, str | os.PathLike):
        documents = documents_from(source)
        return Corpus("objects", documents, digest_documents(documents))
    problems = Problems()
    documents = list(read(source, format, problems=problems, want=want, options=options))
    notes = (
        (f"{many(problems.repairs, 'repair')} while reading {source}; see karat validate",) if problems.repairs else ()
    )
    standard_input = str(source) == STDIN
    identity = digest_documents(documents) if standard_input else digest(source)
    return Corpus("-" if standard_input else Path(source).name, documents, identity, notes)


def prepare(protocol: Protocol, settings: Any, gold: Corpus, system: Corpus) -> Prepared:
    """Bring gold and system together into units."""
    return protocol.prepare(gold.documents, system.documents, settings)


def evaluate(
    protocol: Protocol,
    settings: Any,
    gold: Corpus,
    system: Corpus,
    *,
    by: str | None = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    executor: Executor | None = None,
) -> Scores:
    """Score corpora that have been read."""
    if by not in (None, "label", "unit"):
        raise UsageError(f"scores cannot be broken down by {by!r}; expected label or unit")
    if zero not in ZERO_RULES:
        raise UsageError(f"unknown zero rule {zero!r}; expected {', '.join(ZERO_RULES)}")
    prepared = prepare(protocol, settings, gold, system)
    units = [case.unit for case in prepared.cases]
    tallies = Tallies(units, count(protocol, prepared.cases, executor))
    rows = rows_of(protocol, tallies, labels=by == "label", zero=zero)
    details = unit_rows(protocol, tallies, zero=zero) if by == "unit" else ()
    bootstrap = Bootstrap() if ci is True else ci
    if bootstrap:
        from karat.statistics.bootstrap import with_intervals

        rows = with_intervals(
            protocol,
            tallies,
            rows,
            resamples=bootstrap.resamples,
            seed=bootstrap.seed,
            level=bootstrap.level,
            zero=zero,
        )
    parts = {
        "protocol": protocol.name,
        **shown(settings),
        "zero": zero,
        plural(protocol.unit): str(len(units)),
    }
    said = "/".join(dict.fromkeys(side.read_as for side in (gold, system) if side.read_as))
    parts |= {"read": said} if said else {}
    parts |= {"gold": gold.digest, "system": system.digest} | ({"ci": str(bootstrap)} if bootstrap else {})
    notes = notes_on(prepared, gold, system)
    if bootstrap and len(units) == 1:
        notes = (*notes, f"one {protocol.unit}: no interval")
    return Scores(protocol.name, system.name, rows + details, signature(parts), tallies, notes)


def notes_on(prepared: Prepared, gold: Corpus, system: Corpus) -> tuple[str, ...]:
    """Return what was noticed on the way: while reading both sides, and while they were brought together."""
    return (*gold.notes, *system.notes, *(note.replace(SYSTEM_FILE, system.name) for note in prepared.notes))


def count(protocol: Protocol, cases: Sequence[Case], executor: Executor | None = None) -> list[Tally]:
    """Tally every unit, by the workers of an executor if one is given; the result is the same."""
    if executor is None:
        return [protocol.tally(case) for case in cases]
    waiting = iter(cases)
    chunks = iter(lambda: list(islice(waiting, _CHUNK)), [])
    return [tally for part in executor.map(_TallyAll(protocol.tally), chunks) for tally in part]


class _TallyAll:
    """Tallies a chunk of cases; a class, because it has to travel to other processes."""

    def __init__(self, tally: Any) -> None:
        self.tally = tally

    def __call__(self, cases: Sequence[Case]) -> list[Tally]:
        return [self.tally(case) for case in cases]
