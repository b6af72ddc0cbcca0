"""The program: reads both files, prints what the official scorer prints, and stops where it stops."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, NoReturn

from karat.errors import InputError
from karat.formats._conll2012_official import Place
from karat.formats._conll2012_rows import Range
from karat.measures.official import cleaned
from karat.measures.published import added_in_order
from karat.protocols.coreference.drop_in.files import ColumnFile
from karat.protocols.coreference.drop_in.printing import Counts, blanc_lines, mention_lines, percent_of, ratio_lines
from karat.protocols.coreference.judgement import Judgement
from karat.protocols.coreference.measured import CONLL2012

VERSION = "version: 8.01 karat/lib/CorScorer.pm\n"
BLANC = "blanc"
METRICS = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", BLANC: "blanc"}
"""The metrics, and what the protocol calls them."""
ALL = "all"
QUIET = "none"
"""The name of a document that asks for totals only."""
MAX_REPEATS = 10
"""With more repeated system mentions than this, nothing is scored."""

Chains = list[list[Range]]


class Identified(NamedTuple):
    """A document with its mentions identified, each side against the other.

    ``gold_repeats`` and ``system_repeats`` are the lines to print about mentions that stand there more than once, of
    the system's no more than it takes to refuse it; ``judged`` is what is left.
    """

    gold_repeats: list[str]
    system_repeats: list[str]
    judged: Judgement
    invented: int


def identify(gold: Chains, system: Chains, *, corrected: bool = False) -> Identified:
    """Number the mentions of the gold, and remove the repeats of them in the system; ``corrected`` removes all repeats.

    >>> document = identify([[(0, 0), (2, 2)]], [[(0, 0), (1, 1)], [(0, 0)]])
    >>> document.system_repeats, document.judged.table.mentions, document.invented
    (['Repeated mention in the response: 0, 0 00'], (1, 2, 2), 1)
    """
    numbers: dict[Hashable, int] = {}
    gold_repeats = []
    for number, mention in enumerate(mention for chain in gold for mention in chain):
        if mention in numbers:
            gold_repeats.append(_repeat("key", mention, f"{numbers[mention]}{number}"))
        numbers[mention] = number
    scored = cleaned(gold, gold).chains if corrected else gold
    answered = cleaned(system if corrected else gold, system)
    removed = answered.removed[: MAX_REPEATS + 1]
    system_repeats = [_repeat("response", mention, str(numbers.get(mention, "")) * 2) for mention in removed]
    judged = Judgement([chain for chain in scored if chain], [chain for chain in answered.chains if chain])
    common, of_gold, of_system = judged.table.mentions
    invented = sum(map(len, scored)) - of_gold + of_system - common
    return Identified(gold_repeats, system_repeats, judged, invented)


def _repeat(side: str, mention: Any, numbers: str) -> str:
    return f"Repeated mention in the {side}: {mention[0]}, {mention[1]} {numbers}"


class Program:
    """One run. What has been printed stays in ``printed``, even if the run fails; ``remarks`` are for the user."""

    def __init__(self, gold: str, system: str, name: str | None = None, *, corrected: bool = False) -> None:
        self.gold, self.system = ColumnFile(gold), ColumnFile(system)
        self.name = name
        self.corrected = corrected
        self.percent = percent_of(corrected=corrected)
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
        for name in METRICS:
            self.printed.append(f"\nMETRIC {name}:\n")
            self._score(name)

    def _score(self, metric: str) -> None:
        if self.corrected:
            self.repeats = 0
        name = self.name
        if name is None or name == QUIET:
            golds, systems = self.gold.named, self.system.named
            self._remark_on_missing()
            documents = [self._document(metric, name, place, systems.get(name)) for name, place in golds.items()]
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
        document = self._identify((gold, system), gold_chains, system_chains)
        self._print_repeats(document)
        mentions = CONLL2012["mentions"](document.judged)
        self._say(mention_lines(mentions, document.invented))
        if metric == BLANC and gold is not None and not all(gold_chains) and not self.corrected:
            self._refuse_blanc(gold)
        counts = CONLL2012[METRICS[metric]](document.judged)
        if metric == BLANC:
            return [mentions, counts[:4], counts[4:8]]
        self._say(ratio_lines(counts, self.percent))
        return [mentions, counts]

    def _chains(self, side: ColumnFile, place: Place | None) -> Chains:
        """Print the chains of a document and return them; one that is not there has no name and no chains."""
        if place is None:
            self._say("====> :\nFile :\n")
            return []
        self._say(f"====> {place.name}:\n")
        draft = side.draft(place)
        self._say("".join(f"Discarded ({entity})\n" for entity in draft.discarded))
        if draft.failure is not None:
            raise InputError(draft.failure.message, path=side.path, line=draft.failure.line)
        chains = list(draft.chains.values())
        while chains and not chains[-1]:
            chains.pop()
        if self.name != QUIET:
            self.printed.append(f"File {place.name}:\n")
            for index, chain in enumerate(chains):
                self.printed.append(f"Entity {index}:{''.join(f' ({first},{last})' for first, last in chain)}\n")
        return chains

    def _identify(self, key: tuple[Place | None, Place | None], gold: Chains, system: Chains) -> Identified:
        if key not in self._identified:
            self._identified[key] = identify(gold, system, corrected=self.corrected)
        return self._identified[key]

    def _print_repeats(self, document: Identified) -> None:
        """Print the repeats, which even a run for totals does, and refuse too many of them."""
        self.printed += [f"{line}\n" for line in document.gold_repeats]
        for line in document.system_repeats:
            self.printed.append(f"{line}\n")
            self.repeats += 1
            if self.repeats > MAX_REPEATS:
                message = "Found too many repeated mentions (> 10) in the response, so refusing to score"
                raise InputError(f"{message}; remove the repeats", path=self.system.path)

    def _print_totals(self, metric: str, documents: list[list[Counts]]) -> None:
        """Print the sums, taken one after the other as the program does, so that even the last bit is the same."""
        width = 3 if metric == BLANC else 2
        totals = [added_in_order((counts[part] for counts in documents), 4) for part in range(width)]
        self.printed.append("\n====== TOTALS =======\n")
        self.printed.append(f"Identification of Mentions: {ratio_lines(totals[0], self.percent)}")
        if metric == BLANC:
            self.printed.append(blanc_lines(totals[1], totals[2], self.percent))
        else:
            self.printed.append(f"Coreference: {ratio_lines(totals[1], self.percent)}")

    def _remark_on_missing(self) -> None:
        """Note, once, which documents only one of the sides has."""
        if not self.corrected or self.remarks:
            return
        gold, system = self.gold.named, self.system.named
        for name in (name for name in gold if name not in system):
            self.remarks.append(f"{self.system.path}: lacks document {_readable(name)}; it is empty")
        for name in (name for name in system if name not in gold):
            self.remarks.append(f"{self.gold.path}: lacks document {_readable(name)}; it is left out")

    def _refuse_blanc(self, place: Place) -> NoReturn:
        fault = f"document {_readable(place.name)} has an entity without any mention that ends"
        message = f"{fault}, of which BLANC cannot be computed; end each mention"
        raise InputError(message, path=self.gold.path, line=place.line)

    def _say(self, text: str) -> None:
        """Print what a run for totals leaves out."""
        if self.name != QUIET:
            self.printed.append(text)


def _readable(name: str) -> str:
    """Return a name in quotes, as the text that its bytes most likely are."""
    return repr(name.encode("latin-1").decode("utf-8", errors="replace"))
