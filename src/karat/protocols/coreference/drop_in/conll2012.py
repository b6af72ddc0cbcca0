"""scorer.pl, the official scorer of CoNLL-2012: it prints while it reads, and stops at the first fault.

So the text of a run that fails is printed, too, up to where it stops.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, KaratError
from karat.evaluation.protocol import Sheet
from karat.evaluation.tally import Group
from karat.formats.conll2012.official import OfficialFile, OfficialPlace, in_words
from karat.measures.official import cleaned
from karat.measures.published import added_in_order, as_perl_shows, rounded_percent, truncated_percent
from karat.measures.ratios import value
from karat.model import Document
from karat.protocols.coreference.clusterings import Clustering
from karat.protocols.coreference.countbook import UNCOUNTED, Countbook
from karat.protocols.coreference.judgement import CONLL2012
from karat.protocols.coreference.preparation import first_occurrences, for_conll2012

RULE = "-" * 74

Counts = Sequence[float]


class ScorerLines:
    r"""Words the counts of a book as the official scorer does; ``corrected`` rounds percentages.

    >>> ScorerLines(Countbook({"muc": CONLL2012["muc"]})).ratios("muc", (2, 3, 2, 4)).split("\n")[0]
    'Recall: (2 / 3) 66.66%\tPrecision: (2 / 4) 50%\tF1: 57.14%'
    """

    def __init__(self, book: Countbook, *, corrected: bool = False) -> None:
        self.percent = rounded_percent if corrected else truncated_percent
        self.counts = book.counts
        self.formulas = {(figure.regime, figure.measure): figure.formula.over(book.counts) for figure in book.figures}

    def mentions(self, counts: Counts, surplus: int) -> str:
        """Return the lines that count the mentions of a document; what the gold repeats is taken for invented."""
        common, gold, _, system = self._of("mentions", counts)
        return (
            f"Total key mentions: {gold}\nTotal response mentions: {system}\n"
            f"Strictly correct identified mentions: {common}\nPartially correct identified mentions: 0\n"
            f"No identified: {gold - common}\nInvented: {system - common + surplus}\n"
        )

    def ratios(self, regime: str, counts: Counts) -> str:
        """Return the line of recall, precision and F1 and the rule below it."""
        return self._lines(self._of(regime, counts), self._shares(regime, counts))

    def blanc(self, counts: Counts) -> str:
        """Return the lines of links within chains and between chains, and of BLANC, the mean of both."""
        shares = self._shares("blanc", counts)
        return (
            f"\nCoreference:\nCoreference links: {self.ratios('blanc-linked', counts)}"
            f"Non-coreference links: {self.ratios('blanc-unlinked', counts)}"
            f"BLANC: {self._lines((shares[0], 1, shares[1], 1), shares)}"
        )

    def _of(self, regime: str, counts: Counts) -> Counts:
        column = self.counts.index(f"{regime}-found")
        return counts[column : column + 4]

    def _shares(self, regime: str, counts: Counts) -> list[float]:
        """Return recall, precision and F1, 0 where they are undefined."""
        return [value(self.formulas[regime, ratio](counts)) or 0 for ratio in ("recall", "precision", "f1")]

    def _lines(self, counts: Counts, shares: Sequence[float]) -> str:
        found, gold, given, system = map(as_perl_shows, counts)
        recall, precision, f1 = (as_perl_shows(self.percent(share)) for share in shares)
        cells = f"Recall: ({found} / {gold}) {recall}%", f"Precision: ({given} / {system}) {precision}%", f"F1: {f1}%"
        return "\t".join(cells) + f"\n{RULE}\n"


VERSION = "version: 8.01 karat/lib/CorScorer.pm\n"
BLANC = "blanc"
METRICS = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", BLANC: "blanc"}
"""The metrics, and what the protocol calls them."""
ALL = "all"
QUIET = "none"
"""The name of a document that asks for totals only."""
MAX_REPEATS = 10
"""With more repeated system mentions than this, nothing is scored."""


class ScoredDocument(NamedTuple):
    """The counts of a document, and the lines about its repeated mentions.

    Of repeated system mentions there are no more lines than it takes to refuse them. ``surplus`` is how many more
    mentions the gold lists than it has.
    """

    counts: Sequence[float]
    gold_repeats: Sequence[str]
    system_repeats: Sequence[str]
    surplus: int


def score_document(gold: Clustering, system: Clustering, book: Countbook, *, corrected: bool = False) -> ScoredDocument:
    """Score a document by the protocol; ``corrected`` removes all repeated mentions first.

    >>> chains = [[(0, 0), (2, 2)]], [[(0, 0), (1, 1)], [(0, 0)]]
    >>> gold, system = (Clustering(side, [""] * len(side), Document("d"), {}) for side in chains)
    >>> scored = score_document(gold, system, Countbook({"mentions": CONLL2012["mentions"]}))
    >>> scored.counts, scored.system_repeats
    ((1, 2, 1, 2), ['Repeated mention in the response: 0, 0 00'])
    """
    sides = (first_occurrences(gold), first_occurrences(system)) if corrected else (gold, system)
    page = for_conll2012(*sides, None)
    counts = book.tally(Sheet(gold.document.id, page))[Group()]
    distinct = int(counts[book.counts.index("mentions-gold")])
    repeats: tuple[list[str], list[str]] = [], []
    if gold.size > distinct or system.size > page.system.size:
        repeats = _repeats(gold, system, known=system if corrected else gold)
    return ScoredDocument(counts, *repeats, page.gold.size - distinct)


def _repeats(gold: Clustering, system: Clustering, known: Clustering) -> tuple[list[str], list[str]]:
    """Return the lines about repeated mentions of both sides, of the system's those that are ``known``."""
    firsts: dict[Hashable, int] = {}
    gold_repeats = []
    for position, mention in enumerate(mention for chain in gold.chains for mention in chain):
        if mention in firsts:
            gold_repeats.append(_repeat("key", mention, f"{firsts[mention]}{position}"))
        firsts[mention] = position
    removed = cleaned(known.chains, system.chains).removed[: MAX_REPEATS + 1]
    return gold_repeats, [_repeat("response", mention, str(firsts.get(mention, "")) * 2) for mention in removed]


def _repeat(side: str, mention: Any, positions: str) -> str:
    return f"Repeated mention in the {side}: {mention[0]}, {mention[1]} {positions}"


def _first(file: OfficialFile, name: str) -> OfficialPlace | None:
    return next((place for place in file.places if place.name == name), None)


def read(gold: str, system: str) -> tuple[OfficialFile, OfficialFile]:
    """Return both files, which are opened during the run, since what is printed before an error depends on it."""
    return OfficialFile(gold), OfficialFile(system)


def evaluate(
    files: tuple[OfficialFile, OfficialFile], metric: str, name: str | None = None, *, corrected: bool = False
) -> ScorerRun:
    """Run the scorer; the error of a run that stops is its ``failure``.

    Args:
        files: The gold and the system.
        metric: One of :data:`METRICS`, or :data:`ALL`.
        name: The document to be scored; :data:`QUIET` scores all and prints the totals, None scores and prints all.
        corrected: Whether the bugs of the program are mended.

    """
    run = ScorerRun(*files, name, corrected=corrected)
    try:
        run.run(metric)
    except KaratError as error:
        run.failure = error
    return run


def printed(run: ScorerRun) -> ProgramOutput:
    """Return what the scorer prints, and notes about documents that only one side has."""
    notes = [f"karat: {remark}" for remark in run.remarks]
    return ProgramOutput("".join(run.lines).encode("latin-1"), notes=notes, failure=run.failure)


class ScorerRun:
    """One run of the scorer.

    Args:
        gold: The file of the gold.
        system: The file of the system.
        name: The document to be scored, see :func:`evaluate`.
        corrected: Whether the bugs of the program are mended.

    """

    def __init__(
        self, gold: OfficialFile, system: OfficialFile, name: str | None = None, *, corrected: bool = False
    ) -> None:
        self.gold, self.system = gold, system
        self.name = name
        self.corrected = corrected
        self.lines: list[str] = []
        self.remarks: list[str] = []
        self.failure: KaratError | None = None
        self.repeats = 0
        self._draft = cache(OfficialFile.draft)
        self._scored: dict[tuple[OfficialPlace | None, OfficialPlace | None], ScoredDocument] = {}

    def run(self, metric: str) -> None:
        """Score by one metric, or by all of them."""
        metrics = METRICS if metric == ALL else {metric: METRICS[metric]}
        self.book = Countbook({name: CONLL2012[name] for name in ("mentions", *metrics.values())}, bounded=True)
        self.wording = ScorerLines(self.book, corrected=self.corrected)
        self.lines.append(VERSION)
        for name in metrics:
            if metric == ALL:
                self.lines.append(f"\nMETRIC {name}:\n")
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
            documents = [self._document(metric, None, _first(self.gold, name), None)]
        totals = added_in_order(documents, len(self.book.counts))
        self.lines.append("\n====== TOTALS =======\n")
        self.lines.append(f"Identification of Mentions: {self.wording.ratios('mentions', totals)}")
        if metric == BLANC:
            self.lines.append(self.wording.blanc(totals))
        else:
            self.lines.append(f"Coreference: {self.wording.ratios(METRICS[metric], totals)}")

    def _document(
        self, metric: str, name: str | None, gold: OfficialPlace | None, system: OfficialPlace | None
    ) -> Sequence[float]:
        """Print a document, and return its counts.

        If one document was asked for, it has been announced, and the system's one is found only after the gold's.
        """
        gold_chains = self._chains(self.gold, gold)
        if name is None:
            system = _first(self.system, self.name or "")
        system_chains = self._chains(self.system, system)
        if name is not None:
            self._say(f"{'' if metric == BLANC and not self.corrected else name}:\n")
        document = self._scored.get((gold, system))
        if document is None:
            document = score_document(gold_chains, system_chains, self.book, corrected=self.corrected)
            self._scored[gold, system] = document
        self._print_repeats(document)
        self._say(self.wording.mentions(document.counts, document.surplus))
        if metric != BLANC:
            self._say(self.wording.ratios(METRICS[metric], document.counts))
        elif gold is not None:
            self._check_blanc(gold, gold_chains, document)
        return document.counts

    def _chains(self, side: OfficialFile, place: OfficialPlace | None) -> Clustering:
        """Print the chains of a document and return them; one that is not there has no name and no chains."""
        if place is None:
            self._say("====> :\nFile :\n")
            return Clustering([], [], Document("", source=side.path), {})
        self._say(f"====> {place.name}:\n")
        draft = self._draft(side, place)
        self._say("".join(f"Discarded ({entity})\n" for entity in draft.discarded))
        if draft.failure is not None:
            raise InputError(draft.failure.message, path=side.path, line=draft.failure.line)
        chains = list(draft.chains.values())
        while chains and not chains[-1]:
            chains.pop()
        if self.name != QUIET:
            self.lines.append(f"File {place.name}:\n")
            for index, chain in enumerate(chains):
                self.lines.append(f"Entity {index}:{''.join(f' ({first},{last})' for first, last in chain)}\n")
        return Clustering(
            chains, list(draft.chains)[: len(chains)], Document(in_words(place.name), source=side.path), {}
        )

    def _print_repeats(self, document: ScoredDocument) -> None:
        """Print the repeats, which even a run for totals does, and refuse too many of them."""
        self.lines += [f"{line}\n" for line in document.gold_repeats]
        for line in document.system_repeats:
            self.lines.append(f"{line}\n")
            self.repeats += 1
            if self.repeats > MAX_REPEATS:
                message = "Found too many repeated mentions (> 10) in the response, so refusing to score"
                raise InputError(f"{message}; remove the repeats", path=self.system.path)

    def _remark_on_missing(self) -> None:
        """Note, once, the documents that only one side has."""
        if not self.corrected or self.remarks:
            return
        gold, system = self.gold.named, self.system.named
        for name in (name for name in gold if name not in system):
            self.remarks.append(f"{self.system.path}: lacks document {in_words(name)!r}; it is empty")
        for name in (name for name in system if name not in gold):
            self.remarks.append(f"{self.gold.path}: lacks document {in_words(name)!r}; it is left out")

    def _check_blanc(self, place: OfficialPlace, gold: Clustering, document: ScoredDocument) -> None:
        """Raise an error if the links of a document cannot be counted, by Karat or by the program."""
        if document.counts[self.book.counts.index(UNCOUNTED)]:
            fault = "has mentions that are repeated in too many ways, so that their links cannot be counted"
            advice = "remove the repeats"
        elif not all(gold.chains) and not self.corrected:
            fault = "has an entity without any mention that ends, of which BLANC cannot be computed"
            advice = "end each mention"
        else:
            return
        message = f"document {in_words(place.name)!r} {fault}; {advice}"
        raise InputError(message, path=self.gold.path, line=place.line)

    def _say(self, text: str) -> None:
        """Print a text unless only totals are printed."""
        if self.name != QUIET:
            self.lines.append(text)
