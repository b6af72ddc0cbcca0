"""From two sides to a run, a part or facts by shares, where their formats can be cut."""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from karat.errors import InputError
from karat.evaluation.corpora import Corpus, Recipe
from karat.evaluation.engines import Processes, in_order
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.part import Part, PartNumber, combined
from karat.evaluation.paying import size_of
from karat.evaluation.protocol import Bound, Facts, Side, no_facts
from karat.evaluation.running import WHOLE, plug_ins_of, read_as_of, scored
from karat.evaluation.shares import Job, MiscutError, extracts_of, gather, judge, locate, plan_of
from karat.formats.base import Index
from karat.io import digest
from karat.io.progress import expect, see

if TYPE_CHECKING:
    from karat.analysis.slices.items import ItemSlicer

SHARE = 1 << 20
"""Bytes of a share at least."""
LOAD = 4
"""How many times larger than what is said with it a share is at least."""


def part_of(
    bound: Bound,
    gold: Corpus,
    system: Corpus,
    *,
    number: PartNumber,
    given: Mapping[str, Any],
    facts: Facts | None = None,
    slicer: ItemSlicer | None = None,
    executor: Executor | None = None,
) -> Part:
    """Return one part of what one side is worth against the other; ``given`` are the options as they were given.

    Only its documents are read, where the formats can be cut; where not, all are read, and only those of the part
    drafted and judged.
    """
    plain = {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in given.items()}
    part_and_facts = by_shares(bound, (gold, system), number, facts, executor) if slicer is None else None
    if part_and_facts is not None:
        return msgspec.structs.replace(part_and_facts[0], number=number, given=plain, apart=True)
    for side in (gold, system):
        side.identifies = True
    evaluation = Evaluation(bound, gold, system, facts=facts, number=number)
    return scored(evaluation, number, plain, slicer=slicer, executor=for_sheets(executor))


def facts_of(bound: Bound, gold: Corpus, system: Corpus, *, executor: Executor | None = None) -> Facts:
    """Return what must be known of all documents of both sides before a pair can be judged."""
    if executor is not None and is_worth(executor, gold, system):
        cut = _cut(bound, (gold, system), executor)
        with suppress(MiscutError, InputError):
            if cut is not None:
                return _gathered(bound, cut[0].packed(), cut[1], executor)
    return Evaluation(bound, gold, system).gathered()


def by_shares(
    bound: Bound,
    sides: tuple[Corpus, Corpus],
    number: PartNumber,
    facts: Facts | None,
    executor: Executor | None,
    *,
    identify: bool = True,
) -> tuple[Part, Any] | None:
    """Return what came of the shares of a part, or of all, and what is known; nothing if the sides cannot be cut.

    There is nothing, either, if a file is odd or has a fault: whoever reads it in order then will say where. Without
    ``identify`` no digest of the content is taken.
    """
    cut = _cut(bound, sides, executor)
    if cut is None:
        return None
    job, indexes = cut
    try:
        told = _gathered(bound, job.packed(), indexes, executor) if facts is None else facts
    except (MiscutError, InputError):
        return None
    known = bound.settle(told)
    said: list[str] = []
    plan = plan_of(bound, known, indexes, [recipe.path for recipe in job.sides], said.append)
    if plan is None:
        return None
    packed = job._replace(facts=told, identify=identify).packed()
    shares = plan.shares(max(SHARE, LOAD * len(packed)), None if number is WHOLE else number)
    tasks: list[tuple[Any, ...]] = [(digest, job.place(side)) for side in (0, 1)]
    tasks += [(judge, packed, share) for share in shares]
    expect(sum(len(index.places) for index in indexes) // number.of if executor else 0)
    parts: list[Part] = []
    try:
        results = in_order(executor, _call, tasks)
        gold_digest, system_digest = next(results), next(results)
        for part in results:
            parts.append(part)
            see(sum(noticed.documents for noticed in part.noticed) if executor else 0)
    except (MiscutError, InputError):
        return None
    whole = combined(parts)
    run = msgspec.structs.replace(
        whole.run,
        gold_digest=gold_digest,
        system_digest=system_digest,
        read_as=read_as_of(*sides),
        plug_ins=plug_ins_of(bound, *sides),
    )
    origins = msgspec.structs.replace(whole.origins, total=len(plan.pairs))
    return (msgspec.structs.replace(whole, run=run, said=tuple(said), facts=told, origins=origins), known)


def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


def _gathered(bound: Bound, job: bytes, indexes: tuple[Index, Index], executor: Executor | None) -> Facts:
    """Return the facts of all documents, gathered share by share."""
    facts: Facts = Counter()
    if bound.facts is not no_facts:
        sides: tuple[Side, Side] = ("gold", "system")
        tasks = [
            (job, side, extract)
            for side, index in zip(sides, indexes, strict=True)
            for extract in extracts_of(index, SHARE)
        ]
        expect(sum(len(index.places) for index in indexes) if executor else 0)
        for (_, _, extract), gathered in zip(tasks, in_order(executor, gather, tasks), strict=True):
            facts.update(gathered)
            see(len(extract.places) if executor else 0)
    return facts


def _cut(
    bound: Bound, sides: tuple[Corpus, Corpus], executor: Executor | None
) -> tuple[Job, tuple[Index, Index]] | None:
    """Return what workers are told, and where the documents of both sides lie, which workers look for.

    There is nothing if a side comes from no file or cannot be cut, or something cannot travel.
    """
    gold, system = sides
    if gold.recipe is None or system.recipe is None:
        return None
    job = Job(bound, (gold.recipe, system.recipe), (gold.name, system.name), str(Path.cwd()))
    try:
        job.packed()
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
    if not all(recipe.can_be_cut for recipe in job.sides):
        return None
    recipes = [(recipe._replace(path=job.place(side)),) for side, recipe in enumerate(job.sides)]
    golds, systems = in_order(executor, Recipe.places if executor is None else locate, recipes)
    return None if golds is None or systems is None else (job, (golds, systems))


def is_worth(executor: Executor, gold: Corpus, system: Corpus) -> bool:
    """Say whether the data are large enough for the executor; how large those of a folder are is not known."""
    if not isinstance(executor, Processes):
        return True
    return executor.pays(sum(size_of(side.path) for side in (gold, system)))


def for_sheets(executor: Executor | None) -> Executor | None:
    """Return the executor for units that were drafted here; processes only if they were asked for."""
    return None if isinstance(executor, Processes) and not executor.were_asked_for else executor
