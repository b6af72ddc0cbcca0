"""From two sides to a run: read and judged here in their order, or by shares where workers are given and they pay."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from karat.errors import InputError
from karat.runs.notices import remarks_on
from karat.runs.part import worded
from karat.runs.sides import lacks, said_to_lack
from karat.scoring.evaluation import Evaluation, Witness
from karat.scoring.parts import WHOLE, scored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from karat.protocols.base import Facts, Protocol
    from karat.runs.part import Part
    from karat.runs.run import Run
    from karat.scoring.corpora import Corpus
    from karat.slices.items import ItemSlicer


@contextmanager
def _naming(system: Corpus) -> Iterator[None]:
    """Say which file an error is about that names none: there may be several systems."""
    try:
        yield
    except InputError as error:
        if error.path is not None or system.path is None:
            raise
        raise InputError(error.message, path=system.path, line=error.line) from error


def run_of(
    protocol: Protocol,
    settings: Any,
    gold: Corpus,
    system: Corpus,
    *,
    strict: bool = False,
    facts: Facts | None = None,
    slicer: ItemSlicer | None = None,
    witness: Witness | None = None,
    executor: Executor | None = None,
    identify: bool = True,
) -> Run:
    """Return what one side is worth against the other, as a run: tallies and all that is known of them.

    The workers of an executor read and judge shares of the documents, or judge what is read here in order; the result
    is the same. A slicer sees everything here, and so does a witness, who is told the ledger of every unit. With
    ``strict`` a side that has nothing to judge is an error. Who neither keeps the run nor compares it with others need
    not ``identify`` the content of both sides, which then has no digest: to take it costs as much as reading a bit.
    """
    part_and_facts: tuple[Part, Any] | None = None
    with _naming(system):
        if executor is not None:
            from karat.scoring.spreading import by_shares, for_sheets, is_worth

            if slicer is None and witness is None and is_worth(executor, gold, system):
                shared = protocol, settings, (gold, system), WHOLE, facts, executor
                part_and_facts = by_shares(*shared, identify=identify)
            executor = for_sheets(executor)
        if part_and_facts is None:
            for side in (gold, system):
                side.identifies = identify
            evaluation = Evaluation(protocol, settings, gold, system, facts=facts)
            part = scored(evaluation, WHOLE, {}, slicer=slicer, witness=witness, executor=executor)
            part_and_facts = part, evaluation.known
    part, known = part_and_facts
    if strict:
        remarks = remarks_on(part.noted, part.said, system.name, protocol, settings, known)
        if absent := lacks(protocol, part.noticed, part.run.tallies) or said_to_lack(remarks):
            raise InputError(f"{system.name}: {'; '.join(absent)}; without --strict this is a note")
    return worded(part, protocol, settings, known)
