"""An index of a validated knowledge base for queries, built in one pass over its lines.

Entry points are looked for while reading; of the relations only those of the slots that are asked for are kept.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from operator import itemgetter
from sys import intern
from typing import Any, NamedTuple, TypeVar

from karat.vocabularies.coldstart.kb_lines import assertion_lines
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.text import BLANK, lower, number, split_comment, trim
from karat.vocabularies.coldstart.text_files import STRAY, blocks_of

T = TypeVar("T")

_OFFSETS = re.compile(r"(.*):(\d+)-(\d+)")
_TYPE_LABELS = ("entity", "predicate", "object", "confidence")
_LABELS = ("entity", "predicate", "object", "offsets", "confidence")
_position: Callable[[tuple[Any, ...]], int] = itemgetter(0)
_NO_TRIPLE = ":-"
"""How a place is written of which nothing is known."""
_QUOTED = re.compile(r'"(.*)"$')


class IndexedAssertion(NamedTuple):
    """A relation or a canonical mention at a position of the file."""

    position: int
    value: str
    provenance: str
    confidence: str

    @property
    def first(self) -> str:
        """The first triple of the provenance."""
        return self.provenance.split(",")[0] if self.provenance.strip(",") else _NO_TRIPLE

    @property
    def docid(self) -> str:
        """The document of the first triple."""
        return self.first.rpartition(":")[0]


class Candidate(NamedTuple):
    """A mention that overlaps an entry point; the smallest is the best."""

    missing: int | float
    extra: int | float
    position: int
    entity: str


class Target(NamedTuple):
    """An entry point to look for; what overlaps it is added to ``candidates``."""

    start: int | float
    end: int | float
    candidates: list[Candidate]


class KBIndex:
    """The lines of a knowledge base that queries ask for; ``length`` is the number of its lines without the first."""

    def __init__(self, slots: Iterable[str], targets: Mapping[str, list[Target]], *, links: bool) -> None:
        self.run_id = ""
        self.length = 0
        self.has_strays = False
        self._keeps_strays = not links
        self._relations: dict[str, dict[str, list[IndexedAssertion]]] = {slot: {} for slot in slots if ":" in slot}
        """By slot, and by the entity that has it."""
        self._targets = targets
        self._expected = {"type": len(_TYPE_LABELS)} | ({"link": len(_TYPE_LABELS)} if links else {})
        self._canonical: dict[str, list[IndexedAssertion]] = {}
        self._types: dict[str, list[tuple[int, str]]] = {}

    def read(self, path: str, *, body: bool) -> None:
        """Read the run id, and the lines below it if anybody wants to know them.

        Stop at a line with too many fields or too few.
        """
        blocks = blocks_of(path, kind="DIE", keep_strays=self._keeps_strays)
        first, newline, rest = next(blocks, "").partition("\n")
        self.run_id = trim(split_comment(first)[0])
        if self.run_id in ("", "0"):
            raise Stop("No runid found", kind="DIE")
        lines = assertion_lines(self._counted(chain([rest] if newline else [], blocks)), 0, gaps=False)
        for position, fields, confidence, _ in lines if body else ():
            fields.append(confidence)
            verb = fields[1] if len(fields) > 1 else ""
            if len(fields) != (self._expected.get(verb) or self._expect(verb)):
                raise _wrong_number(verb, fields)
            self._keep(position, verb, fields)

    def relations(self, entity: str, slot: str | None) -> list[IndexedAssertion]:
        """Return the relations of an entity by their position."""
        return self._relations.get(slot or "", {}).get(entity, [])

    def canonical_mention(self, entity: str, docid: str, position: int) -> IndexedAssertion | None:
        """Return the canonical mention of an entity in a document that is met next, going round the file."""
        mentions = self._canonical.get(f"{entity}\t{docid}")
        if not mentions:
            return None
        return mentions[bisect_right(mentions, position, key=_position) % len(mentions)]

    def type_at(self, entity: str, position: int) -> str | None:
        """Return the type that the line most recently passed gives to an entity, going round the file."""
        lines = self._types.get(entity)
        return lines[bisect_right(lines, position, key=_position) - 1][1] if lines else None

    def types(self, entity: str) -> set[str]:
        """Return every type that a line gives to an entity."""
        return {name for _, name in self._types.get(entity, ())}

    def _counted(self, blocks: Iterable[str]) -> Iterator[str]:
        """Yield blocks of lines, and count their lines."""
        for block in blocks:
            self.length += block.count("\n") + 1
            if STRAY.search(block):
                self.has_strays = True
                for field in re.split("[\t\n]", block):
                    _check_strays(field)
            yield block

    def _expect(self, verb: str) -> int:
        self._expected[verb] = self._expected["type"] if lower(verb) == "type" else len(_LABELS)
        return self._expected[verb]

    def _keep(self, position: int, verb: str, fields: list[str]) -> None:
        """Keep what a line says, as far as it is asked for."""
        entity, value = fields[0], fields[2]
        if len(fields) != len(_LABELS):
            if verb == "type":
                _add(self._types, entity, (position, intern(value)))
            return
        provenance, confidence = fields[3:]
        docid, start, end = _first_triple(provenance)
        if verb == "mention":
            if docid in self._targets:
                _find(self._targets[docid], number(start), number(end), position, entity)
        elif verb == "canonical_mention":
            _add(self._canonical, f"{entity}\t{docid}", IndexedAssertion(position, value, provenance, confidence))
        elif verb in self._relations:
            _add(self._relations[verb], entity, IndexedAssertion(position, intern(value), provenance, confidence))


def _add(members: dict[str, list[T]], key: str, member: T) -> None:
    """Add a member to those of a key; most keys have one only, and a list that was never added to has no room left."""
    if key in members:
        members[key].append(member)
    else:
        members[key] = [member]


def _check_strays(text: str) -> None:
    """Stop where the published program does: at a last character that announces more bytes than there are.

    Perl goes from character to character by what the first byte of each announces, whatever follows.
    """
    if STRAY.search(text):
        raw = text.encode("utf-8", "surrogateescape")
        offset = 0
        while offset < len(raw):
            offset += _announced(raw[offset])
        if offset > len(raw):
            raise Stop("Malformed UTF-8 character (fatal)", kind="DIE")


def _announced(byte: int) -> int:
    """Return how many bytes a character has that begins with this one, as Perl counts them."""
    return 1 if byte < 0xC0 else 13 if byte == 0xFF else 8 - (byte ^ 0xFF).bit_length()


def _first_triple(provenance: str) -> tuple[str, str, str]:
    """Return the first triple of a provenance all of whose triples are legible."""
    first = None
    for part in provenance.rstrip(",").split(",") if provenance.strip(",") else ():
        match = _OFFSETS.fullmatch(part)
        if match is None:
            raise Stop(f"illegal offset specification: {part}", kind="DIE")
        first = first or match
    return (first.group(1), first.group(2), first.group(3)) if first else ("", "", "")


def _find(targets: list[Target], start: int | float, end: int | float, position: int, entity: str) -> None:
    """Note a mention for every entry point that it overlaps."""
    for target in targets:
        if not (target.end < start or end < target.start):
            common = min(end, target.end) - max(start, target.start)
            target.candidates.append(Candidate(-common, end - start - common, position, entity))


def _wrong_number(verb: str, fields: list[str]) -> Stop:
    labels = ", ".join(_TYPE_LABELS if lower(verb) == "type" else _LABELS)
    note = f"\nlabels = ({labels}); entries = ({', '.join(fields)})\n"
    return Stop(f"Wrong number of arguments for predicate {lower(verb)}", kind="DIE", note=note)


def plain(value: str) -> str:
    r"""Return a value as answers show it: without quotes and escapes, every blank a space.

    >>> plain('"Bob \\"B\\"\tMc"')
    'Bob "B" Mc'
    """
    quoted = _QUOTED.match(value)
    if quoted:
        value = re.sub(r"\\(.)", r"\1", quoted.group(1))
    _check_strays(value)
    return BLANK.sub(" ", value)
