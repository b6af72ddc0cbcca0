"""Extraction as the documentation of the NewsReader programs promises it.

The first five sentences, tokens through the layer of terms, the best DBpedia reference, names whole, UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from karat.annotations.tokens import covered_tokens
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.naf.assembly import NafAssembly, NafOptions
from karat.formats.naf.layers import read_layers
from karat.model import Document, Mention
from karat.protocols.newsreader.draft import link_name
from karat.protocols.newsreader.drop_in.documents import NAF, Redirects, check_regular, paths

SENTENCES = 5
KB = "dbpedia"

Tell = Callable[[str], None]


class Extraction:
    """Extraction from a folder, for gold and systems alike; ``entities`` and ``linked`` count what was seen."""

    def __init__(
        self, *, resource: str = "", redirects: Redirects | None = None, ending: re.Pattern[str] = NAF
    ) -> None:
        self.resource, self.redirects, self.ending = resource, redirects or {}, ending
        self.entities = self.linked = 0

    @property
    def information(self) -> str:
        """The three lines of the information file."""
        return f"NERC\t{self.entities}\nNED\t{self.linked}\nNo NED\t{self.entities - self.linked}\n"

    def gold(self, folder: str, tell: Tell) -> str:
        """Return the gold lines: document, span, entity."""
        return "".join(f"{name}\t{span}\t{entity}\n" for name, span, entity, _ in self._rows(folder, "skip", tell))

    def system(self, folder: str, tell: Tell, *, english: bool = True) -> str:
        """Return a system's lines: document, span, entity, mention; of other languages by the English references."""
        rows = self._rows(folder, "skip" if english else "only", tell)
        return "".join("\t".join(map(_cell, row)) + "\n" for row in rows)

    def _rows(self, folder: str, nested: str, tell: Tell) -> Iterator[tuple[str, str, str, str]]:
        for path in _paths(folder, self.ending):
            problems = Problems()
            document = NafAssembly(read_layers(path), path, problems, NafOptions(self.resource, nested)).document(
                path.name
            )
            assert document is not None  # noqa: S101 - problems are raised, not collected
            for problem in problems.found:
                tell(f"{problem.path}:{problem.line}: {problem.message}")
            for mention, span in _within(document):
                self.entities += 1
                names = (link_name(link.target, KB, published=False) for link in mention.links if KB in link.target)
                name = next(filter(None, names), None)
                if name is None:
                    if nested == "only":
                        tell(f"{path.name}: {span} has no English DBpedia reference")
                    continue
                self.linked += 1
                yield path.name, span, self.redirects.get(name, name), mention.text


def _paths(folder: str, ending: re.Pattern[str]) -> Iterator[Path]:
    for path in map(Path, paths(folder, ending)):
        if not path.name.isprintable():
            raise InputError(f"the file name {path.name!a} has no place in a line of text; rename it", path=folder)
        check_regular(str(path))
        yield path


def _within(document: Document) -> Iterator[tuple[Mention, str]]:
    """Yield the mentions that begin in the first sentences, with the numbers of their tokens."""
    table = document.table
    assert table is not None  # noqa: S101 - NAF always has tokens
    end = table.segments[SENTENCES] if len(table.segments) > SENTENCES else len(table.forms)
    ends = [start + len(form) for start, form in zip(table.starts, table.forms, strict=True)]
    ids = table.columns.get("ID", [])
    for mention in document.mentions:
        tokens = [token for span in mention.spans for token in range(*covered_tokens(span, table.starts, ends))]
        if tokens and tokens[0] < end and (mention.labels or mention.links or not document.chains):
            yield mention, "-".join(re.sub(r"^[^0-9]+(?=[0-9])", "", ids[token]) for token in tokens)


def _cell(text: str) -> str:
    return re.sub(r"[\t\n\r]+", " ", text)
