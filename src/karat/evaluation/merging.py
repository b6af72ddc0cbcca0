"""Runs of shards put together: the run that one process would have made of all of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from karat.errors import InputError, UsageError
from karat.evaluation.notices import Noted, Notices, lacks, remarks_on, unlike, with_lacks
from karat.evaluation.plain_keys import PlainFacts, facts_in, plain_facts, restored
from karat.evaluation.protocol import Bound, Facts, Lack, no_facts
from karat.evaluation.run import Run, Shard, at, declared, joined
from karat.evaluation.shards import distinct, pattern_of
from karat.signature import sum_of_contents


def merge(runs: Run | str | os.PathLike[str] | Iterable[Run | str | os.PathLike[str]]) -> Run:
    """Return the run of all shards of some runs, in any order: what one process would have made of them, to the byte.

    Runs are run files or what scores keep as their run. What does not belong together is refused.
    """
    from karat.evaluation.run_file import load

    if isinstance(runs, str | os.PathLike | Run):
        runs = [runs]
    loaded = [(run, "") if isinstance(run, Run) else (load(run), os.fspath(run)) for run in runs]
    if not loaded:
        raise UsageError("there is nothing to merge; expected runs of shards")
    (first, path), *others = loaded
    for run, own_path in loaded:
        if not run.shards:
            raise InputError("the run does not say of which shards it is; score it again", path=own_path or None)
    for other, other_path in others:
        _check_alike((first, path), (other, other_path))
    bound = declared(first)
    several = [run for run, _ in loaded]
    try:
        known = bound.settle(_facts(several, bound))
        if len(loaded) > 1 and (why := bound.whole(known)):
            raise UsageError(
                f"runs of {bound.name} with these options cannot be merged: {why}; score all shards at once"
            )
        return merged(several, bound, known)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        message = f"the runs have facts or notes that are none of {bound.name} ({error})"
        raise InputError(f"{message}; score the shards again") from error


def merged(runs: Sequence[Run], bound: Bound, known: Any, notes: Sequence[str] = ()) -> Run:
    """Return runs of shards as one, in the order of the names of the shards, with what was noticed in words.

    Args:
        runs: the runs, of the same protocol with the same options.
        bound: that protocol.
        known: what is known of all shards.
        notes: what else is to be said.

    """
    shards, whole = _in_order(runs)
    if len(shards) > 1:
        _check_different(whole, shards)
        _check_cut_alike(shards, bound)
    digests = [sum_of_contents(shard.digests[side] for shard in shards) for side in (0, 1)]
    contents = [sum_of_contents(shard.contents[side] for shard in shards) for side in (0, 1)]
    run = msgspec.structs.replace(
        whole,
        system=pattern_of([shard.names[1] for shard in shards]),
        gold_digest=digests[0],
        system_digest=digests[1],
        gold_content=contents[0],
        system_content=contents[1],
        shards=tuple(shards),
        told=_told(runs, shards, bound),
    )
    return msgspec.structs.replace(run, notes=_worded(run, bound, known, notes))


def refuse_lacks(run: Run, bound: Bound, known: Any) -> None:
    """Refuse a run in which a side has nothing to judge."""
    remarks = remarks_on(*_noticed_by(run, bound), run.system, bound, known)
    said = [note for note in remarks if isinstance(note, Lack)]
    if absent := lacks(bound, _noticed(run), run.tallies) or said:
        raise InputError(f"{run.system}: {'; '.join(absent)}; without --strict this is a note")


def _in_order(runs: Sequence[Run]) -> tuple[list[Shard], Run]:
    """Return the shards of runs in their order, and a run with their units in this order.

    Where there are several, the units of documents that only their position names are named with their shard.
    """
    if len(runs) == 1 and len(runs[0].shards) == 1:
        return list(runs[0].shards), runs[0]
    starts, total = [], 0
    for shard in (every := [shard for run in runs for shard in run.shards]):
        starts.append(total)
        total += shard.units
    order = sorted(range(len(every)), key=lambda index: _key(every[index]))
    whole = at(joined(runs), [starts[index] + unit for index in order for unit in range(every[index].units)])
    shards = [every[index] for index in order]
    units, documents = list(whole.tallies.units), list(whole.documents)
    start = 0
    names = distinct([shard.names[0] for shard in shards])
    for position, shard in enumerate(shards):
        own = range(start, start := start + shard.units)
        if shard.numbered:
            for unit in own:
                units[unit], documents[unit] = (f"{names[position]}:{name}" for name in (units[unit], documents[unit]))
            shards[position] = msgspec.structs.replace(shard, numbered=False)
    return shards, whole.renamed(units, documents)


def _key(shard: Shard) -> tuple[Any, ...]:
    return shard.names, [path or "" for path in shard.paths], shard.digests


def _check_different(run: Run, shards: Sequence[Shard]) -> None:
    """Refuse a shard that is there twice, and documents of one id in several."""
    seen: dict[Any, Shard] = {}
    where: dict[str, Shard] = {}
    start = 0
    for shard in shards:
        if shard.units and shard.digests in seen:
            raise InputError(f"the shard {shard.names[0]} is there twice; give each shard once")
        seen[shard.digests] = shard
        names = set(run.documents[start : start + shard.units])
        if again := next((name for name in run.documents[start : start + shard.units] if name in where), None):
            both = f"{where[again].names[0]} and {shard.names[0]}"
            raise InputError(f"the document {again!r} is in {both}; give each document an id of its own, and once")
        where |= dict.fromkeys(names, shard)
        start += shard.units


def _check_cut_alike(shards: Sequence[Shard], bound: Bound) -> None:
    """Refuse a document that the gold has in one shard and the system in another: both were cut differently."""
    from karat.evaluation.pairing import Unpaired

    lacking: dict[str, dict[str, Shard]] = {"gold": {}, "system": {}}
    for shard in shards:
        for note in (restored(kept, bound.protocol) for kept in shard.said):
            if isinstance(note, Unpaired):
                lacking.setdefault(note.side, {}).update(dict.fromkeys(note.ids, shard))
    if both := sorted(lacking["gold"].keys() & lacking["system"].keys()):
        gold, system = lacking["gold"][both[0]].names[0], lacking["system"][both[0]].names[1]
        where = f"{gold} of the gold and in {system} of the system"
        raise InputError(f"the document {both[0]!r} is in {where}; cut both sides alike, as karat split does")


def _facts(runs: Sequence[Run], bound: Bound) -> Facts:
    """Return the facts of all shards, or those of the larger corpus that the runs were told."""
    told = next((run.told for run in runs if run.told), None)
    kept = [fact for run in runs for shard in run.shards for fact in shard.facts] if told is None else told
    return facts_in(kept, bound.protocol)


def _told(runs: Sequence[Run], shards: Sequence[Shard], bound: Bound) -> tuple[tuple[Any, int], ...]:
    """Return the facts that shards were judged with, if they are not just their own; other ones are refused."""
    if bound.facts is no_facts or (len(shards) == 1 and not runs[0].told):
        return ()
    own = _sum(shards, bound)
    whole = next((list(run.told) for run in runs if run.told), own)
    for run in runs:
        judged_with = list(run.told) or (own if len(runs) == 1 else _sum(run.shards, bound))
        if judged_with != whole and not _settle_alike(judged_with, whole, bound):
            name = run.shards[0].names[0]
            message = f"{name} was judged with other facts than those of all shards"
            raise InputError(f"{message}; gather them with karat facts, and score each shard with --facts")
    return () if whole == own else tuple(whole)


def _sum(shards: Sequence[Shard], bound: Bound) -> PlainFacts:
    """Return the facts of shards together."""
    return plain_facts(facts_in((fact for shard in shards for fact in shard.facts), bound.protocol))


def _settle_alike(one: PlainFacts, other: PlainFacts, bound: Bound) -> bool:
    """Say whether nothing else is known by these facts than by others."""
    known = [bound.settle(facts_in(kept, bound.protocol)) for kept in (one, other)]
    return bool(known[0] == known[1])


def _noticed(run: Run) -> tuple[Notices, Notices]:
    """Return what was noticed while the shards of the gold and of the system were read."""
    gold, system = (sum((shard.noticed[side] for shard in run.shards), Notices()) for side in (0, 1))
    return gold, system


def _noticed_by(run: Run, bound: Bound) -> tuple[list[Noted], list[str]]:
    """Return what was noted of the pairs of all shards, each thing once, and what was said when they were paired."""
    counted: Counter[Hashable] = Counter()
    for shard in run.shards:
        for kept, times in shard.noted:
            counted[restored(kept, bound.protocol)] += times
    return [Noted(note, times) for note, times in counted.items()], _said(run, bound)


def _said(run: Run, bound: Bound) -> list[str]:
    """Return in words what was said when documents were paired; what adds up is said once, of all documents."""
    from karat.evaluation.pairing import Unpaired

    notes = [[restored(note, bound.protocol) for note in shard.said] for shard in run.shards]
    told: dict[Hashable, Any] = {}
    for position, note in enumerate(note for own in notes for note in own):
        key: Hashable = (note.side, note.means) if isinstance(note, Unpaired) else position
        told[key] = told[key] + note if key in told else note
    for key, note in told.items():
        if isinstance(note, Unpaired) and note.side == "gold":
            silent = [not any(isinstance(said, Unpaired) and said.side == "gold" for said in own) for own in notes]
            golds = [shard.noticed[0].documents for shard in run.shards]
            told[key] = note._replace(total=note.total + sum(map(int.__mul__, golds, silent)))
    return list(map(str, told.values()))


def _worded(run: Run, bound: Bound, known: Any, more: Sequence[str]) -> tuple[str, ...]:
    """Return what was noticed in all shards, in words."""
    noticed, (noted, said) = _noticed(run), _noticed_by(run, bound)
    names = [pattern_of([shard.names[side] for shard in run.shards]) for side in (0, 1)]
    paths = [[shard.paths[side] for shard in run.shards] for side in (0, 1)]
    shown = [pattern_of([path for path in own if path is not None]) if all(own) else None for own in paths]
    read = [note for side in (0, 1) for note in noticed[side].worded(names[side], shown[side])]
    remarks = remarks_on(noted, [*said, *more], names[1], bound, known)
    told = with_lacks((*read, *remarks), lacks(bound, noticed, run.tallies))
    return (*told, *unlike(bound, noticed, noted))


_NAMES = {
    "protocol": "protocols",
    "version": "versions of Karat",
    "plug_ins": "plug-ins",
    "options": "options",
    "read_as": "ways of reading",
}


def _check_alike(first: tuple[Run, str], other: tuple[Run, str]) -> None:
    """Refuse two runs that are not of the same protocol with the same options."""
    (left, left_path), (right, right_path) = first, other
    where = f"{left_path or 'one run'} and {right_path or 'another run'} do not belong together"
    for name, what in _NAMES.items():
        values = getattr(left, name), getattr(right, name)
        if values[0] != values[1]:
            told = [_brief(value) for value in values]
            raise InputError(f"{where}: they are of different {what}, {told[0]} and {told[1]}")
    if left.slices.keys() != right.slices.keys():
        told = [", ".join(run.slices) or "none" for run in (left, right)]
        raise InputError(f"{where}: they have different slices, {told[0]} and {told[1]}; score both with the same --by")
    if of_gold := sorted(_OF_MORE_DATA & left.slices.keys()):
        message = f"slices by {of_gold[0]} look at more than a shard"
        raise InputError(f"{where}: {message}; score all shards at once, or leave --by {of_gold[0]} out")


_OF_MORE_DATA = {"frequency", "ambiguity", "seen"}
"""Features of items that depend on the whole gold, or on a file that may be another one for each run."""


def _brief(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={text}" for name, text in value.items()) or "none"
    return str(value) or "none"
