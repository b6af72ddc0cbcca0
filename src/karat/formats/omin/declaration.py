"""The CSV files of OMIn (trusted_ke): gold standards and recorded results, one row per entity, link or document.

The columns tell the kind of a file: ``coreferences`` or ``corefs`` hold chains, ``entity`` and ``qid`` the levels of
gold links, ``mentions`` linked phrases, ``entities`` named entities. The files have no offsets. Mentions are located in
the text of the row, or in the tokens of the token file; what is not found is kept without a span, and reported.

Options select the readings of the published programs. What a row lacks is then told in attributes of its mention:
``omin:phrase`` (what stands in place of a text), ``omin:lacks`` (a label, or another cell), ``omin:line``;
``omin:letters`` is on a gold phrase with small letters, which the programs compare as it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from karat.annotations.tokens import AS_WRITTEN
from karat.formats.base import Format, Problems, Want
from karat.formats.omin.places import PhrasePlaces, places_in_text, places_in_tokens
from karat.formats.omin_tokens import read_tokens
from karat.formats.parts.literals import NotALiteralError, parse_list
from karat.formats.typed_tables import Cell, TypedTable, is_number, read_table
from karat.model import Chain, Document, Link, Mention
from karat.settings import choice, option
from karat.vocabularies import NIL

NAMELESS = "(no id)"
"""The document of rows without an id, which belongs to no other; its metadata say so."""
_NUMBER = "number"
"""Stands for a number in place of a phrase: no phrase in capitals is equal to it, or in it."""
_IDS = ("id", "c5_id", "c5_unique_id", "c5")
_TEXTS = ("sample", "c119_input", "c119_text", "c119")
_OF_GOLD = ("id", "sample")
_CHAINS = ("coreferences", "corefs")
_KINDS = ("entity", "mentions", "entities")
_LEVELS = ("secondary", "tertiary")
_MOST_LEVELS = len(_LEVELS) + 1
_EXPECTED_LIST = "expected a list such as ['CARGO DOOR', 'DOOR', None]"

Tokens = Mapping[str, Sequence[str]]
"""The tokens of documents, by their ids."""


@dataclass(frozen=True)
class OminOptions:
    """How results are read where their columns do not tell; the columns of the gold standard are fixed."""

    tokens: str = option("", "the token file in which mentions are found, as faa.conll", metavar="FILE")
    ids: str = option("", "the results' column of document ids", metavar="COLUMN")
    phrases: str = option("", "the results' column of entities or mentions", metavar="COLUMN")
    targets: str = option("", "the results' column of the identifiers that mentions are linked to", metavar="COLUMN")
    chains: str = option("", "the results' column of coreference chains", metavar="COLUMN")
    side: str = choice(
        ("any", "gold", "results"),
        "whose file it is, where the programs take gold as it is written, and results in capitals",
    )
    incomplete: str = choice(
        ("skip", "keep", "unplaced"),
        "rows whose phrase is missing: skipped, or kept as rows that lack it; then a number is no phrase either; "
        "unplaced, a row that lacks any cell takes no place from another, too",
    )
    possessives: str = choice(
        ("joined", "published", "apart"),
        "an 'S of the token file: the first joined to the word before it; of results the second too, at a place that "
        "is off, as the program does; or all apart, in phrases as well",
    )
    stops: str = choice(
        ("kept", "plain"), "/. and /? of the token file: kept so, or plain full stops and question marks"
    )
    numbers: str = choice(
        ("texts", "apart"), "numbers in columns of ids and identifiers: texts, or apart from all texts"
    )
    repeated: str = choice(("first", "apart"), "rows of chains for the same document: the first counts, or each apart")
    fill: str = choice(("no", "yes"), "gold phrases without an identifier: left so, or given that of a shorter phrase")


def read(path: str, *, problems: Problems, want: Want, options: OminOptions) -> Iterator[Document]:
    """Yield a document for each id, in the order in which the file first names them."""
    del want
    yield from documents_in(read_table(path), options, problems)


def documents_in(
    table: TypedTable, options: OminOptions, problems: Problems, tokens: Tokens | None = None
) -> Iterator[Document]:
    """Yield the documents of a table; ``tokens`` are those of the token file, if it was read."""
    if options.side != "results" and _is_gold(table):
        absent = [name for name in ("ids", "phrases", "targets", "chains") if getattr(options, name) not in table]
        options = replace(options, **dict.fromkeys(absent, ""))
    chains = options.chains or next((name for name in _CHAINS if name in table), "")
    if options.tokens and tokens is None:
        tokens = read_tokens(options.tokens)
    if tokens is not None and options.numbers == "apart":
        tokens = {_name(name, options): forms for name, forms in tokens.items()}
    build = _Chains(table, chains, options, tokens, problems) if chains else _Mentions(table, options, tokens, problems)
    for name, rows in _rows_by_name(table, options, problems):
        with problems.catching(table.path):
            document = build.document(name, rows)
            if name == NAMELESS:
                document.metadata = {"id": "missing"}
            yield document


def _rows_by_name(table: TypedTable, options: OminOptions, problems: Problems) -> list[tuple[str, list[int]]]:
    """Return the rows of each document, in the order in which the file first names them; nameless ones last."""
    ids = table.column(options.ids or next((name for name in _IDS if name in table), _IDS[0]), "name it with --ids")
    named: list[tuple[str, list[int]]] = []
    by_name: dict[str, list[int]] = {}
    nameless: list[int] = []
    for row, cell in enumerate(ids):
        if cell is None and options.incomplete == "skip":
            message = "the id of the document is missing; expected one in every row"
            problems.error(table.path, table.places[row], message)
        elif options.repeated == "apart":
            named.append((NAMELESS if cell is None else _name(cell, options), [row]))
        elif cell is None:
            nameless.append(row)
        else:
            by_name.setdefault(_name(cell, options), []).append(row)
    named += by_name.items()
    return [*named, (NAMELESS, nameless)] if nameless else named


def _is_gold(table: TypedTable) -> bool:
    return all(name in table for name in _OF_GOLD)


def _name(cell: Cell, options: OminOptions) -> str:
    """Return the id for a cell; with "apart", 5 and 5.0 give the same id, but not "5"."""
    if options.numbers == "texts" or cell is None:
        return str(cell)
    if isinstance(cell, str):
        bare = cell.strip("'")
        return f"'{cell}'" if bare == NIL or is_number(bare) else cell
    return str(int(cell)) if float(cell).is_integer() else str(cell)


def _among_tokens(name: str, tokens: Tokens | None, options: OminOptions) -> PhrasePlaces | None:
    """Return a finder of phrases in the tokens of a document, if the token file has it."""
    if tokens is None or name not in tokens:
        return None
    return places_in_tokens(tokens[name], options.side, options.possessives, options.stops)


class _Chains:
    """Builds documents of chains; mentions are ranges of words, and there is a text only if there are tokens."""

    def __init__(
        self, table: TypedTable, column: str, options: OminOptions, tokens: Tokens | None, problems: Problems
    ) -> None:
        self.table, self.options, self.tokens, self.problems = table, options, tokens, problems
        self.cells = table.column(column, "name it with --chains")

    def document(self, name: str, rows: Sequence[int]) -> Document:
        """Return the document of its first row, as the program does; further rows are reported."""
        for row in rows[1:]:
            message = f"document {name!r} has a row already; this one is left out"
            self.problems.repair(self.table.path, self.table.places[row], message)
        places = _among_tokens(name, self.tokens, self.options)
        document = Document(
            name, places.text if places else "", table=places.table if places else None, source=self.table.path
        )
        for chain in _read_chains(self.table, rows[0], self.cells[rows[0]]):
            members = [
                self._mention(word_numbers, f"m{len(document.mentions) + position}", places)
                for position, word_numbers in enumerate(chain, 1)
            ]
            document.mentions += members
            document.chains.append(Chain(str(len(document.chains) + 1), tuple(mention.id for mention in members)))
        return document

    def _mention(self, cells: tuple[Cell, ...], name: str, places: PhrasePlaces | None) -> Mention:
        """Return a mention of a first and a last word; any other value gets a span of its own, as in the program."""
        cells = tuple(int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in cells)
        match cells:
            case (int(first),) if first >= 0:
                span, attributes = (first, first + 1), {AS_WRITTEN: str(first)}
            case (int(first), int(last)) if 0 <= first <= last:
                span, attributes = (first, last + 1), {}
            case _:
                return Mention(name, (), attributes={"place": repr(list(cells))})
        if places is None:
            return Mention(name, (span,), attributes=attributes)
        characters = places.of_tokens(span)
        if characters is None:
            return Mention(name, (), attributes={"place": repr(list(cells))})
        return Mention(name, (characters,), text=places.text[slice(*characters)], attributes=attributes)


class _Mentions:
    """Builds documents of entities or links, one per row."""

    def __init__(self, table: TypedTable, options: OminOptions, tokens: Tokens | None, problems: Problems) -> None:
        self.table, self.options, self.tokens, self.problems = table, options, tokens, problems
        column = options.phrases or next((name for name in _KINDS if name in table), _KINDS[-1])
        self.levelled = column == "entity" and "qid" in table
        self.phrases = table.column(column, "name it with --phrases")
        targets = options.targets or ("qids" if "qids" in table and column == "mentions" else "")
        self.targets = table.column(targets, "name it with --targets") if targets else None
        self.labels = table.column("labels") if "labels" in table else None
        self.texts = next((table.column(name) for name in _TEXTS if name in table), None)
        self.keeps = options.incomplete != "skip"
        self.places_all = options.incomplete != "unplaced"

    def document(self, name: str, rows: Sequence[int]) -> Document:
        """Return the document of some rows; rows without a phrase only state that it exists, unless kept."""
        places = self._places(name, rows)
        document = Document(name, places.text, table=places.table, source=self.table.path)
        if places.is_stuck:
            document.metadata = {"possessives": "stuck"}
        for row in rows:
            phrase, links, attributes = self._levels(row) if self.levelled else self._plain(row)
            if isinstance(phrase, str) or self.keeps:
                document.mentions.append(self._mention(row, phrase, links, attributes, places))
        return document

    def _places(self, name: str, rows: Sequence[int]) -> PhrasePlaces:
        if self.tokens is not None:
            places = _among_tokens(name, self.tokens, self.options)
            if places is not None:
                return places
            message = f"document {name!r} is not in the token file; give the one of this gold"
            if self.options.side == "gold" or (self.options.side == "any" and _is_gold(self.table)):
                raise self.table.fault(rows[0], message)
            self.problems.repair(self.table.path, self.table.places[rows[0]], f"{message}, or do without its places")
            return places_in_text("")
        text = None if self.texts is None else self.texts[rows[0]]
        return places_in_text("" if text is None else str(text).rstrip())

    def _plain(self, row: int) -> tuple[Cell, tuple[Link, ...], dict[str, str]]:
        """Return the phrase of a row, and its link."""
        phrase = self.phrases[row]
        target = None if self.targets is None else self.targets[row]
        links = () if target is None else (Link(_name(target, self.options)),)
        return phrase if phrase is None or self.keeps else str(phrase), links, {}

    def _levels(self, row: int) -> tuple[Cell, tuple[Link, ...], dict[str, str]]:
        """Return a gold link: its first phrase, the others as attributes, and an identifier or NIL for each level."""
        levels = _read_levels(self.table, row, fill=self.options.fill == "yes")
        phrase = levels[0][0]
        if not isinstance(phrase, str) and not self.keeps:
            raise self.table.fault(row, "the first of the entities is missing; expected the longest phrase there")
        named = zip(_LEVELS, levels[1:], strict=False)
        attributes = {name: self._text(text) for name, (text, _) in named if text is not None}
        targets = [NIL if target is None else _name(target, self.options) for _, target in levels]
        while targets and targets[-1] == NIL:
            targets.pop()
        return phrase, tuple(map(Link, targets)), attributes

    def _text(self, cell: Cell) -> str:
        return _NUMBER if self.keeps and not isinstance(cell, str) else str(cell)

    def _mention(
        self, row: int, phrase: Cell, links: tuple[Link, ...], attributes: dict[str, str], places: PhrasePlaces
    ) -> Mention:
        """Return a mention at its location, with its row and, if the text differs, the phrase as given."""
        label = None if self.labels is None else self.labels[row]
        labels = () if label is None else (str(label),)
        given = "" if phrase is None else self._text(phrase)
        small = self.options.side == "gold" and any(text != text.upper() for text in (given, *attributes.values()))
        attributes["row"] = name = str(row + 1)
        is_placed = isinstance(phrase, str) and (self.places_all or self.table.is_complete(row))
        span = places.find(given) if is_placed else None
        if span is None and places.text and given and is_placed:
            message = f"the text has no {given!r} that is still free; it is kept without a place"
            self.problems.repair(self.table.path, self.table.places[row], message)
        surface = given if span is None else places.text[slice(*span)]
        if surface != given:
            attributes["given"] = given
        if self.keeps:
            attributes |= self._marks(row, phrase, label)
        if small:
            attributes["omin:letters"] = "as written"
        return Mention(name, () if span is None else (span,), labels, surface, links=links, attributes=attributes)

    def _marks(self, row: int, phrase: Cell, label: Cell) -> dict[str, str]:
        """Return attributes on what a row lacks, empty if it lacks nothing."""
        marks = {} if isinstance(phrase, str) else {"omin:phrase": _in_words(phrase)}
        if not self.table.is_complete(row):
            marks["omin:lacks"] = "label" if self.labels is not None and label is None else "cell"
        line = self.table.places[row]
        return marks | {"omin:line": str(line)} if marks and line is not None else marks


def _in_words(cell: Cell) -> str:
    """Return a description of the value of a cell that should have a text.

    >>> _in_words(None), _in_words(5)
    ('missing', 'the number 5')
    """
    return "missing" if cell is None else f"the number {cell}"


def _read_chains(table: TypedTable, row: int, cell: Cell) -> list[list[tuple[Cell, ...]]]:
    """Return the chains of a cell; any other content is an error.

    A mention is the numbers of its first and its last word, both included.
    """
    if not isinstance(cell, str):
        raise table.fault(row, f"the chains are {_in_words(cell)}; expected a list such as [[[0, 0], [7, 7]]], or []")
    try:
        chains = parse_list(cell)
    except NotALiteralError as error:
        raise table.fault(row, f"the chains cannot be read: {error}; expected [[[0, 0], [7, 7]]]") from error
    for chain in chains:
        if not isinstance(chain, list) or not all(_is_mention(mention) for mention in chain):
            raise table.fault(row, f"{str(chain)[:40]} is not a chain; expected a list of mentions [first, last]")
        if not chain:
            raise table.fault(row, "there is an empty chain, where the published program stops; take it out")
    return [[tuple(mention) for mention in chain] for chain in chains]


def _is_mention(value: object) -> bool:
    return isinstance(value, list) and not any(isinstance(item, list) for item in value)


def _read_levels(table: TypedTable, row: int, *, fill: bool = False) -> list[tuple[Cell, Cell]]:
    """Return the phrases of a gold link, the longest first, each with its identifier; either may be missing.

    With ``fill`` a phrase without an identifier is given that of a shorter one.
    """
    phrases, targets = (_list(table, row, table.column(name)[row]) for name in ("entity", "qid"))
    if len(phrases) != len(targets) or len(phrases) < (_MOST_LEVELS if fill else 1):
        message = f"there are {len(phrases)} entities and {len(targets)} identifiers; expected {_MOST_LEVELS} of each"
        raise table.fault(row, message)
    return list(zip(phrases, _filled(targets) if fill else targets, strict=True))


def _filled(targets: list[Cell]) -> list[Cell]:
    """Return the identifiers of three levels, with missing ones filled in as the option of the program does.

    >>> _filled([None, "Q1", None]), _filled([None, None, "Q2"]), _filled(["Q3", None, "Q2"])
    (['Q1', 'Q1', None], ['Q2', 'Q2', 'Q2'], ['Q3', 'Q2', 'Q2'])
    """
    first, second, third, *rest = targets
    if first is None and second is not None:
        first = second
    elif first is None:
        first = second = third
    elif second is None:
        second = third
    return [first, second, third, *rest]


def _list(table: TypedTable, row: int, cell: Cell) -> list[Cell]:
    if not isinstance(cell, str):
        raise table.fault(row, f"the cell is {_in_words(cell)}; {_EXPECTED_LIST}")
    try:
        values: list[Cell] = parse_list(cell)
    except NotALiteralError as error:
        raise table.fault(row, f"the cell cannot be read: {error}; {_EXPECTED_LIST}") from error
    if any(isinstance(value, list) for value in values):
        raise table.fault(row, f"there is a list within the list; {_EXPECTED_LIST}")
    return values


def sniff(head: str) -> bool:
    """Tell whether the first line is a header of OMIn: a column of ids, and one of annotations.

    >>> sniff("id,sample,entities\\n"), sniff("c5_id,c119_input,corefs\\n"), sniff("a,b\\n")
    (True, True, False)
    """
    names = {name.strip().strip('"') for name in head.removeprefix("\ufeff").partition("\n")[0].split(",")}
    titled = {"entity", "description"} <= names  # results that name titles, not phrases
    return not names.isdisjoint(_IDS) and not names.isdisjoint((*_KINDS, *_CHAINS)) and not titled


FORMAT = Format(
    name="omin",
    title="OMIn: CSV files of trusted_ke, gold and results",
    known_by=(
        "a first line of columns with `id`, `c5_id` or `c5_unique_id`, and with `entity`, `entities`, `mentions`, "
        "`corefs` or `coreferences`"
    ),
    read=read,
    sniff=sniff,
    options=OminOptions,
    layers="mentions, links with levels, chains",
)
