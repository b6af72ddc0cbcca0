"""The published evaluation of extracted lines (evaluate.pl): counts, result file and what it prints."""

from __future__ import annotations

from karat.errors import InputError
from karat.files import open_bytes, read_bytes
from karat.protocols.newsreader.drop_in.patterns import SPECIAL, Pattern
from karat.protocols.newsreader.drop_in.perl import is_true
from karat.protocols.newsreader.spans import RunIndex, is_run

MAX_SIZE = 1 << 30

Row = tuple[str, str, str]
"""Document, span and entity of a line."""


def read_rows(path: str) -> list[Row]:
    """Read the lines of a file, every byte as one character; columns that are missing are empty."""
    with open_bytes(path) as stream:
        data = read_bytes(stream, MAX_SIZE + 1, path)
    if len(data) > MAX_SIZE:
        raise InputError(f"has more than {MAX_SIZE:,} bytes", path=path)
    text = data.decode("latin-1").removesuffix("\n")
    if not data:
        return []
    rows = []
    for line in text.split("\n"):
        document, span, entity, *_ = [*line.split("\t", 3), "", "", ""]
        rows.append((document, span, entity))
    return rows


class Gold:
    """The gold entities of one document by span, and the spans that match another."""

    def __init__(self) -> None:
        self.entities: dict[str, str] = {}
        self._plain: RunIndex | None = None
        self._odd: list[str] = []
        self._patterns: dict[str, Pattern] = {}

    def matching(self, span: str) -> list[str]:
        """Return the spans of which this one is found in, or which are found in it, in the order of the file."""
        if self._plain is None:
            self._odd = [one for one in self.entities if SPECIAL.search(one)]
            self._plain = RunIndex(one for one in self.entities if not SPECIAL.search(one))
        if SPECIAL.search(span):
            return [one for one in self.entities if self._found(span, one) or self._found(one, span)]
        plain = self._plain.matching(span)
        odd = [one for one in self._odd if is_run(span, one) or self._found(one, span)]
        return [one for one in self.entities if one in {*plain, *odd}] if odd else plain

    def _found(self, part: str, whole: str) -> bool:
        if not SPECIAL.search(part):
            return is_run(part, whole)
        if part not in self._patterns:
            self._patterns[part] = Pattern(part)
        return self._patterns[part].found_in(whole)


class Evaluation:
    """One run: ``printed`` and ``results`` grow line by line, so that they tell how far a run came that failed."""

    def __init__(self, gold: list[Row], system: list[Row]) -> None:
        self.gold, self.system = gold, system
        self.printed: list[str] = []
        self.results: list[str] = []
        self.exact = self.fuzzy = 0

    def run(self) -> None:
        """Compare all system lines with the gold, then score."""
        documents: dict[str, Gold] = {}
        for document, span, entity in self.gold:
            known = documents.get(document)
            if known is None:
                known = documents[document] = Gold()
            known.entities[span] = entity
        for document, span, entity in self.system:
            known = documents.get(document)
            if known is None:
                self.printed.append(document)
                documents[document] = Gold()
            elif known.entities:
                self._compare(known, document, span, entity)
        self._score()

    def _compare(self, gold: Gold, document: str, span: str, entity: str) -> None:
        same = gold.entities.get(span)
        if is_true(same):
            if same == entity:
                self.exact += 1
            else:
                self.printed.append(f"{same}\t{entity}")
        matching = gold.matching(span)
        if len(matching) > 2:
            for one in matching:
                self.printed.append(f"{document}\t{span}\t{one}\t{entity}\t{gold.entities[one]}")
        for one in matching:
            found = gold.entities[one]
            right = found == entity
            self.fuzzy += right
            if not right:
                self.printed.append(f"{found}\t{entity}")
            self.results.append(f"{int(right)}\t{found}\t{entity}\t{document}\t{one}\t{span}")

    def _score(self) -> None:
        counts = [f"SYSTEM\t{len(self.system)}", f"GOLD\t{len(self.gold)}"]
        self.printed += [*counts, f"TP\t{self.exact}", f"FUZZY\t{self.fuzzy}"]
        self.results += [*counts, f"FUZZY\t{self.fuzzy}"]
        self.printed.append(scores(self.exact, len(self.system), len(self.gold), "strict"))
        line = scores(self.fuzzy, len(self.system), len(self.gold), "fuzzy")
        self.printed.append(line)
        self.results.append(line)


def scores(hits: int, system: int, gold: int, regime: str) -> str:
    """Return precision, recall and F as percentages of up to 15 digits; without hits the program fails, and so do we.

    >>> scores(1, 3, 3, "strict")
    '33.3333333333333\\t33.3333333333333\\t33.3333333333333'
    """
    if not (hits and system and gold):
        found = f"{hits} {regime} matches, {system} system lines and {gold} gold lines"
        message = f"with {found} the published program divides by zero"
        raise InputError(f"{message}; choose --profile corrected, which scores 0")
    precision, recall = hits / system, hits / gold
    f = 2 * (precision * recall / (precision + recall))
    return "\t".join(f"{100 * value:.15g}" for value in (precision, recall, f))
