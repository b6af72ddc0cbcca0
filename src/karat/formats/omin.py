"""The CSV files of OMIn (trusted_ke): gold standards and recorded results, one row an entity, a link or a document.

Which kind a file is, its columns say: ``coreferences`` or ``corefs`` hold chains, ``entity`` and ``qid`` the levels of
gold links, ``mentions`` linked phrases, ``entities`` named entities. The files have no offsets. Mentions are found in
the text of the row, or in the tokens of the token file; what cannot be found is kept, without a place, and reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from karat.errors import InputError
from karat.formats._jsonlines_write import AS_WRITTEN
from karat.formats._omin_cells import read_chains, read_levels
from karat.formats._omin_places import Places, places_in_text, places_in_tokens
from karat.formats._omin_tokens import read_tokens
from karat.formats._typed_tables import Cell, Table, read_table
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.model import Chain, Document, Link, Mention
from karat.settings import option

NIL = "NIL"
_IDS = ("id", "c5_id", "c5_unique_id", "c5")
_TEXTS = ("sample", "c119_input", "c119_text", "c119")
_OF_GOLD = ("id", "sample")
_CHAINS = ("coreferences", "corefs")
_KINDS = ("entity", "mentions", "entities")
_LEVELS = ("secondary", "tertiary")


@dataclass(frozen=True)
class OminOptions:
    """How results are read, where their columns do not say it; the columns of the gold standard are fixed."""

    tokens: str = option("", "the token file in which mentions are found, as faa.conll", metavar="FILE")
    ids: str = option("", "the results' column of document ids", metavar="COLUMN")
    phrases: str = option("", "the results' column of entities or mentions", metavar="COLUMN")
    targets: str = option("", "the results' column of the identifiers that mentions are linked to", metavar="COLUMN")
    chains: str = option("", "the results' column of coreference chains", metavar="COLUMN")


def read(
    path: str, *, problems: Problems, want: Want = EVERYTHING, options: OminOptions | None = None
) -> Iterator[Document]:
    """Yield a document for each id, in the order in which the file first names them."""
    del want
    given = options or OminOptions()
    table = read_table(path)
    if _is_gold(table):
        given = OminOptions(tokens=given.tokens)
    chains = given.chains or next((name for name in _CHAINS if name in table), "")
    ids = table.column(given.ids or next((name for name in _IDS if name in table), _IDS[0]), "name it with --ids")
    rows: dict[str, list[int]] = {}
    for row, cell in enumerate(ids):
        if cell is None:
            problems.error(path, table.places[row], "the id of the document is missing; expected one in every row")
        else:
            rows.setdefault(str(cell), []).append(row)
    tokens = read_tokens(given.tokens) if given.tokens else None
    build = _Chains(table, chains, tokens, problems) if chains else _Mentions(table, given, tokens, problems)
    for name, places in rows.items():
        try:
            yield build.document(name, places)
        except InputError as error:
            problems.error(error.path or path, error.line, error.message)


def _is_gold(table: Table) -> bool:
    return all(name in table for name in _OF_GOLD)


class _Chains:
    """Builds documents of chains; mentions are ranges of words, and there is no text unless there are tokens."""

    def __init__(self, table: Table, column: str, tokens: dict[str, list[str]] | None, problems: Problems) -> None:
        self.table, self.tokens, self.problems = table, tokens, problems
        self.cells = table.column(column, "name it with --chains")

    def document(self, name: str, rows: Sequence[int]) -> Document:
        """Return the document of its first row, as the program does; another one is reported."""
        for row in rows[1:]:
            message = f"document {name!r} has a row already; this one is left out"
            self.problems.repair(self.table.path, self.table.places[row], message)
        places = places_in_tokens(self.tokens[name], name) if self.tokens and name in self.tokens else None
        document = Document(
            name, places.text if places else "", table=places.table if places else None, source=self.table.path
        )
        for chain in read_chains(self.table, rows[0], self.cells[rows[0]]):
            members = [
                self._mention(numbers, f"m{len(document.mentions) + 1 + at}", places)
                for at, numbers in enumerate(chain)
            ]
            document.mentions += members
            document.chains.append(Chain(str(len(document.chains) + 1), tuple(one.id for one in members)))
        return document

    def _mention(self, numbers: tuple[Cell, ...], name: str, places: Places | None) -> Mention:
        """Return a mention of a first and a last word; anything else has a place of its own, as in the program."""
        match numbers:
            case (int(first),) if first >= 0:
                span, attributes = (first, first + 1), {AS_WRITTEN: str(first)}
            case (int(first), int(last)) if 0 <= first <= last:
                span, attributes = (first, last + 1), {}
            case _:
                return Mention(name, ((0, 0),), attributes={"place": repr(list(numbers))})
        if places is None:
            return Mention(name, (span,), attributes=attributes)
        found = places.of_tokens(span)
        if found is None:
            return Mention(name, ((0, 0),), attributes={"place": repr(list(numbers))})
        return Mention(name, (found,), text=places.text[slice(*found)], attributes=attributes)


class _Mentions:
    """Builds documents of entities or links, one a row."""

    def __init__(
        self, table: Table, options: OminOptions, tokens: dict[str, list[str]] | None, problems: Problems
    ) -> None:
        self.table, self.tokens, self.problems = table, tokens, problems
        self.gold = _is_gold(table)
        column = options.phrases or next((name for name in _KINDS if name in table), _KINDS[-1])
        self.levelled = column == "entity" and "qid" in table
        self.phrases = table.column(column, "name it with --phrases")
        targets = options.targets or ("qids" if "qids" in table and column == "mentions" else "")
        self.targets = table.column(targets, "name it with --targets") if targets else None
        self.labels = table.column("labels") if "labels" in table else None
        self.texts = next((table.column(name) for name in _TEXTS if name in table), None)

    def document(self, name: str, rows: Sequence[int]) -> Document:
        """Return the document of some rows; rows without a phrase only say that it exists."""
        places = self._places(name, rows)
        document = Document(name, places.text, table=places.table, source=self.table.path)
        for row in rows:
            mention = self._levels(row) if self.levelled else self._plain(row)
            if mention is not None:
                document.mentions.append(self._placed(mention, row, places))
        return document

    def _places(self, name: str, rows: Sequence[int]) -> Places:
        if self.tokens is not None:
            if name in self.tokens:
                return places_in_tokens(self.tokens[name], name)
            message = f"document {name!r} is not in the token file; give the one of this gold"
            if self.gold:
                raise self.table.fault(rows[0], message)
            self.problems.repair(self.table.path, self.table.places[rows[0]], f"{message}, or do without its places")
            return places_in_text("")
        text = None if self.texts is None else self.texts[rows[0]]
        return places_in_text("" if text is None else str(text).rstrip())

    def _plain(self, row: int) -> Mention | None:
        phrase = self.phrases[row]
        if phrase is None:
            return None
        label = None if self.labels is None else self.labels[row]
        target = None if self.targets is None else self.targets[row]
        return Mention(
            str(row + 1),
            ((0, 0),),
            () if label is None else (str(label),),
            str(phrase),
            links=() if target is None else (Link(str(target)),),
        )

    def _levels(self, row: int) -> Mention | None:
        """Return a gold link: its first phrase, the others as attributes, and an identifier or NIL for each level."""
        levels = read_levels(self.table, row)
        if not isinstance(levels[0][0], str):
            raise self.table.fault(row, "the first of the entities is missing; expected the longest phrase there")
        named = zip(_LEVELS, levels[1:], strict=False)
        attributes = {name: str(phrase) for name, (phrase, _) in named if phrase is not None}
        targets = [NIL if target is None else str(target) for _, target in levels]
        while targets and targets[-1] == NIL:
            targets.pop()
        links = tuple(map(Link, targets))
        return Mention(str(row + 1), ((0, 0),), (), levels[0][0], links=links, attributes=attributes)

    def _placed(self, mention: Mention, row: int, places: Places) -> Mention:
        """Return the mention where it stands, with its row and, if the text reads otherwise, what was given."""
        span = places.find(mention.text)
        attributes = {**mention.attributes, "row": str(row + 1)}
        if span is None:
            if places.text:
                message = f"the text has no {mention.text!r} that is still free; it is kept without a place"
                self.problems.repair(self.table.path, self.table.places[row], message)
            attributes |= {"located": "no", "given": mention.text}
            return Mention(mention.id, ((0, 0),), mention.labels, "", links=mention.links, attributes=attributes)
        surface = places.text[slice(*span)]
        attributes |= {} if surface == mention.text else {"given": mention.text}
        return Mention(mention.id, (span,), mention.labels, surface, links=mention.links, attributes=attributes)


def sniff(head: str) -> bool:
    """Say whether the first line is a header of OMIn: a column of ids, and one of what is annotated.

    >>> sniff("id,sample,entities\\n"), sniff("c5_id,c119_input,corefs\\n"), sniff("a,b\\n")
    (True, True, False)
    """
    names = {name.strip().strip('"') for name in head.removeprefix("\ufeff").partition("\n")[0].split(",")}
    return not names.isdisjoint(_IDS) and not names.isdisjoint((*_KINDS, *_CHAINS))


FORMAT = Format(
    name="omin",
    title="OMIn: CSV files of trusted_ke, gold and results",
    read=read,
    sniff=sniff,
    options=OminOptions,
    layers="mentions, links with levels, chains",
)
