"""Scoring by all protocols of a task: sources are read once for each way of reading, failures come with a reason."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from karat.analysis.families import FAMILIES, Family, Ledgers, Member, RegimeNumbers
from karat.analysis.summary import scores_of
from karat.errors import InputError, KaratError, unknown
from karat.evaluation.corpora import Reading, Source, formats_of, held_source, load, way_of
from karat.evaluation.corpus import Corpus
from karat.evaluation.ledger import Entry
from karat.evaluation.protocol import Bound, Protocol
from karat.evaluation.registry import protocols
from karat.evaluation.scores import Row, Scores, ZeroRule
from karat.evaluation.tasks import run_of
from karat.io.tables import table_of

MOST_LINES = 40
"""The largest number of rows; if there are more, the protocols with most regimes show only their first one."""
_OF_TRIPLES = ("triples", "relations")


def family(
    task: str,
    gold: Source,
    system: Source,
    *,
    everything: bool = False,
    zero: ZeroRule = "undefined",
    strict: bool = False,
    format: str | None = None,  # noqa: A002 - the word users know
    system_format: str | None = None,
    read: Mapping[str, Any] | None = None,
) -> Family:
    """Score a system by every protocol of a task, and show on which items they disagree.

    Args:
        task: ``entities``, ``linking``, ``coreference``, ``relations`` or ``triples``.
        gold: the gold.
        system: the system.
        everything: whether all regimes are shown; by default protocols with many show only the first if there would
            be too many numbers.
        zero: the value of undefined scores.
        strict: whether a protocol fails, with a reason, if one side has nothing to score; if all fail, it is an error.
        format: the format of both sides; recognised by default.
        system_format: the format of the system, if it differs.
        read: options of the format.

    >>> gold, system = [["B-LOC", "I-LOC", "O", "B-PER"]], [["B-LOC", "O", "O", "B-PER"]]
    >>> found = family("entities", gold, system)
    >>> [figure.f1 for figure in found.figures if figure.name in ("seqeval", "semeval2013 partial")]
    [0.5, 0.75]

    """
    readings = [Reading(name, read or {}) for name in (format, system_format or format)]
    return family_of(task, [gold, system], readings, everything=everything, zero=zero, strict=strict)


def family_of(
    task: str,
    sources: Sequence[Source],
    readings: Sequence[Reading],
    *,
    everything: bool,
    zero: ZeroRule,
    strict: bool,
) -> Family:
    """Return the results of all protocols of a task on a gold and a system."""
    read_sides, ledgers = ReadSides(sources, readings), Ledgers()
    asked: dict[str, Any] = {"zero": zero, "strict": strict}
    members = [_judged(read_sides, protocol, profile, ledgers, **asked) for protocol, profile in members_of(task)]
    if not everything:
        most = _most_regimes([len(member.figures) for member in members])
        members = [
            replace(member, figures=member.figures[:1]) if len(member.figures) > most else member for member in members
        ]
    if not any(member.figures for member in members):
        why = "; ".join([members[0].why, *members[0].notes])
        raise InputError(f"none of the protocols of {task} can judge this: {members[0].name}: {why}")
    figures = [figure for member in members for figure in member.figures]
    divergences, items, partly = ledgers.divergences(figures)
    return Family(task, read_sides.name, members, divergences, items, partly, _signature(task, members))


def _most_regimes(sizes: Sequence[int]) -> int:
    """Return the largest number of regimes at which a protocol still shows all of them, given the sizes of all.

    >>> _most_regimes([1, 4, 10]), _most_regimes([20, 30, 4, 1])
    (10, 20)
    """
    allowed = sorted(set(sizes), reverse=True)
    shown = (most for most in allowed if sum(size if size <= most else 1 for size in sizes) <= MOST_LINES)
    return next(shown, 1)


def _signature(task: str, members: Sequence[Member]) -> str:
    """Return the common parts of the signatures of all protocols, with the task instead of the protocol."""
    first, *other_signatures = [member.signature.split("|") for member in members if member.signature]
    shared = [part for part in first if all(part in parts for parts in other_signatures)]
    return "|".join([shared[0], f"family:{task}", *shared[1:]])


def members_of(task: str) -> Iterator[tuple[Protocol, str]]:
    """Yield the protocols of a task, each with every profile that reproduces a published program."""
    if task not in FAMILIES:
        raise unknown("family of protocols", task, FAMILIES)
    for protocol in protocols().values():
        if protocol.name in _OF_TRIPLES if task == "triples" else protocol.task == task:
            yield protocol, ""
            for profile in _papers(protocol).get("profiles", ()):
                yield protocol, profile


def _papers(protocol: Protocol) -> Mapping[str, Any]:
    papers: Mapping[str, Any] = table_of("karat.protocols", "papers.toml").get(protocol.name, {})
    return papers


class ReadSides:
    """Reads the same sources for several protocols; each way of reading is read once and kept."""

    def __init__(self, sources: Sequence[Source], readings: Sequence[Reading]) -> None:
        self.sources, self.readings = [held_source(source) for source in sources], readings
        self._recognised: dict[str, tuple[str | None, ...]] = {}
        self._read: dict[Hashable, list[Corpus]] = {}

    def sides(self, bound: Bound) -> list[Corpus]:
        """Return gold and system, read as a protocol requires."""
        formats = self._formats(bound.demands.empty)
        way = way_of(bound, formats, lines=True)
        key = formats, way.want.columns, way.want.beside, way.demands
        if key not in self._read:
            self._read[key] = load(bound, self.sources, self.readings, lines=True, again=True)
        return self._read[key]

    def _formats(self, empty: str) -> tuple[str | None, ...]:
        """Return the formats of the sources, recognised once; ``empty`` is the format of an empty file."""
        if empty not in self._recognised:
            self._recognised[empty] = formats_of(self.sources, self.readings, empty)
        return self._recognised[empty]

    @property
    def name(self) -> str:
        """The name of the system."""
        return next((sides[1].name for sides in self._read.values()), "")


def _is_defined(row: Row) -> bool:
    return row.value is not None and (not row.counts or any(row.counts.values()))


def _judged(
    read_sides: ReadSides, protocol: Protocol, profile: str, ledgers: Ledgers, *, zero: ZeroRule, strict: bool
) -> Member:
    """Return the numbers of a protocol, or the reason that it has none; its items are added to the ledgers."""
    papers, name = _papers(protocol), f"{protocol.name} {profile}".rstrip()
    about = papers.get("profiles", {}).get(profile, {}) if profile else papers
    title, reference = about.get("title", protocol.title), about.get("reference", protocol.reference)
    member = Member(name, protocol.name, title, about.get("paper", ""), reference)
    entries: list[Entry] = []
    try:
        bound = protocol.with_options({"profile": profile} if profile else {})
        sides = read_sides.sides(bound)
        run = run_of(bound, *sides, strict=strict, witness=lambda ledger: entries.extend(ledger.entries))
        scores = scores_of(run, bound, zero=zero)
    except KaratError as error:
        return replace(member, why=str(error))
    figures = _main_figures(scores, bound, name, about.get("regimes", bound.main.regimes))
    if not figures:
        return replace(member, notes=scores.notes, why="neither side has anything that it scores")
    ledgers.add(entries, figures, dict(zip(run.tallies.units, run.documents, strict=True)))
    return replace(member, figures=figures, signature=scores.signature, notes=scores.notes)


def _main_figures(scores: Scores, bound: Bound, name: str, regimes: Sequence[str]) -> list[RegimeNumbers]:
    """Return the main numbers that are defined, in the first layer that has any, under the first average.

    Some programs give 0 or even 1 if both sides are empty; such numbers are left out.
    """
    average = bound.main.averages[0]
    rows: dict[tuple[str, str], dict[str, Row]] = {}
    for row in scores.rows:
        if row.average == average and row.label is None and not row.slice and row.regime in regimes:
            rows.setdefault((row.layer, row.regime), {})[row.measure] = row
    main = {key: measured for key, measured in rows.items() if "f1" in measured and _is_defined(measured["f1"])}
    first = next(iter(main), ("", ""))[0]
    shown = {regime: measured for (layer, regime), measured in main.items() if layer == first}
    figures = []
    for regime, measured in shown.items():
        values = [measured[measure].value if measure in measured else None for measure in ("precision", "recall", "f1")]
        full_name = f"{name} {regime}" if len(shown) > 1 else name
        figures.append(RegimeNumbers(full_name, bound.name, first, regime, average, *values))
    return figures
