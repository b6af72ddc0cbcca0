"""GENRE: the regenerated text with ``{ mention } [ title ]`` in it, one document a line, or recorded CSV files.

The mark-up says where a mention stands: the text without it is the text that was read, up to blanks. The published
conversion stops at the first mark-up of a record that has no blank behind it, such as one before a full stop, and so
loses two of five links; ``conversion=published`` does the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.annotations.locating import align_words
from karat.formats.tools.base import Records, ToolOptions, conversion, has_keys
from karat.formats.tools.draft import Draft, Origin
from karat.formats.tools.titles import Titles
from karat.model import Document, Span
from karat.settings import option

_MARKED = re.compile(r"\{([^{}]*)\}\s{0,20}\[([^\[\]]*)\]")
_TITLES = "a file of titles and identifiers with a tab between them; unless given, links are titles"


@dataclass(frozen=True)
class Options(ToolOptions):
    """What can be said about the output of GENRE."""

    titles: str = option("", _TITLES, metavar="FILE")
    conversion: str = conversion("links")


class TitledMention(NamedTuple):
    """A mention in the text without mark-up, and the title it is linked to."""

    span: Span
    title: str
    published: bool = True
    """Whether the published conversion can read it."""


def parse_output(output: str) -> tuple[str, list[TitledMention]]:
    """Return the text without mark-up, and the mentions in it.

    >>> parse_output("RAN OUT OF { FUEL } [ El Salvador ] ON FERRY")
    ('RAN OUT OF FUEL ON FERRY', [TitledMention(span=(11, 15), title='El Salvador', published=True)])
    """
    parts: list[str] = []
    marked: list[TitledMention] = []
    offset = size = 0
    for match in _MARKED.finditer(output):
        mention, title = match[1].strip(), match[2].strip()
        before = output[offset : match.start()]
        parts += [before, mention]
        size += len(before)
        if mention:
            marked.append(TitledMention((size, size + len(mention)), title, output.startswith(" ", match.end())))
        size += len(mention)
        offset = match.end()
    parts.append(output[offset:])
    return "".join(parts), marked


class Builder:
    """Builds documents from marked texts."""

    def __init__(self, options: Options) -> None:
        self.records, self.titles = Records(options.records), Titles(options.titles)
        self.published = options.conversion == "published"

    def document(self, name: str, output: str, given: str | None, origin: Origin) -> Document:
        """Return the document of what was printed."""
        regenerated, marked = parse_output(output)
        if any(bracket in regenerated for bracket in "{}"):
            origin.repair(f"document {shown(name)}: there is mark-up that is not closed; it is read as text")
        kept = list(takewhile(lambda mention: mention.published, marked)) if self.published else marked
        if len(kept) < len(marked):
            message = f"{len(marked) - len(kept)} of {len(marked)} links left out, as the published conversion does"
            origin.repair(f"document {shown(name)}: {message}")
        text = self.records.text(name, given)
        draft = Draft(name, regenerated if text is None else text, origin)
        places = _Moved(regenerated, text) if text is not None else None
        for mention in kept:
            phrase = regenerated[slice(*mention.span)]
            links = self.titles.links(mention.title)
            if not links:
                message = f"the title {shown(mention.title)} has no identifier in {self.titles.path}"
                origin.repair(f"document {shown(name)}: {message}")
            span = mention.span if places is None else places.of(mention.span)
            if span is None:
                origin.repair(f"document {shown(name)}: {shown(phrase)} is hallucinated: it does not stand there")
            draft.at(span, given=phrase, links=links, attributes={"title": mention.title})
        return draft.document()


class _Moved:
    """Finds in the text of a record what stands in the regenerated one, word by word."""

    def __init__(self, regenerated: str, text: str) -> None:
        self.text = text
        runs = [match.span() for match in re.finditer(r"\w+|[^\w\s]", regenerated)]
        placed = align_words([regenerated[slice(*run)] for run in runs], text)
        self._starts = {run[0]: span[0] for run, span in zip(runs, placed, strict=True) if span is not None}
        self._ends = {run[1]: span[1] for run, span in zip(runs, placed, strict=True) if span is not None}

    def of(self, span: Span) -> Span | None:
        start, end = self._starts.get(span[0]), self._ends.get(span[1])
        return (start, end) if start is not None and end is not None and start < end else None


def sniff(head: str) -> bool:
    """Say whether the first line has an output with mark-up."""
    return has_keys(head, "output") and _MARKED.search(head.partition("\n")[0]) is not None
