"""Checks of a result: it is recomputed from gold and system by its signature and compared number by number."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from karat._version import __version__
from karat.analysis.slices.breakdowns import LABEL, SEEN, UNIT, By, breakdowns
from karat.analysis.slices.slicer import slicer_for
from karat.analysis.summary import scores_of
from karat.analysis.verification.claims import ClaimedNumbers, claim_for, is_run
from karat.analysis.verification.signatures import (
    DRAWING,
    SignatureSettings,
    bootstrap_from,
    other_drawing,
    readings_from,
    settings_for,
    settings_in,
)
from karat.errors import InputError, UsageError, many
from karat.evaluation.corpora import Reading, Source, load
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import find
from karat.evaluation.run import Run, not_installed
from karat.evaluation.scores import ZERO_RULES, Row
from karat.evaluation.tasks import run_of
from karat.measures.ratios import same_number
from karat.settings import shown
from karat.signature import PLUG_INS, parts_of

Kind = Literal["data", "options", "version", "number"]


class Finding(NamedTuple):
    """A finding of a check; with ``differs``, the result is not reproduced because of it."""

    kind: Kind
    sentence: str
    differs: bool = False


class Check(msgspec.Struct, frozen=True):
    """The outcome of a check: the number of numbers compared, and the findings."""

    result: str
    numbers: int
    findings: tuple[Finding, ...]
    how: str = ""

    @property
    def is_reproduced(self) -> bool:
        """Whether no finding makes it a different result."""
        return not any(finding.differs for finding in self.findings)

    def of(self, kind: Kind) -> list[Finding]:
        """Return the findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def lines(self, most: int = 20) -> list[str]:
        """Return the outcome as lines, the verdict first, with at most ``most`` differing numbers."""
        lines = [self.verdict]
        lines += [finding.sentence for finding in self.findings if finding.kind != "number"]
        lines += [finding.sentence for finding in self.of("number")[:most]]
        if len(self.of("number")) > most:
            lines.append(f"and {many(len(self.of('number')) - most, 'number')} more")
        return lines

    @property
    def verdict(self) -> str:
        """The outcome in a sentence, with the published revision that was tried, if there are several."""
        wrong = sum(finding.differs for finding in self.of("number"))
        return f"{self._sentence(wrong)}{f' ({self.how})' if self.how else ''}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        findings = [finding._asdict() for finding in self.findings]
        names = ("result", "is_reproduced", "numbers", "how", "verdict")
        return {name: getattr(self, name) for name in names} | {"findings": findings}

    def _sentence(self, wrong: int) -> str:
        if self.is_reproduced:
            every = "its number is" if self.numbers == 1 else f"all {self.numbers} numbers are"
            return f"reproduced: {self.result}, {every} the same"
        because = sorted({finding.kind for finding in self.findings if finding.differs})
        if because == ["number"]:
            verb = "differs" if wrong == 1 else "differ"
            return f"not reproduced: {self.result}, {wrong} of {many(self.numbers, 'number')} {verb}"
        numbers = f"{wrong} of {many(self.numbers, 'number')}" if wrong else "no number"
        others = " and ".join(kind for kind in because if kind != "number")
        verb = "differs" if wrong < 2 else "differ"
        return f"not reproduced: {self.result}, {numbers} {verb}, and it is of other {others}"


PUBLISHED = ("karat.protocols.hipe.drop_in.published",)
"""The modules that verify reports of published programs, each with ``is_report`` and ``verify``."""


def verify(
    result: str | os.PathLike[str],
    gold: Source,
    system: Source,
    *,
    by: By = None,
    readings: Sequence[Reading] | None = None,
    **given: Any,
) -> Check:
    """Recompute a result and return what differs: data, options, version, or numbers.

    Args:
        result: a run file, a file in the view json, jsonl, tsv or csv, or a report of a published program, which has
            no signature and is tried by every published revision.
        gold: the gold that it was scored against.
        system: the system that it is about.
        by: the breakdowns that need a file.
        readings: how gold and system are read, if not as the signature says.
        given: options that a signature does not contain, such as files.

    """
    if not is_run(result):
        for module in map(import_module, PUBLISHED):
            if module.is_report(result):
                check: Check = module.verify(result, gold, system, given)
                return check
    claim = claim_for(result, system)
    parts = _signed(claim, result)
    protocol = find(parts.get("protocol", ""))
    if protocol is None:
        absent = not_installed(parts.get("protocol", ""), parts.get(PLUG_INS, ""))
        raise InputError(f"is a result of {absent}", path=result)
    asked = settings_in(parts, protocol)
    measures = [name for name in asked.others.get("measures", "").split("+") if name]
    bound = protocol.with_options(settings_for(protocol, asked.options, given)).asking(measures)
    reading = readings or readings_from(asked.others.get("read", ""))
    sides = load(bound, [gold, system], reading)
    broken_down = _breakdowns(bound, claim.rows, by)
    slicer = slicer_for(bound, breakdowns(broken_down), sides[0], reading[0])
    run = run_of(bound, *sides, slicer=slicer)
    findings = [*_version(asked, run), *_options(asked, bound, run), *_data(claim, asked, run)]
    drawn = asked.others.get("ci", "")
    ci = bootstrap_from(drawn) if drawn and not other_drawing(drawn) else False
    zero: Any = asked.others.get("zero", "undefined")
    here = claim.named(scores_of(run, bound, by=broken_down, ci=ci, zero=zero).rows)
    told = claim.told(here)
    claimed = told if ci or not drawn else [msgspec.structs.replace(row, interval=None) for row in told]
    findings += [finding for row in claimed if (finding := _number(row, here.get(row.name)))]
    return Check(Path(result).name, len(told), tuple(findings))


def _signed(claim: ClaimedNumbers, result: str | os.PathLike[str]) -> dict[str, str]:
    """Return the parts of the signature of a result; raise an error if it is not a valid signature."""
    try:
        parts = parts_of(claim.signature)
    except UsageError as error:
        raise InputError(str(error), path=result) from error
    if parts.get("zero", ZERO_RULES[0]) not in ZERO_RULES:
        raise InputError(f"its signature has the unknown zero rule {parts['zero']!r}", path=result)
    return parts


def _breakdowns(bound: Bound, rows: Sequence[Row], given: By) -> list[str]:
    """Return the breakdowns that the rows of a result show."""
    own = [row.slice.partition("=")[0] for row in rows if "=" in row.slice]
    asked = [given] if isinstance(given, str) else list(given or ())
    if any(row.label is not None for row in rows):
        asked.append(LABEL)
    known = {breakdown.name for breakdown in breakdowns(asked)}
    for name in dict.fromkeys(own):
        if name in known:
            continue
        of_unit = name == bound.unit and all(row.average != "macro-unit" for row in rows if row.slice.startswith(name))
        if name == SEEN:
            raise UsageError("the result has slices by seen=FILE; add --by seen=FILE with that file")
        asked.append(UNIT if of_unit else name)
    return asked


def _version(asked: SignatureSettings, run: Run) -> Iterator[Finding]:
    if asked.version != __version__:
        yield Finding("version", f"version: scored by {asked.version}, checked by {__version__}")
    plug_ins = asked.others.get(PLUG_INS, "")
    if plug_ins != run.plug_ins:
        told = f"scored with {plug_ins or 'no plug-in'}, checked with {run.plug_ins or 'no plug-in'}"
        yield Finding("version", f"version: {told}")
    if drawing := other_drawing(asked.others.get("ci", "")):
        yield Finding("version", f"version: intervals were drawn by {drawing}, here by {DRAWING}; they are not checked")


def _options(asked: SignatureSettings, bound: Bound, run: Run) -> Iterator[Finding]:
    here = shown(bound.options)
    for name in dict.fromkeys((*asked.options, *here)):
        if asked.options.get(name) != here.get(name):
            told = (asked.options.get(name, "not said"), here.get(name, "not said"))
            yield Finding("options", f"options: {name} is {told[0]} in the result, {told[1]} here", differs=True)
    read = asked.others.get("read", "")
    if read != run.read_as:
        sentence = f"options: read as {read or 'recognised'} for the result, as {run.read_as or 'recognised'} here"
        yield Finding("options", sentence)


def _data(claim: ClaimedNumbers, asked: SignatureSettings, run: Run) -> Iterator[Finding]:
    """Yield whether both sides are those of the result, by their bytes or, if these differ, by their content."""
    sides: Mapping[str, tuple[str, str, str]] = {
        "gold": (claim.gold_content, run.gold_digest, run.gold_content),
        "system": (claim.system_content, run.system_digest, run.system_content),
    }
    for side, (content, digest, own_content) in sides.items():
        told = asked.others.get(side, "")
        if told == digest:
            yield Finding("data", f"data: the {side} is the same, to the byte ({digest})")
        elif not content:
            yield Finding(
                "data",
                f"data: the {side} has other bytes ({told} in the result, {digest} here, content {own_content}); "
                "whether its content is the same, a result without the digest of its content does not say",
            )
        elif content == own_content:
            sentence = f"data: the {side} has the same content ({content}) in other bytes ({told}, here {digest})"
            yield Finding("data", sentence)
        else:
            sentence = f"data: the {side} is another one (content {content} in the result, {own_content} here)"
            yield Finding("data", sentence, differs=True)


def _number(claimed: Row, here: Row | None) -> Finding | None:
    """Return how a number differs (value, interval or counts), or None."""
    if here is None:
        return Finding("number", f"{claimed.name}: {_shown(claimed.value)} in the result, no such number here", True)
    if not same_number(claimed.value, here.value):
        told = f"{_shown(claimed.value)} in the result, {_shown(here.value)} here"
        return Finding("number", f"{claimed.name}: {told}", True)
    for count, claimed_count in claimed.counts.items():
        if not same_number(claimed_count, here.counts.get(count)):
            told = f"{count} is {claimed_count} in the result, {here.counts.get(count, 'not there')} here"
            return Finding("number", f"{claimed.name}: {told}", True)
    if claimed.interval is not None:
        limits = (claimed.interval.low, claimed.interval.high)
        own = (here.interval.low, here.interval.high) if here.interval else (None, None)
        if not all(map(same_number, limits, own)):
            told = f"between {limits[0]} and {limits[1]} in the result, {_shown(own[0])} and {_shown(own[1])} here"
            return Finding("number", f"{claimed.name}: {told}", True)
    return None


def _shown(value: float | None) -> str:
    return "undefined" if value is None else repr(value)
