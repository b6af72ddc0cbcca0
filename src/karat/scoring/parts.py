"""What an evaluation yields, as a part of a run that may be all of it; and what facts are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from karat.protocols import plug_in_of
from karat.protocols.base import Protocol
from karat.runs.notices import Notices
from karat.runs.part import Part, PartNumber, PartPairs
from karat.runs.run import Run
from karat.scoring.corpora import Corpus
from karat.scoring.evaluation import Evaluation, Witness
from karat.settings import shown
from karat.signature import ContentDigest

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from karat.runs.facts_file import FactsHead
    from karat.slices.items import ItemSlicer

WHOLE = PartNumber(1, 1)


def about(protocol: Protocol, settings: Any, gold: Corpus, system: Corpus) -> FactsHead:
    """Return what the facts of two sides are about, by which a file of them is known to be the right one."""
    from karat.runs.facts_file import head_of

    digests = {"gold_digest": gold.digest, "system_digest": system.digest}
    plug_ins = plug_ins_of(protocol, gold, system)
    return head_of(protocol, settings, digests, read_as=read_as_of(gold, system), plug_ins=plug_ins)


def read_as_of(gold: Corpus, system: Corpus) -> str:
    """Return how both sides are read, as a signature says it."""
    return "/".join(dict.fromkeys(side.read_as for side in (gold, system) if side.read_as))


def plug_ins_of(protocol: Protocol, gold: Corpus, system: Corpus) -> str:
    """Return the packages of others that brought the protocol or read a side, as a signature says it."""
    return ",".join(sorted({plug_in_of(protocol), gold.plug_in, system.plug_in} - {""}))


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
    protocol, gold, system = evaluation.protocol, evaluation.gold, evaluation.system
    is_first = number.number == 1
    contents = [_content(side) if is_first else str(ContentDigest()) for side in (gold, system)]
    return Part(
        run=Run(
            protocol=protocol.name,
            unit=protocol.unit,
            system=system.name,
            options=shown(evaluation.settings),
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
            plug_ins=plug_ins_of(protocol, gold, system),
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
