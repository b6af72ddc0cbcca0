"""A run: one system scored by one protocol, as tallies by unit, from which rows, intervals and breakdowns come."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from karat._version import __version__
from karat.analysis.slices.asking import UNIT_FEATURES, Breakdown, By, breakdowns, unknown_key
from karat.analysis.slices.units import NONE, by_unit, length_ranges
from karat.analysis.statistics.intervals import FEW_UNITS, Bootstrap, few_of_many, undefined_draws
from karat.compact import Alike
from karat.errors import MissingExtraError, UsageError, plural
from karat.evaluation.registry import find, plug_in_of
from karat.evaluation.scores import ZERO_RULES, Row, Scores, ZeroRule, rows_of, unit_rows
from karat.evaluation.tally import Tallies, Tally
from karat.signature import JUDGEMENTS, PLUG_INS, signature
from karat.wording import in_python

if TYPE_CHECKING:
    from karat.evaluation.protocol import Protocol


DIGESTS = ("gold_digest", "system_digest", "gold_content", "system_content")


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One system under one protocol, with the tally of every unit in the order of the gold.

    ``options`` are those of the protocol as a signature shows them. ``documents`` and ``metadata`` say of each unit
    which gold document it is of, and what that document says of itself. A digest is of the bytes of a side, content
    that of its documents, whatever their order, compression and line ends. ``version`` is that of the Karat that
    scored.

    ``plug_ins`` are the packages of others that brought the protocol or read a side, with their versions.

    ``words`` are those of the gold document of each unit. ``slices`` has, for each feature of items that was asked for
    when the system was scored, the tallies of the units part by part.
    """

    protocol: str
    unit: str
    system: str
    options: Mapping[str, str]
    tallies: Tallies
    documents: Sequence[str]
    metadata: Sequence[Mapping[str, str]]
    words: Sequence[int]
    gold_digest: str
    system_digest: str
    gold_content: str
    system_content: str
    notes: tuple[str, ...] = ()
    read_as: str = ""
    plug_ins: str = ""
    slices: Mapping[str, Sequence[Tally]] = {}
    version: str = __version__

    @property
    def digests(self) -> dict[str, str]:
        """What identifies both sides: the bytes of each, and the content as it was read."""
        return {name: getattr(self, name) for name in DIGESTS}

    @property
    def signature(self) -> str:
        """The signature of the scores if nothing else is asked for."""
        return self.signature_of("undefined")

    def signature_of(self, zero: ZeroRule, bootstrap: Bootstrap | None = None) -> str:
        """Return the signature of the scores by a zero rule, with or without intervals."""
        parts = {"protocol": self.protocol, **took_part(self), **self.options, "zero": zero}
        parts |= {plural(self.unit): str(len(self.tallies.units))} | ({"read": self.read_as} if self.read_as else {})
        parts |= {"gold": self.gold_digest, **self._judged, "system": self.system_digest}
        return signature(parts | ({"ci": str(bootstrap)} if bootstrap else {}), self.version)

    @property
    def _judged(self) -> dict[str, str]:
        """The digests of the judgements that the gold follows from, if people judged it."""
        different = self.metadata.values if isinstance(self.metadata, Alike) else self.metadata
        digests = sorted({metadata[JUDGEMENTS] for metadata in different if JUDGEMENTS in metadata})
        return {JUDGEMENTS: "+".join(digests)} if digests else {}

    def scores(self, *, by: By = None, ci: bool | Bootstrap = False, zero: ZeroRule = "undefined") -> Scores:
        """Return the scores, as :func:`karat.score` does when it is asked the same."""
        scores = scores_of(self, declared(self), by=by, ci=ci, zero=zero)
        return msgspec.structs.replace(scores, notes=tuple(map(in_python, scores.notes)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to a file, whole or not at all."""
        from karat.evaluation.run_file import packed
        from karat.io.outputs import write_whole

        write_whole({os.fspath(path): packed(self)})

    def to_pandas(self) -> Any:
        """Return the counts as a data frame, a row for each unit and group (needs ``karat[frames]``)."""
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("Run.to_pandas", "frames") from None
        protocol = find(self.protocol)
        rows = [
            {"unit": unit, "document": document, **metadata, **group._asdict(), **_named(counts, protocol)}
            for unit, document, metadata, tally in zip(
                self.tallies.units, self.documents, self.metadata, self.tallies.rows, strict=True
            )
            for group, counts in tally.items()
        ]
        return pandas.DataFrame(rows)


def _named(counts: Sequence[float], protocol: Protocol | None) -> dict[str, float]:
    names = protocol.counts if protocol is not None else [f"count{index}" for index in range(len(counts))]
    return dict(zip(names, counts, strict=True))


def took_part(*runs: Run) -> dict[str, str]:
    """Return what a signature of these runs says of the packages of others that took part, if any did."""
    packages = {package for run in runs for package in run.plug_ins.split(",")} - {""}
    return {PLUG_INS: ",".join(sorted(packages))} if packages else {}


def declared(run: Run) -> Protocol:
    """Return the protocol of a run; one that is not installed is an error."""
    protocol = find(run.protocol)
    if protocol is None:
        raise UsageError(f"the run is one of {not_installed(run.protocol, run.plug_ins)}")
    return protocol


def other_version(run: Run, protocol: Protocol) -> tuple[str, ...]:
    """Return a note if the plug-in that a run was counted by is here in another version, which shows the counts."""
    package, _, version = plug_in_of(protocol).partition("==") if run.plug_ins else ("", "", "")
    known = dict(entry.split("==") for entry in run.plug_ins.split(",") if "==" in entry)
    if known.get(package, version) == version:
        return ()
    return (f"counted by {package} {known[package]}, and shown by the formulas of {package} {version}",)


def not_installed(protocol: str, plug_ins: str) -> str:
    """Say of a protocol that it is not here, and what brings it, as far as it is known.

    >>> not_installed("pairs", "relpairs==0.1")
    "the protocol 'pairs', which is not installed here; install relpairs==0.1"
    """
    packages = plug_ins.replace(",", " ") or "the package that brings it"
    return f"the protocol {protocol!r}, which is not installed here; install {packages}"


def check_request(zero: ZeroRule) -> None:
    """Refuse a zero rule that nobody knows, before anything is read."""
    if zero not in ZERO_RULES:
        raise UsageError(f"unknown zero rule {zero!r}; expected {', '.join(ZERO_RULES)}")


def scores_of(
    run: Run,
    protocol: Protocol,
    *,
    by: By = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    only: Callable[[Row], bool] | None = None,
) -> Scores:
    """Return the scores of a run of this protocol: rows, with intervals and breakdowns if asked, and the signature.

    ``only`` says which rows are wanted, if not all are.
    """
    check_request(zero)
    names = {breakdown.name for breakdown in breakdowns(by) if not breakdown.is_key}
    tallies, rows = broken_down(run, protocol, by, zero)
    details = unit_rows(protocol, run.tallies, zero=zero) if "unit" in names else ()
    rows = rows if only is None else tuple(filter(only, rows))
    bootstrap = Bootstrap() if ci is True else ci
    if bootstrap:
        from karat.analysis.statistics.bootstrap import with_intervals

        clusters, strata = (keys_of(run, key) if key else None for key in (bootstrap.clusters, bootstrap.strata))
        rows = with_intervals(protocol, tallies, rows, bootstrap, zero=zero, clusters=clusters, strata=strata)
    notes = run.notes + other_version(run, protocol) + (_doubts(run, bootstrap, rows) if bootstrap else ())
    if "label" in names and not any(row.label is not None for row in rows):
        notes += (f"by label: {protocol.name} has counted no labels",)
    line = run.signature_of(zero, bootstrap or None)
    return Scores(run.protocol, run.system, rows + details, line, run.tallies, notes, run)


def broken_down(run: Run, protocol: Protocol, by: By, zero: ZeroRule) -> tuple[Tallies, tuple[Row, ...]]:
    """Return the tallies of a run with the slices that are asked for, and the rows of both."""
    asked, tallies = breakdowns(by), run.tallies
    is_labelled = any(breakdown.name == "label" and not breakdown.is_key for breakdown in asked)
    rows = rows_of(protocol, tallies, labels=is_labelled, zero=zero)
    for breakdown in asked:
        if breakdown.of_units or breakdown.of_items:
            from karat.analysis.slices.items import slice_rows

            sliced = slices_of(run, breakdown)
            rows += slice_rows(protocol, tallies.units, sliced, breakdown, zero)
            tallies = Tallies(tallies.units, [own | more for own, more in zip(tallies.rows, sliced, strict=True)])
    return tallies, rows


def slices_of(run: Run, breakdown: Breakdown) -> Sequence[Tally]:
    """Return the tallies of all units, part by part, by what is known of units or was asked of items."""
    if breakdown.of_items:
        if breakdown.name in run.slices:
            return run.slices[breakdown.name]
        kept = f"it keeps those by {', '.join(run.slices)}" if run.slices else "it keeps none"
        again = f"score again with --by {breakdown.name}{'=FILE' if breakdown.name == 'seen' else ''} --save"
        raise UsageError(f"the run of {run.system} has no slices by {breakdown.name} ({kept}); {again}")
    return by_unit(run.tallies.rows, breakdown.name, unit_values(run, breakdown))


def unit_values(run: Run, breakdown: Breakdown) -> list[str]:
    """Return what every unit has under a key of the metadata, or what else is known of it."""
    name = breakdown.name
    if breakdown.is_key:
        known = {key for metadata in run.metadata for key in metadata}
        if name not in known:
            raise unknown_key(name, run.unit, known)
        return [metadata.get(name, NONE) for metadata in run.metadata]
    if name == "document-length":
        if not any(run.words):
            raise UsageError(f"the gold of {run.system} has documents without texts, so they have no length")
        return length_ranges(run.words)
    assert name in UNIT_FEATURES  # noqa: S101 - there are no others
    return list(run.documents)


def keys_of(run: Run, key: str) -> list[str]:
    """Return what every unit has under a key of the metadata, or its document; a key that none has is an error."""
    if key == "document":
        return list(run.documents)
    if not any(key in metadata for metadata in run.metadata):
        known = ", ".join(["document", *sorted({name for metadata in run.metadata for name in metadata})])
        raise UsageError(f"no {run.unit} of the gold has {key!r} in its metadata; known: {known}")
    return [metadata.get(key, "") for metadata in run.metadata]


def _doubts(run: Run, bootstrap: Bootstrap, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return what is to be said of intervals from so few units, and of draws without a value."""
    drawn = len(set(keys_of(run, bootstrap.clusters))) if bootstrap.clusters else len(run.tallies.units)
    about = f"group by {bootstrap.clusters}" if bootstrap.clusters else run.unit
    if drawn == 1:
        return (f"one {about}: no interval",)
    if drawn < FEW_UNITS:
        named = f"groups by {bootstrap.clusters}" if bootstrap.clusters else plural(run.unit)
        widened = "are widened, and may still" if bootstrap.method in ("studentised", "widened") else "may"
        few = f"{drawn} {named} are few: intervals {widened} miss more often than they say"
        return (few, *undefined_draws(rows))
    return (*few_of_many(rows, run.unit), *undefined_draws(rows))
