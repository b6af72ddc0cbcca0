"""From two sides to runs: each pair of shards is a task, judged here or by the workers of an executor.

A side that is one file, one folder or a list of objects is a single shard. Runs of shards merge into the run of the
whole, whoever has judged them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.errors import InputError
from karat.evaluation.corpus import Corpus
from karat.evaluation.evaluation import Evaluation, Witness
from karat.evaluation.merging import merged, refuse_lacks
from karat.evaluation.plain_keys import facts_in, plain, plain_facts
from karat.evaluation.protocol import Bound, Facts, Side, no_facts
from karat.evaluation.registry import plug_in_of
from karat.evaluation.run import Run, Shard
from karat.io.progress import see
from karat.settings import shown

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from karat.analysis.slices.items import ItemSlicer


class Task(NamedTuple):
    """A shard of the gold with its counterpart of the system, and the facts of all shards if they are known."""

    bound: Bound
    gold: Corpus
    system: Corpus
    facts: Facts | None = None


class Judged(NamedTuple):
    """The run of a shard, without notes, and what was known when it was judged."""

    run: Run
    known: Any = None
    is_far: bool = False
    """Whether it was judged in another process, which does not send what was known."""


@contextmanager
def _naming(corpus: Corpus) -> Iterator[None]:
    """Say which file an error is about that names none: there may be several."""
    try:
        yield
    except InputError as error:
        if error.path is not None or corpus.path is None:
            raise
        raise InputError(error.message, path=corpus.path, line=error.line) from error


def run_of(bound: Bound, gold: Corpus, system: Corpus, **asked: Any) -> Run:
    """Return the run of one system: see :func:`runs_of`."""
    return runs_of(bound, gold, [system], **asked)[0]


def runs_of(
    bound: Bound,
    gold: Corpus,
    systems: Sequence[Corpus],
    *,
    strict: bool = False,
    facts: Facts | None = None,
    slicer: ItemSlicer | None = None,
    witness: Witness | None = None,
    executor: Executor | None = None,
    identify: bool = True,
) -> list[Run]:
    """Return the run of each system against the gold.

    Args:
        bound: the protocol with its options.
        gold: the gold.
        systems: the systems, each with a shard for every shard of the gold.
        strict: whether a side that has nothing to judge is an error.
        facts: what is known of a larger corpus, of which these are some shards.
        slicer: counts verdicts by features of items; it sees every sheet in this process.
        witness: is told the ledger of every unit, in this process.
        executor: judges the tasks, if there are several, and neither slicer nor witness.
        identify: whether the digests of the contents are taken, which costs as much as reading a bit.

    """
    for side in (gold, *systems):
        side.identify(identify)
    spread = None if slicer is not None or witness is not None else executor
    told = _facts_of_each(bound, gold, systems, facts, spread)
    knowns = [None if own is None else bound.settle(own) for own in told]
    tasks = [list(_tasks(bound, gold, *each)) for each in zip(systems, told, knowns, strict=True)]

    def here(task: Task) -> Judged:
        return judge(task, slicer, witness)

    results = _results(spread, _judge_apart, here, [(task,) for own in tasks for task in own])
    runs = []
    for own, known in zip(tasks, knowns, strict=True):
        judged = [next(results) for _ in own]
        if known is None:
            known = _known_of(judged[0], bound)
        notes = slicer.notes if slicer is not None else ()
        run = merged([each.run for each in judged], bound, known, notes)
        if strict:
            refuse_lacks(run, bound, known)
        runs.append(run)
    return runs


def _tasks(bound: Bound, gold: Corpus, system: Corpus, facts: Facts | None, known: Any) -> Iterator[Task]:
    """Yield a task for each shard, or one for all if the protocol must see all pairs at once."""
    if len(gold.shards) > 1 and bound.whole(known):
        yield Task(bound, gold, system, facts)
        return
    for pair in zip(gold.shards, system.shards, strict=True):
        yield Task(bound, *pair, facts)


def _facts_of_each(
    bound: Bound, gold: Corpus, systems: Sequence[Corpus], facts: Facts | None, executor: Executor | None
) -> list[Facts | None]:
    """Return the facts that each system is judged with; None if there is one shard, which gathers its own."""
    if facts is not None or len(gold.shards) == 1:
        return [facts] * len(systems)
    if bound.facts is no_facts:
        return [Counter()] * len(systems)
    sides: list[tuple[Side, Corpus]] = [("gold", gold), *(("system", system) for system in systems)]
    tasks = [(bound, side, shard) for side, corpus in sides for shard in corpus.shards]
    gathered = _results(executor, gather, gather, tasks)
    sums: list[Facts] = [sum((next(gathered) for _ in corpus.shards), Counter()) for _, corpus in sides]
    return [sums[0] + own for own in sums[1:]]


def facts_of(bound: Bound, gold: Corpus, system: Corpus) -> Facts:
    """Return what must be known of all documents of both sides before a pair can be judged."""
    return gather(bound, "gold", gold) + gather(bound, "system", system)


def gather(bound: Bound, side: Side, corpus: Corpus) -> Facts:
    """Return the facts of the documents of a side."""
    facts: Facts = Counter()
    with _naming(corpus):
        for document in corpus.for_facts():
            facts.update(bound.facts(document, side))
    return facts


def judge(task: Task, slicer: ItemSlicer | None = None, witness: Witness | None = None) -> Judged:
    """Return the run of a shard."""
    bound, gold, system, facts = task
    with _naming(system):
        evaluation = Evaluation(bound, gold, system, facts=facts)
        for side in (gold, system):
            side.will_be_signed()
        tallies = evaluation.tallies(slicer, witness)
        shard = Shard(
            names=(gold.name, system.name),
            paths=(_told_path(gold), _told_path(system)),
            digests=(gold.digest, system.digest),
            contents=(gold.content_if_asked, system.content_if_asked),
            units=len(tallies),
            numbered=gold.is_numbered,
            noticed=(gold.notices, system.notices),
            noted=[(plain(noted.note), noted.times) for noted in evaluation.noted],
            said=[plain(note) for note in evaluation.said],
            facts=plain_facts(evaluation.facts),
        )
        run = Run(
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
            gold_digest=shard.digests[0],
            system_digest=shard.digests[1],
            gold_content=shard.contents[0],
            system_content=shard.contents[1],
            read_as=read_as_of(gold, system),
            plug_ins=plug_ins_of(bound, gold, system),
            shards=(shard,),
            told=() if facts is None else tuple(plain_facts(facts)),
        )
    return Judged(run, evaluation.known)


def _told_path(corpus: Corpus) -> str | None:
    """Return the path of a side if a note names it: equal data give equal run files, wherever they are."""
    path = corpus.path and str(corpus.path)
    told = corpus.notices.worded(corpus.name, path) != corpus.notices.worded(corpus.name, None)
    return path if told else None


def _judge_apart(task: Task) -> Judged:
    """Return the run of a shard to another process, which settles by itself what is known."""
    return judge(task)._replace(known=None, is_far=True)


def _known_of(judged: Judged, bound: Bound) -> Any:
    """Return what was known of a single shard when it was judged."""
    return bound.settle(facts_in(judged.run.shards[0].facts, bound.protocol)) if judged.is_far else judged.known


def _results(
    executor: Executor | None, apart: Callable[..., Any], here: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]
) -> Iterator[Any]:
    """Yield the result of each task in order: by the workers of an executor where there is more than one, or here."""
    sent = None if executor is None or len(tasks) < 2 else _packed(executor, apart, tasks)
    if sent is None:
        yield from (here(*task) for task in tasks)
        return
    from karat.evaluation.workers import in_order

    for result in in_order(executor, _call, sent):
        if isinstance(result, Judged):
            see(sum(noticed.documents for shard in result.run.shards for noticed in shard.noticed))
        yield result


def _packed(
    executor: Executor, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]
) -> list[tuple[bytes]] | None:
    """Return tasks as they are sent; None if one cannot be sent, or the input is too small for processes to pay."""
    import pickle  # a score of one shard does without

    from karat.evaluation.workers import pays

    corpora = [part for task in tasks for one in task for part in (one if isinstance(one, Task) else (one,))]
    if not pays(executor, [part.path for part in corpora if isinstance(part, Corpus)]):
        return None
    try:
        return [(pickle.dumps((function, task)),) for task in tasks]
    except (pickle.PicklingError, TypeError, AttributeError):
        return None


def _call(packed: bytes) -> Any:
    import pickle

    function, arguments = pickle.loads(packed)  # noqa: S301 - it comes from whoever has started us
    return function(*arguments)


def read_as_of(gold: Corpus, system: Corpus) -> str:
    """Return how both sides are read, as a signature says it."""
    return "/".join(dict.fromkeys(side.read_as for side in (gold, system) if side.read_as))


def plug_ins_of(bound: Bound, gold: Corpus, system: Corpus) -> str:
    """Return the packages of others that brought the protocol or read a side, as a signature says it."""
    return ",".join(sorted({plug_in_of(bound.protocol), gold.plug_in, system.plug_in} - {""}))
