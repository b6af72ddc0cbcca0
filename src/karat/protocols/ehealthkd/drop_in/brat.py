"""The ``.ann`` files of 2020 and 2021 entry by entry: what the loose rules of BRAT find, put in its place.

No documents are made of the entries: a document knows no order between relations and chains, which the lists of the
programs keep, nor the lines of relations, which their errors name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.brat.lines import BratEntry, LineRemark, parse, program_rules
from karat.io import lines
from karat.protocols.ehealthkd.annotations import Builder
from karat.protocols.ehealthkd.sentences import Sentences

BEHIND = "Entity {} ends behind the text; what is in the text counts"


class EntryReader:
    """Reads the entries of the file beside a text file one by one.

    Ids are looked up as they are written, but it is the number in them that counts for relations. Events become
    relations of their trigger, before all others.
    """

    def __init__(self, text_file: str, path: str, sentences: Sentences, warn: Callable[[str], None]) -> None:
        self.text_file, self.path, self.sentences, self.warn = text_file, path, sentences, warn
        self.stops = sentences.rules.edition == "2020" and not sentences.rules.corrected
        """Whether the program stops at what its successor skips, and wants three columns for an entity."""
        self.builder = Builder()
        self.known: dict[str, int] = {}

    def read(self, *, relations: bool) -> Builder:
        """Read entities first, whatever the order of the lines, then events, then all others.

        Relations that are not wanted may have any form.
        """
        other_entries: list[BratEntry] = []
        for entry in parse(lines(self.path), program_rules(text_required=self.stops, relations=relations)):
            if isinstance(entry, LineRemark):
                raise self._error(*entry)
            if entry.kind == "T":
                self._entity(entry)
            else:
                other_entries.append(entry)
        self._events([entry for entry in other_entries if entry.kind == "E"])
        by_kind = {"R": self._relation, "*": self._chain, "A": self._attribute}
        for entry in other_entries:
            if entry.kind in by_kind:
                by_kind[entry.kind](entry)
        return self.builder

    def _error(self, line: int, message: str) -> InputError:
        return InputError(message, path=self.path, line=line)

    def _entity(self, entry: BratEntry) -> None:
        fragments = entry.spans or ()
        number, place = int(entry.id[1:]), self.sentences.place(fragments)
        if place is not None:
            if self.sentences.rules.corrected and self.sentences.leaves(fragments):
                self.warn(BEHIND.format(number))
            self.known[entry.id] = self.builder.add(number, entry.words[0], place)
        elif self.stops:
            raise beyond(self.path, entry.line, f"entity {number}")
        else:
            self.warn(f"Cannot determine sentence for Entity {number}")

    def _events(self, events: Sequence[BratEntry]) -> None:
        """Let events stand for their triggers, then connect these with the arguments."""
        for event in events:
            trigger = event.words[0].partition(":")[2]
            if trigger not in self.known:
                raise self._unknown(event, trigger, "the trigger of an event")
            self.known[event.id] = self.known[trigger]
        for event in events:
            trigger = event.words[0].partition(":")[2]
            for role, _, target in (argument.partition(":") for argument in event.words[1:]):
                label = "".join([character for character in role if not character.isdigit()]).lower()
                self._connect(event, label, trigger, target)

    def _relation(self, entry: BratEntry) -> None:
        label, source, target = entry.words
        self._connect(entry, label, source.partition(":")[2], target.partition(":")[2])

    def _chain(self, entry: BratEntry) -> None:
        label, first, *targets = entry.words
        for target in targets:
            self._connect(entry, label, first, target)

    def _attribute(self, entry: BratEntry) -> None:
        name, target = entry.words
        if target not in self.known:
            raise self._unknown(entry, target, "the entity of an attribute")
        attributes, index = self.builder.attributes, self.known[target]
        attributes[index] = (*attributes.get(index, ()), name)

    def _connect(self, entry: BratEntry, label: str, source: str, target: str) -> None:
        """Add a relation between two entities of one sentence."""
        first, second = self.known.get(source), self.known.get(target)
        places = self.builder.places
        if first is not None and second is not None and places[first][0] == places[second][0]:
            self.builder.relations.append((label, first, second))
        else:
            self._refuse(entry, label, source, target)

    def _refuse(self, entry: BratEntry, label: str, source: str, target: str) -> None:
        """Warn why a relation is none; in 2020 the program stops instead."""
        lost = [end for end in (source, target) if end not in self.known]
        if self.stops:
            if lost:
                raise self._unknown(entry, lost[0], f"an end of a relation {label!r}")
            message = f"the relation {label!r} between {source} and {target} crosses sentences"
            advice = "remove it, or choose --profile corrected to skip it"
            raise self._error(entry.line, f"{message}, where the published program stops; {advice}")
        where = f"In file '{self.text_file}'"
        if not lost:
            ends = f"between {source!r} and {target!r}"
            self.warn(f"{where} relation '{label}' {ends} crosses sentence boundaries and has been ignored.")
        elif lost[0] == source:
            self.warn(f"{where}, ignoring relation '{label}' between {source!r} (unknown reference) and {target!r}")
        else:
            self.warn(f"{where}, ignoring relation '{label}' between {source!r} and {target!r} (unknown reference)")

    def _unknown(self, entry: BratEntry, name: str, what: str) -> InputError:
        return self._error(entry.line, f"{shown(name)} is {what}, but no entity of the text has this id")


def beyond(path: object, line: int | None, name: str) -> InputError:
    """Return the error for an entity that begins behind the last sentence."""
    message = f"{name} begins behind the last sentence of the text, where the published program stops"
    return InputError(f"{message}; correct the offsets, or choose --profile corrected to skip it", path=path, line=line)
