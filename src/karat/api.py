"""The functions that people call from Python: they speak of arguments where commands speak of flags."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import msgspec

from karat import formats
from karat.errors import each_in_python, in_python, in_python_words, spoken_in_python
from karat.evaluation.corpora import Reading, Source, load, named_systems
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.protocol import Bound, Protocol
from karat.evaluation.registry import configure
from karat.formats.base import Format
from karat.model import Document

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from karat.analysis.slices.breakdowns import By
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.display.drawing.pages import Showing
    from karat.evaluation.run import Run
    from karat.evaluation.scores import Scores, ZeroRule
    from karat.report.scored_sources import Ledger


@overload
def score(
    protocol: str | Protocol, gold: Source, system: Mapping[str, Source], **arguments: Any
) -> dict[str, Scores]: ...


@overload
def score(protocol: str | Protocol, gold: Source, system: Source, **arguments: Any) -> Scores: ...


@in_python_words
def score(
    protocol: str | Protocol,
    gold: Source,
    system: Source | Mapping[str, Source],
    *,
    by: By = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    measures: Sequence[str] = (),
    share_links: bool = False,
    strict: bool = False,
    executor: Executor | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    system_format: str | None = None,
    read: Mapping[str, Any] | None = None,
    **options: Any,
) -> Scores | dict[str, Scores]:
    """Score a system against the gold by a published protocol; of a dictionary of systems, each by its name.

    ``gold`` and ``system`` are paths, lists of paths of shards, :class:`~karat.model.Document` objects, or what else
    people hold: lists and dictionaries, generators, columns of NumPy and pandas, objects of tools
    (:mod:`karat.formats.objects`).
    ``by="label"`` adds a row for each label; a feature, or a key of the metadata, one for each of its values; a list
    asks for several (:mod:`karat.analysis.slices.breakdowns` has the names). ``ci=True`` adds studentised bootstrap
    intervals over the units; ``zero`` says what an undefined ratio is; ``measures=["f2", "f0.5"]`` adds F-measures
    wherever there is an F1; with ``share_links`` mentions without a link take those of their chain, and with ``strict``
    a side that has nothing to judge is an error instead of a note. Files are of the ``format``, those of the system of
    the ``system_format``, or recognised; ``read`` are options of the formats. With ``system_format="llm"`` the system
    may be the answers of a language model. ``options`` are those of the protocol.

    >>> gold = [["B-LOC", "O", "B-PER", "I-PER"]]
    >>> system = [["B-LOC", "O", "B-PER", "O"]]
    >>> scores = score("hipe2022-nerc-coarse", gold, system)
    >>> scores.value("f1", regime="strict"), scores.value("f1", regime="fuzzy")
    (0.5, 1.0)
    """
    from karat.analysis.summary import check_request

    bound = configure(protocol, options).asking(measures)
    check_request(zero)
    systems = named_systems(system, system_format or format)
    names = (format, *[system_format or format] * len(systems))
    readings = [Reading(name, read or {}, share_links) for name in names]
    asked: dict[str, Any] = {"by": by, "ci": ci, "zero": zero, "strict": strict, "executor": executor}
    results = _evaluated(bound, gold, systems, readings, asked)
    return results[""] if "" in systems else results


def _evaluated(
    bound: Bound,
    gold: Source,
    systems: Mapping[str, Source],
    readings: Sequence[Reading],
    asked: Mapping[str, Any],
) -> dict[str, Scores]:
    """Return the scores of systems by their names; when they are there, nothing holds the documents any more."""
    from karat.analysis.slices.breakdowns import breakdowns
    from karat.analysis.slices.slicer import slicer_for
    from karat.analysis.summary import scores_of
    from karat.evaluation.tasks import runs_of
    from karat.report.scored_sources import ScoredSources

    gold_side, *sides = load(bound, [gold, *systems.values()], readings)
    slicer = slicer_for(bound, breakdowns(asked["by"]), gold_side, readings[0])
    for name, side in zip(systems, sides, strict=True):
        side.name = name or side.name
    how = {name: asked[name] for name in ("strict", "executor")}
    runs = runs_of(bound, gold_side, sides, slicer=slicer, **how)
    results = {}
    for name, run, reading in zip(systems, runs, readings[1:], strict=True):
        scores = scores_of(run, bound, by=asked["by"], ci=asked["ci"], zero=asked["zero"])
        reread = ScoredSources.of(bound, gold, systems[name], (readings[0], reading))
        results[name] = msgspec.structs.replace(scores, notes=tuple(map(in_python, scores.notes)), reread=reread)
    return results


@in_python_words
def explain(
    protocol: str | Protocol,
    gold: Source,
    system: Source,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    system_format: str | None = None,
    read: Mapping[str, Any] | None = None,
    **options: Any,
) -> Ledger:
    """Yield the ledger: every gold and every system item with its verdict, its partner and the reason.

    A notebook displays it as the texts with gold and system in them.

    >>> gold, system = [["B-LOC", "O", "B-PER"]], [["B-PER", "B-LOC", "B-PER"]]
    >>> [entry.case for entry in explain("hipe2022-nerc-coarse", gold, system)]
    ['wrong-label', 'spurious', 'exact']
    """
    from karat.report.scored_sources import Ledger

    bound = configure(protocol, options)
    readings = [Reading(name, read or {}) for name in (format, system_format or format)]
    sides = load(bound, [gold, system], readings, lines=True)
    entries = each_in_python(Evaluation(bound, *sides).entries())

    def shown() -> Showing:
        from karat.report.notebook import show

        how: dict[str, Any] = {"format": format, "system_format": system_format, "read": read, **options}
        return show(gold, system, protocol, **how)

    return Ledger(entries, None if isinstance(gold, Iterator) or isinstance(system, Iterator) else shown)


def rescore(
    run: Run,
    *,
    by: By = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    measures: Sequence[str] = (),
) -> Scores:
    """Return the scores of a run, as :func:`score` does when it is asked the same."""
    from karat.analysis.summary import scores_of
    from karat.evaluation.run import declared

    scores = scores_of(run, declared(run).asking(measures), by=by, ci=ci, zero=zero)
    return msgspec.structs.replace(scores, notes=tuple(map(in_python, scores.notes)))


def read(path: str | os.PathLike[str], format: str | Format | None = None, **options: Any) -> list[Document]:  # noqa: A002
    """Return the documents of a file or folder, in the given or named format, or the one it is recognised as.

    ``options`` are those of the format; :func:`karat.formats.read` does the same lazily.
    """
    with spoken_in_python("read"):
        return list(formats.read(path, format, options=options))


def write(
    documents: Iterable[Document],
    path: str | os.PathLike[str],
    format: str | Format,  # noqa: A002 - the word users know
    **options: Any,
) -> None:
    """Write documents to a file, or to a folder if the given or named format lives in one; losslessly or not at all."""
    with spoken_in_python("read"):
        formats.write(documents, path, format, options)
