"""From two sides to a run: read and judged here in their order, or by shares where workers are given and they pay."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from karat._version import __version__
from karat.errors import InputError
from karat.evaluation.corpora import Corpus
from karat.evaluation.evaluation import Evaluation, Witness
from karat.evaluation.notices import Notices, lacks, remarks_on
from karat.evaluation.part import Part, PartNumber, PartPairs, worded
from karat.evaluation.protocol import Bound, Lack
from karat.evaluation.registry import plug_in_of
from karat.evaluation.run import Run
from karat.settings import shown
from karat.signature import ContentDigest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from karat.analysis.slices.items import ItemSlicer
    from karat.evaluation.part_file import FactsHead
    from karat.evaluation.protocol import Facts


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
    bound: Bound,
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
            from karat.evaluation.spreading import by_shares, for_sheets, is_worth

            if slicer is None and witness is None and is_worth(executor, gold, system):
                shared = bound, (gold, system), WHOLE, facts, executor
                part_and_facts = by_shares(*shared, identify=identify)
            executor = for_sheets(executor)
        if part_and_facts is None:
            for side in (gold, system):
                side.identifies = identify
                side.will_be_signed()
            evaluation = Evaluation(bound, gold, system, facts=facts)
            part = scored(evaluation, WHOLE, {}, slicer=slicer, witness=witness, executor=executor)
            part_and_facts = part, evaluation.known
    part, known = part_and_facts
    if strict:
        remarks = remarks_on(part.noted, part.said, system.name, bound, known)
        said = [note for note in remarks if isinstance(note, Lack)]
        if absent := lacks(bound, part.noticed, part.run.tallies) or said:
            raise InputError(f"{system.name}: {'; '.join(absent)}; without --strict this is a note")
    return worded(part, bound, known)


WHOLE = PartNumber(1, 1)


def about(bound: Bound, gold: Corpus, system: Corpus) -> FactsHead:
    """Return what the facts of two sides are about, by which a file of them is known to be the right one."""
    from karat.evaluation.part_file import FactsHead
    from karat.evaluation.run_container import LAYOUT

    return FactsHead(
        layout=LAYOUT,
        karat=__version__,
        protocol=bound.name,
        options=shown(bound.options),
        digests={"gold_digest": gold.digest, "system_digest": system.digest},
        read=read_as_of(gold, system),
        plug_ins=plug_ins_of(bound, gold, system),
    )


def read_as_of(gold: Corpus, system: Corpus) -> str:
    """Return how both sides are read, as a signature says it."""
    return "/".join(dict.fromkeys(side.read_as for side in (gold, system) if side.read_as))


def plug_ins_of(bound: Bound, gold: Corpus, system: Corpus) -> str:
    """Return the packages of others that brought the protocol or read a side, as a signature says it."""
    return ",".join(sorted({plug_in_of(bound.protocol), gold.plug_in, system.plug_in} - {""}))


def scored(
    evaluation: Evaluation,
    number: PartNumber,
    given: Mapping[str, Any],
    *,
    digests: tuple[str, str] | None = None,
    slicer: ItemSlicer | None = None,
    witness: Witness | None = None,
    executor: Executor | None = None,
) -> Part:
    """Return what an evaluation yields, as a part; ``given`` are the options as they were given.

    What was noticed while reading is said by the first part, for all of them, since each reads everything. The digests
    of the bytes are taken here, unless they are known or nobody asks for them.
    """
    tallies = evaluation.tallies(executor, slicer, witness)
    bound, gold, system = evaluation.bound, evaluation.gold, evaluation.system
    is_first = number.number == 1
    contents = [_content(side) if is_first else str(ContentDigest()) for side in (gold, system)]
    return Part(
        run=Run(
            protocol=bound.name,
            unit=bound.unit,
            system=system.name,
            options=shown(bound.options),
            counts=tuple(bound.counts),
            tallies=tallies,
            documents=evaluation.origins.documents,
            metadata=evaluation.origins.metadata,
            words=evaluation.origins.words,
            slices=evaluation.slices,
            gold_digest=gold.digest if digests is None else digests[0],
            system_digest=system.digest if digests is None else digests[1],
            gold_content=contents[0],
            system_content=contents[1],
            read_as=read_as_of(gold, system),
            plug_ins=plug_ins_of(bound, gold, system),
        ),
        number=number,
        origins=PartPairs(evaluation.total, evaluation.pairs, evaluation.sizes),
        noted=evaluation.noted,
        said=(*evaluation.said, *(slicer.notes if slicer is not None else ())),
        noticed=(gold.notices, system.notices) if is_first else (Notices(), Notices()),
        names=(gold.name, system.name),
        paths=(gold.path, system.path),
        facts=evaluation.facts,
        given=given,
    )


def _content(side: Corpus) -> str:
    """Return the digest of the content of a side, unless nobody asks for it."""
    return side.content if side.identifies else ""
