"""The program: reads both files, prints what the official scorer prints, and stops where it stops."""

from __future__ import annotations

from functools import cached_property
from typing import NoReturn

from karat.errors import InputError
from karat.files import MAX_LINE, open_bytes
from karat.formats._conll2012_official import Place, draft_at, last_of_each_name, places
from karat.formats._conll2012_rows import Draft
from karat.measures import official
from karat.protocols.coreference.drop_in.counting import (
    BLANC,
    MAX_REPEATS,
    METRICS,
    Chains,
    Counts,
    Identified,
    identify,
)
from karat.protocols.coreference.drop_in.printing import blanc_lines, ratio_lines

VERSION = "version: 8.01 karat/lib/CorScorer.pm\n"
ALL = "all"
QUIET = "none"
"""The name of a document that asks for totals only."""

_MAX_SIZE = 1 << 30


class Side:
    """One of the two files; it is opened when its first document is asked for. Every byte is one character."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._drafts: dict[Place, Draft] = {}

    @cached_property
    def text(self) -> str:
        """The file."""
        with open_bytes(self.path) as stream:
            try:
                data = stream.read(_MAX_SIZE + 1)
            except (OSError, EOFError, ValueError) as error:
                raise InputError(f"cannot be read: {error}", path=self.path) from error
        if len(data) > _MAX_SIZE:
            raise InputError(f"has more than {_MAX_SIZE:,} bytes", path=self.path)
        _check_lines(data, self.path)
        return data.decode("latin-1")

    @cached_property
    def places(self) -> list[Place]:
        """Where the documents stand."""
        try:
            return places(self.text)
        except InputError as error:
            raise InputError(error.message, path=self.path, line=error.line) from None

    @cached_property
    def named(self) -> dict[str, Place]:
        """The documents by name; of several with the same name the last."""
        return last_of_each_name(self.places)

    def first(self, name: str) -> Place | None:
        """Return the first document of that name."""
        return next((place for place in self.places if place.name == name), None)

    def draft(self, place: Place) -> Draft:
        """Read a document."""
        if place not in self._drafts:
            try:
                self._drafts[place] = draft_at(self.text, place)
            except InputError as error:
                raise InputError(error.message, path=self.path, line=error.line) from None
        return self._drafts[place]


class Program:
    """One run. What has been printed stays in ``printed``, even if the run fails; ``remarks`` are for the user."""

    def __init__(self, gold: str, system: str, name: str | None = None, *, corrected: bool = False) -> None:
        self.gold, self.system = Side(gold), Side(system)
        self.name = name
        self.corrected = corrected
        self.printed: list[str] = []
        self.remarks: list[str] = []
        self.repeats = 0
        self._identified: dict[tuple[Place | None, Place | None], Identified] = {}

    def run(self, metric: str) -> None:
        """Score by one metric, or by all of them."""
        self.printed.append(VERSION)
        if metric != ALL:
            self._score(metric)
            return
        for one in (*METRICS, BLANC):
            self.printed.append(f"\nMETRIC {one}:\n")
            self._score(one)

    def _score(self, metric: str) -> None:
        if self.corrected:
            self.repeats = 0
        name = self.name
        if name is None or name == QUIET:
            names, answered = list(self.gold.named), self.system.named
            self._remark_on_missing()
            documents = [self._document(metric, one, self.gold.named[one], answered.get(one)) for one in names]
        else:
            self._say(f"{name}:\n")
            documents = [self._document(metric, None, self.gold.first(name), None)]
        self._print_totals(metric, documents)

    def _document(self, metric: str, name: str | None, gold: Place | None, system: Place | None) -> list[Counts]:
        """Print a document, and return the counts of its mentions and of the metric (for BLANC two).

        If one document was asked for, it has been announced, and the system's one is found only after the gold's.
        """
        gold_chains = self._chains(self.gold, gold)
        if name is None:
            system = self.system.first(self.name or "")
        system_chains = self._chains(self.system, system)
        if name is not None:
            self._say(f"{'' if metric == BLANC and not self.corrected else name}:\n")
        found = self._identify((gold, system), gold_chains, system_chains)
        self._print_repeats(found)
        self._say(found.lines())
        if metric == BLANC:
            if gold is not None and not all(gold_chains) and not self.corrected:
                self._refuse_blanc(gold)
            return [found.mentions, *official.blanc(found.counted)]
        counts = METRICS[metric](found.counted)
        self._say(ratio_lines(counts, rounded=self.corrected))
        return [found.mentions, counts]

    def _chains(self, side: Side, place: Place | None) -> Chains:
        """Print the chains of a document and return them; one that is not there has no name and no chains."""
        if place is None:
            self._say("====> :\nFile :\n")
            return []
        self._say(f"====> {place.name}:\n")
        draft = side.draft(place)
        self._say("".join(f"Discarded ({one})\n" for one in draft.discarded))
        if draft.failure is not None:
            raise InputError(draft.failure.message, path=side.path, line=draft.failure.line)
        chains = list(draft.chains.values())
        while chains and not chains[-1]:
            chains.pop()
        self._say(f"File {place.name}:\n")
        for index, chain in enumerate(chains):
            self._say(f"Entity {index}:{''.join(f' ({first},{last})' for first, last in chain)}\n")
        return chains

    def _identify(self, key: tuple[Place | None, Place | None], gold: Chains, system: Chains) -> Identified:
        if key not in self._identified:
            self._identified[key] = identify(gold, system, corrected=self.corrected)
        return self._identified[key]

    def _print_repeats(self, found: Identified) -> None:
        """Print the repeats, which even a run for totals does, and refuse too many of them."""
        self.printed += [f"{line}\n" for line in found.gold_repeats]
        for line in found.system_repeats:
            self.printed.append(f"{line}\n")
            self.repeats += 1
            if self.repeats > MAX_REPEATS:
                message = "Found too many repeated mentions (> 10) in the response, so refusing to score"
                raise InputError(f"{message}; remove the repeats", path=self.system.path)

    def _print_totals(self, metric: str, documents: list[list[Counts]]) -> None:
        rounded = self.corrected
        width = 3 if metric == BLANC else 2
        totals = [_total([counts[at] for counts in documents]) for at in range(width)]
        self.printed.append("\n====== TOTALS =======\n")
        self.printed.append(f"Identification of Mentions: {ratio_lines(totals[0], rounded=rounded)}")
        if metric == BLANC:
            self.printed.append(blanc_lines(totals[1], totals[2], rounded=rounded))
        else:
            self.printed.append(f"Coreference: {ratio_lines(totals[1], rounded=rounded)}")

    def _remark_on_missing(self) -> None:
        """Note, once, which documents only one of the sides has."""
        if not self.corrected or self.remarks:
            return
        gold, system = self.gold.named, self.system.named
        for name in (one for one in gold if one not in system):
            self.remarks.append(f"{self.system.path}: lacks document {_readable(name)}; it is empty")
        for name in (one for one in system if one not in gold):
            self.remarks.append(f"{self.gold.path}: lacks document {_readable(name)}; it is left out")

    def _refuse_blanc(self, place: Place) -> NoReturn:
        found = f"document {_readable(place.name)} has an entity without any mention that ends"
        message = f"{found}, of which BLANC cannot be computed; end each mention"
        raise InputError(message, path=self.gold.path, line=place.line)

    def _say(self, text: str) -> None:
        """Print what a run for totals leaves out."""
        if self.name != QUIET:
            self.printed.append(text)


def _check_lines(data: bytes, path: str) -> None:
    """Refuse a line that is too long, looking at one line end in so many bytes."""
    start = 0
    while len(data) - start > MAX_LINE:
        end = data.rfind(b"\n", start, start + MAX_LINE + 1)
        if end < 0:
            line = data.count(b"\n", 0, start) + 1
            raise InputError(f"the line is longer than {MAX_LINE:,} characters", path=path, line=line)
        start = end + 1


def _readable(name: str) -> str:
    """Return a name in quotes, as the text that its bytes most likely are."""
    return repr(name.encode("latin-1").decode("utf-8", errors="replace"))


def _total(documents: list[Counts]) -> Counts:
    """Add up counts one after the other, as the program does, so that even the last bit is the same."""
    total = [0.0, 0.0, 0.0, 0.0]
    for counts in documents:
        total = [one + other for one, other in zip(total, counts, strict=True)]
    return total[0], total[1], total[2], total[3]
