"""A run: one system scored by one protocol, as tallies by unit, from which rows, intervals and breakdowns come."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from karat._version import __version__
from karat.errors import UsageError, needing, plural
from karat.evaluation.notices import Notices
from karat.evaluation.plain_keys import PlainFacts
from karat.evaluation.registry import find, plug_in_of
from karat.evaluation.scores import Scores, ZeroRule
from karat.evaluation.tally import Tallies, concatenate
from karat.settings import recover_settings
from karat.signature import JUDGEMENTS, PLUG_INS, signature

if TYPE_CHECKING:
    from karat.analysis.slices.breakdowns import By
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.protocol import Bound


DIGESTS = ("gold_digest", "system_digest", "gold_content", "system_content")


class Shard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file of the gold with its counterpart of the system: what a run keeps of them, so that runs can be merged.

    Args:
        names: what gold and system are called
        paths: where they are
        digests: of their bytes
        contents: of their documents
        units: how many units of the run are of this shard
        numbered: whether only their position names the gold documents
        noticed: what was noticed while they were read
        noted: what was noticed of pairs of documents, and how often
        said: what was said when documents were paired
        facts: what must be known of them, and how often it holds

    """

    names: tuple[str, str]
    paths: tuple[str | None, str | None]
    digests: tuple[str, str]
    contents: tuple[str, str]
    units: Annotated[int, msgspec.Meta(ge=0)]
    numbered: bool = False
    noticed: tuple[Notices, Notices] = (Notices(), Notices())
    noted: list[tuple[Any, int]] = []
    said: list[Any] = []
    facts: PlainFacts = []


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One system under one protocol, with the tally of every unit in the order of the gold.

    A digest is of the bytes of a side; content is the digest of its documents, whatever their order, compression and
    line ends.

    Args:
        options: those of the protocol, as a signature shows them
        counts: the names of the counts in the tallies
        documents: for each unit, the id of its gold document
        metadata: by key, what the gold document of each unit has under that key
        words: for each unit, the number of words of its gold document
        slices: for each feature of items that was asked for, the tallies of the same units by the values of the feature
        read_as: how both sides were read, if not as usual
        plug_ins: the packages of others that brought the protocol or read a side, with their versions
        version: that of the Karat that scored
        shards: the shards in the order of their units; none if the run cannot be merged with others
        told: the facts of the larger corpus that the shards were judged with, if it was one

    """

    protocol: str
    unit: str
    system: str
    options: Mapping[str, str]
    counts: tuple[str, ...]
    tallies: Tallies
    documents: list[str]
    metadata: Mapping[str, list[str | None]]
    words: list[int]
    gold_digest: str
    system_digest: str
    gold_content: str
    system_content: str
    notes: tuple[str, ...] = ()
    read_as: str = ""
    plug_ins: str = ""
    slices: Mapping[str, Tallies] = {}
    version: str = __version__
    shards: Sequence[Shard] = ()
    told: Sequence[tuple[Any, int]] = ()

    @property
    def digests(self) -> dict[str, str]:
        """What identifies both sides: the bytes of each, and the content as it was read."""
        return {name: getattr(self, name) for name in DIGESTS}

    @property
    def signature(self) -> str:
        """The signature of the scores if nothing else is asked for."""
        return self.signature_of("undefined")

    def signature_of(self, zero: ZeroRule, bootstrap: Bootstrap | None = None, measures: Sequence[str] = ()) -> str:
        """Return the signature of the scores by a zero rule, with or without intervals and measures asked for."""
        parts = {"protocol": self.protocol, **took_part(self), **self.options, "zero": zero}
        parts |= {"measures": "+".join(measures)} if measures else {}
        parts |= {plural(self.unit): str(len(self.tallies.units))} | ({"read": self.read_as} if self.read_as else {})
        parts |= {"gold": self.gold_digest, **self._judged, "system": self.system_digest}
        return signature(parts | ({"ci": str(bootstrap)} if bootstrap else {}), self.version)

    @property
    def _judged(self) -> dict[str, str]:
        """The digests of the judgements that the gold follows from, if people judged it."""
        digests = sorted({digest for digest in self.metadata.get(JUDGEMENTS, ()) if digest is not None})
        return {JUDGEMENTS: "+".join(digests)} if digests else {}

    def renamed(self, units: Sequence[str], documents: Sequence[str]) -> Run:
        """Return the run with other names of its units and documents."""
        tables = [Tallies(units, table.rows) for table in (self.tallies, *self.slices.values())]
        slices = dict(zip(self.slices, tables[1:], strict=True))
        return msgspec.structs.replace(self, tallies=tables[0], slices=slices, documents=list(documents))

    def scores(
        self,
        *,
        by: By = None,
        ci: bool | Bootstrap = False,
        zero: ZeroRule = "undefined",
        measures: Sequence[str] = (),
    ) -> Scores:
        """Return the scores, as :func:`karat.score` does when it is asked the same."""
        import karat  # what is asked of runs is built on them; the front door knows both

        scores: Scores = karat.rescore(self, by=by, ci=ci, zero=zero, measures=measures)
        return scores

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to a file, whole or not at all."""
        from karat.evaluation.run_file import packed
        from karat.io.outputs import write_whole

        write_whole({os.fspath(path): packed(self)})

    def to_pandas(self) -> Any:
        """Return the counts as a data frame, a row for each unit and group (needs ``karat[frames]``)."""
        with needing("Run.to_pandas", "frames"):
            import pandas
        rows = []
        for index, (unit, document) in enumerate(zip(self.tallies.units, self.documents, strict=True)):
            known = {key: values[index] for key, values in self.metadata.items() if values[index] is not None}
            for group, counts in self.tallies.row(index).items():
                named = dict(zip(self.counts, counts, strict=True))
                rows.append({"unit": unit, "document": document, **known, **group._asdict(), **named})
        return pandas.DataFrame(rows)


def joined(runs: Sequence[Run]) -> Run:
    """Return the first run with the units of all runs, one run behind the other.

    Notes and digests are those of the first run.
    """
    keys = dict.fromkeys(key for run in runs for key in run.metadata)
    return msgspec.structs.replace(
        runs[0],
        tallies=concatenate(run.tallies for run in runs),
        documents=[document for run in runs for document in run.documents],
        metadata={key: [value for run in runs for value in _metadata(run, key)] for key in keys},
        words=[words for run in runs for words in run.words],
        slices={name: concatenate(run.slices[name] for run in runs) for name in runs[0].slices},
    )


def at(run: Run, units: Sequence[int]) -> Run:
    """Return a run with some of its units, in this order."""
    return msgspec.structs.replace(
        run,
        shards=(),
        tallies=run.tallies.at(units),
        documents=[run.documents[unit] for unit in units],
        metadata={key: [values[unit] for unit in units] for key, values in run.metadata.items()},
        words=[run.words[unit] for unit in units],
        slices={name: sliced.at(units) for name, sliced in run.slices.items()},
    )


def _metadata(run: Run, key: str) -> Sequence[str | None]:
    return run.metadata[key] if key in run.metadata else [None] * len(run.tallies)


def took_part(*runs: Run) -> dict[str, str]:
    """Return what a signature of these runs says of the packages of others that took part, if any did."""
    packages = {package for run in runs for package in run.plug_ins.split(",")} - {""}
    return {PLUG_INS: ",".join(sorted(packages))} if packages else {}


def declared(run: Run) -> Bound:
    """Return the protocol of a run with its options; one that is not installed is an error.

    Files that the options name are not opened again: a run has digests of them, and counts.
    """
    protocol = find(run.protocol)
    if protocol is None:
        raise UsageError(f"the run is one of {not_installed(run.protocol, run.plug_ins)}")
    return protocol.with_options(recover_settings(protocol.options, run.options))


def other_version(run: Run, bound: Bound) -> tuple[str, ...]:
    """Return a note if the plug-in that a run was counted by is here in another version, which shows the counts."""
    package, _, version = plug_in_of(bound.protocol).partition("==") if run.plug_ins else ("", "", "")
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
