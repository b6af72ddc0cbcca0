"""The ``.ann`` files of 2020 and 2021: BRAT lines, read by the rules of those programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from karat.errors import InputError
from karat.files import text_blocks
from karat.protocols.ehealthkd.annotations import Builder
from karat.protocols.ehealthkd.drop_in.fields import beyond, read_spans, shown
from karat.protocols.ehealthkd.drop_in.usual import read_usual
from karat.protocols.ehealthkd.sentences import Sentences

_FORMS = {
    "T": "T1<TAB>LABEL 0 5<TAB>text",
    "R": "R1<TAB>LABEL Arg1:T1 Arg2:T2",
    "E": "E1<TAB>LABEL:T1 Role:T2",
    "A": "A1<TAB>NAME T1",
    "*": "*<TAB>LABEL T1 T2",
}

Line = tuple[int, str]
"""A line with its number."""


class BratFile:
    """Reads the annotations beside a text file into a builder.

    Ids are looked up as they are written, but it is the number in them that counts for relations. Events become
    relations of their trigger, before all others.
    """

    def __init__(self, text_file: Path, sentences: Sentences, builder: Builder, warn: Callable[[str], None]) -> None:
        self.text_file = text_file
        self.path = text_file.with_name(text_file.stem + ".ann")
        self.sentences, self.builder, self.warn = sentences, builder, warn
        self.stops = sentences.rules.edition == "2020" and not sentences.rules.corrected
        """Whether the program stops at what its successor skips, and wants three columns for an entity."""
        self.known: dict[str, int] = {}

    def read(self, *, relations: bool = True) -> None:
        """Read the file: without detours if it has the usual form, by all the rules otherwise."""
        blocks = list(text_blocks(self.path))
        if self.sentences.rules.corrected or not relations or not read_usual(blocks, self.sentences, self.builder):
            self.builder.clear()
            content = "".join(blocks)
            self._read_lines(content.removesuffix("\n").split("\n") if content else [], relations=relations)

    def _read_lines(self, lines: list[str], *, relations: bool) -> None:
        """Read entities first, whatever the order of the lines, then events, then all others."""
        others: list[Line] = []
        for number, line in enumerate(lines, start=1):
            kind = line[:1]
            if kind == "T":
                self._entity(number, line)
            elif kind in ("R", "*", "E", "A"):
                others.append((number, line))
            elif kind != "#":
                expected = f"expected an id that begins with one of {', '.join([*_FORMS, '#'])}"
                raise self._error(number, f"{shown(line)} is no annotation; {expected}")
        readers = {"A": self._attribute}
        if relations:
            self._events([one for one in others if one[1][0] == "E"])
            readers |= {"R": self._relation, "*": self._star}
        for number, line in others:
            if line[0] in readers:
                readers[line[0]](number, line)

    def _error(self, number: int, message: str) -> InputError:
        return InputError(message, path=self.path, line=number)

    def _malformed(self, number: int, line: str) -> InputError:
        return self._error(number, f"found {shown(line)}, expected the form {_FORMS[line[0]]!r}")

    def _entity(self, number: int, line: str) -> None:
        columns = line.split("\t") if self.stops else line.strip().split("\t")
        try:
            name, middle = columns[:2]
            label, blank, spans = middle.partition(" ")
            value, fragments = int(name[1:]), read_spans(spans)
        except ValueError:
            raise self._malformed(number, line) from None
        if not blank or (self.stops and len(columns) != 3):
            raise self._malformed(number, line)
        place = self.sentences.place(fragments)
        if place is not None:
            self.known[name] = self.builder.add(value, label, place)
        elif self.stops:
            raise beyond(self.path, number, f"entity {value}")
        else:
            self.warn(f"Cannot determine sentence for Entity {value}")

    def _events(self, events: list[Line]) -> None:
        parsed: list[tuple[int, str, dict[str, str]]] = []
        for number, line in events:
            try:
                name, content = line.strip().split("\t")
                head, *arguments = content.split()
                _, trigger = head.split(":")
                roles = {one.split(":")[0]: one.split(":")[1] for one in arguments}
            except (ValueError, IndexError):
                raise self._malformed(number, line) from None
            if trigger not in self.known:
                raise self._unknown(number, trigger, "the trigger of an event")
            self.known[name] = self.known[trigger]
            parsed.append((number, trigger, roles))
        for number, trigger, roles in parsed:
            for role, target in roles.items():
                label = "".join([one for one in role if not one.isdigit()]).lower()
                self._connect(number, label, trigger, target)

    def _relation(self, number: int, line: str) -> None:
        try:
            _, label, first, second = line.split()
            source, target = first.split(":")[1], second.split(":")[1]
        except (ValueError, IndexError):
            raise self._malformed(number, line) from None
        self._connect(number, label, source, target)

    def _star(self, number: int, line: str) -> None:
        label, blank, arguments = line[1:].strip().partition(" ")
        if not blank:
            raise self._malformed(number, line)
        first, *others = arguments.split()
        for other in others:
            self._connect(number, label, first, other)

    def _attribute(self, number: int, line: str) -> None:
        fields = line.split()
        if len(fields) != 3:
            raise self._malformed(number, line)
        if fields[2] not in self.known:
            raise self._unknown(number, fields[2], "the entity of an attribute")
        index = self.known[fields[2]]
        self.builder.attributes[index] = (*self.builder.attributes.get(index, ()), fields[1])

    def _connect(self, number: int, label: str, source: str, target: str) -> None:
        """Add a relation between two entities of one sentence."""
        one, two = self.known.get(source), self.known.get(target)
        if one is not None and two is not None and self.builder.places[one][0] == self.builder.places[two][0]:
            self.builder.relations.append((label, one, two))
        else:
            self._refuse(number, label, source, target)

    def _refuse(self, number: int, label: str, source: str, target: str) -> None:
        """Warn why a relation is none; in 2020 the program stops instead."""
        lost = [one for one in (source, target) if one not in self.known]
        if self.stops:
            if lost:
                raise self._unknown(number, lost[0], f"an end of a relation {label!r}")
            message = f"the relation {label!r} between {source} and {target} crosses sentences"
            advice = "remove it, or choose --profile corrected to skip it"
            raise self._error(number, f"{message}, where the published program stops; {advice}")
        where = f"In file '{self.text_file}'"
        if not lost:
            ends = f"between {source!r} and {target!r}"
            self.warn(f"{where} relation '{label}' {ends} crosses sentence boundaries and has been ignored.")
        elif lost[0] == source:
            self.warn(f"{where}, ignoring relation '{label}' between {source!r} (unknown reference) and {target!r}")
        else:
            self.warn(f"{where}, ignoring relation '{label}' between {source!r} and {target!r} (unknown reference)")

    def _unknown(self, number: int, name: str, what: str) -> InputError:
        return self._error(number, f"{shown(name)} is {what}, but no entity of the text has this id")
