"""``resolve-queries``: answer queries from a validated knowledge base (CS-ResolveQueries).

The published program reads the file round and round, until every task that it has taken up has seen each line once.
Here the file is read once; when a task would meet a line follows from their positions, and what happens is played in
that order. So the answers come out in the published order, in a time that grows with their number only.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.protocols.coldstart.drop_in.kb.index import IndexedAssertion, KBIndex, Target, plain
from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets, Program
from karat.vocabularies.coldstart.problems import ProblemLog
from karat.vocabularies.coldstart.provenance import parse
from karat.vocabularies.coldstart.queries import Query, QuerySet, read_queries
from karat.vocabularies.coldstart.query_ids import ID_RULES
from karat.vocabularies.coldstart.text import lower, number

_HEADER = "Entry points\tFills\tString fills\tResolutionTasks\tEntity2NameTasks\tFillSlotTasks\tFindEntrypointsTasks"


class _Event(NamedTuple):
    """A task meets a line at a time: a relation of its entity, or the canonical mention that a relation waited for."""

    time: int
    task: int
    query: Query
    relation: IndexedAssertion
    mention: IndexedAssertion | None = None


class ResolutionInput(NamedTuple):
    """The queries with the knowledge base, and the outlets."""

    resolver: Resolver
    output: Outlet
    outlets: Outlets


class ResolutionResult(NamedTuple):
    """The input, and the lines of the answers, which are found while they are printed."""

    asked: ResolutionInput
    answers: Iterator[str]


def read(options: Options, outlets: Outlets) -> ResolutionInput:
    """Read the queries of ``queryfile`` and the knowledge base ``runfile``."""
    corrected = options["profile"] == CORRECTED
    if options["error_file"].lower() not in ("stdout", "stderr"):
        outlets.log = outlets.open(options["error_file"], kind="DIE")
    queries = read_queries(options["queryfile"], ID_RULES[options["profile"]], ProblemLog())
    output = outlets.open(options["output_file"], kind="DIE")
    kb_file = options["runfile"]
    if "." in kb_file and ".valid" not in kb_file:
        outlets.log.write(
            f"WARNING: {kb_file} might not be a validated Cold Start run file (it doesn't contain .valid)\n"
        )
    resolver = Resolver(queries, corrected=corrected)
    resolver.kb.read(kb_file, body=len(queries) > 0)
    if resolver.kb.has_strays:
        outlets.log.write(f"WARNING: {kb_file} is not UTF-8; its bytes are taken as they are\n")
    return ResolutionInput(resolver, output, outlets)


def convert(asked: ResolutionInput) -> ResolutionResult:
    """Answer the queries from the knowledge base."""
    return ResolutionResult(asked, asked.resolver.answers())


def printed(result: ResolutionResult) -> ProgramOutput:
    """Write the answers to ``output_file``, and the counts to the log."""
    asked = result.asked
    for line in result.answers:
        asked.output.write(line)
    asked.outlets.log.write(asked.resolver.statistics())
    return asked.outlets.program_output()


PROGRAM = Program(read, convert, printed)


class Resolver:
    """Answers queries from one knowledge base, and counts what it did."""

    def __init__(self, queries: QuerySet, *, corrected: bool) -> None:
        self.queries = queries
        self.corrected = corrected
        self.entry_points = self.fills = self.string_fills = 0
        self.names = self.slots = 0
        self._targets: list[list[Target]] = []
        by_document: dict[str, list[Target]] = {}
        for query in queries:
            points = query.entry_points if corrected else query.entry_points[:1]  # the published programs use one only
            targets = [Target(number(point.start or ""), number(point.end or ""), []) for point in points]
            self._targets.append(targets)
            for point, target in zip(points, targets, strict=True):
                by_document.setdefault(point.docid or "", []).append(target)
        slots = {slot for query in queries for slot in query.slots if slot is not None}
        self.kb = KBIndex(slots, by_document, links=corrected)
        self._events: list[_Event] = []
        self._tasks = 0

    def answers(self) -> Iterator[str]:
        """Yield the lines of the answers in the order in which they are found."""
        for query, targets in zip(self.queries, self._targets, strict=True):
            entity = self._entity(query, targets)
            if entity is not None:
                self.entry_points += 1
                self._fill(query, entity, self.kb.length - 1)
        while self._events:
            event = heappop(self._events)
            if event.mention is not None:
                yield self._line(event, plain(event.mention.value), event.mention.provenance)
                self._follow(event, event.mention)
            elif event.relation.value.startswith(":"):
                self._look_for_name(event)
            else:
                self.fills += 1
                self.string_fills += 1
                value, place = plain(event.relation.value), event.relation.first
                yield self._line(event, value, place)

    def statistics(self) -> str:
        """Return the two lines of counts; a count of 0 is left empty."""
        find = len(self.queries)
        counts = (
            self.entry_points,
            self.fills,
            self.string_fills,
            find + self.names + self.slots,
            self.names,
            self.slots,
            find,
        )
        shown = "\t".join(str(count or "") for count in counts)
        return f"\t{_HEADER}\tRESOLUTION_STATISTICS\n{self.kb.run_id}\t{shown}\tRESOLUTION_STATISTICS\n"

    def _entity(self, query: Query, targets: list[Target]) -> str | None:
        """Return the entity that is asked about: that of the mention which agrees best with an entry point."""
        for target in targets:
            candidates = target.candidates
            if self.corrected and query.entity_type is not None:
                kind = lower(query.entity_type)
                candidates = [mention for mention in candidates if kind in map(lower, self.kb.types(mention.entity))]
            if candidates:
                return min(candidates).entity
        return None

    def _fill(self, query: Query, entity: str, now: int) -> None:
        """Take up the task to find what a query asks first of an entity, from the line after this one on."""
        if not query.slots:
            return
        self._tasks += 1
        self.slots += 1
        for relation in self.kb.relations(entity, query.slots[0]):
            heappush(self._events, _Event(self._next(now, relation.position), self._tasks, query, relation))

    def _look_for_name(self, event: _Event) -> None:
        """Take up the task to find the canonical mention of an object in the document of its relation."""
        self.fills += 1
        self.names += 1
        self._tasks += 1
        position = event.relation.position
        mention = self.kb.canonical_mention(event.relation.value, event.relation.docid, position)
        if mention is not None:
            time = self._next(event.time, mention.position)
            heappush(self._events, _Event(time, self._tasks, event.query, event.relation, mention))

    def _follow(self, event: _Event, mention: IndexedAssertion) -> None:
        """Take up what the query asks next of the entity that answers it."""
        value = plain(mention.value)
        place = parse(mention.first, None, ProblemLog(), "")
        query = event.query
        if self.corrected and len(query.entry_points) > 1:
            query = Query(query.id, query.entity_type, query.slot, query.slots, query.entry_points[:1])
        follow_up = self.queries.follow_up(query, value, place)
        if follow_up is not None:
            self._fill(follow_up, event.relation.value, event.time)

    def _line(self, event: _Event, value: str, place: str) -> str:
        relation = event.relation
        kind = self.kb.type_at(relation.value, event.time % self.kb.length)
        columns = (event.query.id.shown, event.query.slots[0] or "", self.kb.run_id, relation.provenance, value)
        return "\t".join((*columns, kind if kind not in (None, "0") else "STRING", place, relation.confidence)) + "\n"

    def _next(self, now: int, position: int) -> int:
        """Return the time at which a position is reached next, strictly after now."""
        time = now - now % self.kb.length + position
        return time if time > now else time + self.kb.length
