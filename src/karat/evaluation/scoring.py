"""The road from files or objects to scores: read, pair, judge, count, sum, and sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import fields
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

import msgspec

from karat.errors import UsageError
from karat.evaluation.corpora import Corpus, Reading, Source, load, named_systems
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.protocol import Facts, Protocol
from karat.evaluation.registry import protocol as protocol_named
from karat.garbage import without_collection
from karat.wording import each_in_python, in_python, in_python_words

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from karat.analysis.slices.asking import By
    from karat.analysis.slices.items import ItemSlicer
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.part import Part
    from karat.evaluation.rereading import Ledger
    from karat.evaluation.scores import Scores, ZeroRule
    from karat.show.drawing.pages import Showing

__all__ = [
    "Bootstrap",
    "Corpus",
    "Evaluation",
    "Reading",
    "Source",
    "configure",
    "evaluate",
    "explain",
    "load",
    "score",
    "score_part",
]


def __getattr__(name: str) -> Any:
    """Load how intervals are computed when somebody asks for it: a program that only counts does not."""
    if name == "Bootstrap":
        from karat.analysis.statistics.intervals import Bootstrap

        return Bootstrap
    raise AttributeError(f"module 'karat.evaluation.scoring' has no attribute {name!r}")


_OF_READING = ("scheme", "repair", "end")
"""What people take for options of a protocol, and is said of what is read."""


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
    share_links: bool = False,
    strict: bool = False,
    executor: Executor | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    system_format: str | None = None,
    read: Mapping[str, Any] | None = None,
    **options: Any,
) -> Scores | dict[str, Scores]:
    """Score a system against the gold by a published protocol; of a dictionary of systems, each by its name.

    ``gold`` and ``system`` are paths, :class:`~karat.model.Document` objects, or what else people hold: lists and
    dictionaries, generators, columns of NumPy and pandas, objects of tools (:mod:`karat.formats.objects`).
    ``by="label"`` adds a row for each label; a feature, or a key of the metadata, one for each of its values; a list
    asks for several (:mod:`karat.analysis.slices.asking` has the names). ``ci=True`` adds studentised bootstrap
    intervals over the units; ``zero`` says what an undefined ratio is; with ``share_links`` mentions without a link
    take those of their chain, and with ``strict`` a side that has nothing to judge is an error instead of a note.
    Files are of the ``format``, those of the system of the ``system_format``, or recognised; ``read`` are options of
    the formats. With
    ``system_format="llm"`` the system may be the answers of a language model. ``options`` are those of the protocol.

    >>> gold = [["B-LOC", "O", "B-PER", "I-PER"]]
    >>> system = [["B-LOC", "O", "B-PER", "O"]]
    >>> scores = score("hipe2022-nerc-coarse", gold, system)
    >>> scores.value("f1", regime="strict"), scores.value("f1", regime="fuzzy")
    (0.5, 1.0)
    """
    from karat.evaluation.run import check_request

    chosen, settings = configure(protocol, options)
    check_request(zero)
    systems = named_systems(system, system_format or format)
    names = (format, *[system_format or format] * len(systems))
    readings = [Reading(name, read or {}, share_links) for name in names]
    asked: dict[str, Any] = {"by": by, "ci": ci, "zero": zero, "strict": strict, "executor": executor}
    are_files = all(isinstance(source, str | PathLike) for source in (gold, *systems.values()))
    with nullcontext() if are_files else without_collection():
        results = _evaluated(chosen, settings, gold, systems, readings, asked)
    return results[""] if "" in systems else results


def _evaluated(
    protocol: Protocol,
    settings: Any,
    gold: Source,
    systems: Mapping[str, Source],
    readings: Sequence[Reading],
    asked: Mapping[str, Any],
) -> dict[str, Scores]:
    """Return the scores of systems by their names; when they are there, nothing holds the documents any more."""
    from karat.analysis.slices.asking import breakdowns
    from karat.evaluation.rereading import Rereading
    from karat.evaluation.slicing import slicer_for

    gold_side, *sides = load(protocol, settings, [gold, *systems.values()], readings)
    slicer = slicer_for(protocol, settings, breakdowns(asked["by"]), gold_side, readings[0])
    results = {}
    for name, side, reading in zip(systems, sides, readings[1:], strict=True):
        side.name = name or side.name
        scores = evaluate(protocol, settings, gold_side, side, slicer=slicer, **asked)
        reread = Rereading.of(protocol, settings, gold, systems[name], (readings[0], reading))
        results[name] = msgspec.structs.replace(scores, notes=tuple(map(in_python, scores.notes)), reread=reread)
    return results


@in_python_words
def score_part(
    protocol: str | Protocol,
    gold: Source,
    system: Source,
    part: str,
    *,
    by: By = None,
    facts: Facts | None = None,
    share_links: bool = False,
    executor: Executor | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    system_format: str | None = None,
    read: Mapping[str, Any] | None = None,
    **options: Any,
) -> Part:
    """Score one part of the documents, such as ``"3/16"``; :func:`karat.merge` makes a run of all parts.

    ``by`` are the features of items that the run is to keep; ``facts`` are those of all documents, if
    :func:`karat.evaluation.spreading.facts_of` has gathered them; all else is as for :func:`score`.
    """
    from karat.analysis.slices.asking import breakdowns
    from karat.evaluation.part import PartNumber
    from karat.evaluation.slicing import slicer_for
    from karat.evaluation.spreading import part_of

    chosen, settings = configure(protocol, options)
    readings = [Reading(name, read or {}, share_links) for name in (format, system_format or format)]
    sides = load(chosen, settings, [gold, system], readings)
    return part_of(
        chosen,
        settings,
        *sides,
        number=PartNumber.parse(part),
        given=options,
        facts=facts,
        slicer=slicer_for(chosen, settings, breakdowns(by), sides[0], readings[0]),
        executor=executor,
    )


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
    from karat.evaluation.rereading import Ledger

    chosen, settings = configure(protocol, options)
    readings = [Reading(name, read or {}) for name in (format, system_format or format)]
    sides = load(chosen, settings, [gold, system], readings, lines=True)
    entries = each_in_python(Evaluation(chosen, settings, *sides).entries())

    def shown() -> Showing:
        from karat.evaluation.showing import show

        how: dict[str, Any] = {"format": format, "system_format": system_format, "read": read, **options}
        return show(gold, system, protocol, **how)

    return Ledger(entries, None if isinstance(gold, Iterator) or isinstance(system, Iterator) else shown)


def configure(protocol: str | Protocol, options: Mapping[str, Any]) -> tuple[Protocol, Any]:
    """Return the protocol and its options, checked."""
    chosen = protocol_named(protocol) if isinstance(protocol, str) else protocol
    known = {declared.name for declared in fields(chosen.options)}
    for name in (name for name in options if name in _OF_READING and name not in known):
        advice = f"how tags and spans are read is said with --read {name}={options[name]}"
        raise UsageError(f"protocol {chosen.name} has no option {name!r}; {advice}")
    return chosen, chosen.configure(options)


def evaluate(
    protocol: Protocol,
    settings: Any,
    gold: Corpus,
    system: Corpus,
    *,
    by: By = None,
    slicer: ItemSlicer | None = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    strict: bool = False,
    executor: Executor | None = None,
) -> Scores:
    """Score one side against the other; breakdowns by features of items need the slicer for them."""
    from karat.evaluation.run import check_request, scores_of
    from karat.evaluation.running import run_of

    check_request(zero)
    run = run_of(protocol, settings, gold, system, strict=strict, slicer=slicer, executor=executor)
    return scores_of(run, protocol, by=by, ci=ci, zero=zero)
