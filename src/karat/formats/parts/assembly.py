"""Builds a document from annotations with offsets or token indices; ids are kept, or assigned by number.

The text of mentions is copied from the document, within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import count

from karat.annotations.faults import surface
from karat.annotations.tokens import join_tokens
from karat.errors import InputError, many
from karat.model import Argument, Chain, Document, Link, Mention, Relation, Span, TokenTable

MAX_TIMES = 64
"""How many times its text all mentions of a document may cover, those in the same place once; nested ones could cover
it as often as there are mentions."""
MAX_COVERED = 1 << 20
"""Characters that they may cover in any case, however short the text."""
_SHARED = 200
"""Characters of a mention from which on its text is noted for others in the same place."""
NIL = "NIL"
HEAD, TAIL = "head", "tail"
"""The roles of the two ends of a relation that have no names of their own."""
_WIKIDATA = re.compile(r"https?://www\.wikidata\.org/(?:entity|wiki)/(Q[0-9]+)")
_NO_LINK = ("", "-", "-1", "<NO_MAPPING>")
_NIL_LINK = (NIL, "<NIL>")
_NIL_ADDRESS = "http://aksw.org/notInWiki/"
_BETWEEN_CONCEPTS = re.compile(r"[|,;]")


class Surfaces:
    """Returns the text at spans, cached, and refuses mentions that cover the text too often.

    ``times`` may allow more than :data:`MAX_TIMES`, but no more than that is copied: beyond it mentions have no text
    of their own, and :func:`~karat.annotations.faults.surface` computes it where it is needed.

    >>> Surfaces("Ada met her").at(((0, 3), (8, 11)))
    'Ada her'
    """

    def __init__(self, text: str, times: float | None = None) -> None:
        self.text = text
        self.limit = max((MAX_TIMES if times is None else times) * len(text), MAX_COVERED) if text else 0
        self._covered, self._copied = 0, max(MAX_TIMES * len(text), MAX_COVERED)
        self._long: dict[tuple[Span, ...], str] = {}
        """What stands at spans, where that is longer than the note of it."""

    def at(self, spans: tuple[Span, ...]) -> str:
        """Return the text at the spans of a mention, ``""`` if too much has been copied."""
        if not self.text:
            return ""
        if spans in self._long:
            return self._long[spans]
        if len(spans) == 1:
            start, end = spans[0]
            covered = self.text[start:end]
        else:
            covered = surface(self.text, spans)
        size = len(covered)
        self._covered += size
        if self._covered > self.limit:
            raise InputError(
                f"the mentions of the document cover more than {self.limit:,} characters in all; "
                "split the document, or take out mentions inside of each other"
            )
        if self._covered > self._copied:
            covered = ""
        if size > _SHARED:
            self._long[spans] = covered
        return covered


def links_of(*targets: str) -> tuple[Link, ...]:
    """Return the links for identifiers; Wikidata URLs are shortened to the identifier.

    >>> [link.target for link in links_of("http://www.wikidata.org/entity/Q70", "-", "<NIL>", "MESH:D1")]
    ['Q70', 'NIL', 'MESH:D1']
    """
    links = []
    for target in targets:
        if target in _NIL_LINK or target.startswith(_NIL_ADDRESS):
            links.append(Link(NIL))
        elif target not in _NO_LINK:
            address = _WIKIDATA.fullmatch(target)
            links.append(Link(address[1] if address else target))
    return tuple(links)


def concepts_of(identifier: str) -> tuple[str, ...]:
    """Return the concepts for the identifier of a biomedical mention: itself and, if composite, its parts.

    >>> concepts_of("D010051|D001943")
    ('D010051|D001943', 'D010051', 'D001943')
    """
    return identifier, *_BETWEEN_CONCEPTS.split(identifier)


class Assembly:
    """Builds one document; all ids of its annotations are different.

    >>> assembly = Assembly("d", "Ada met Bo")
    >>> ends = assembly.mention([(0, 3)], ("PER",)), assembly.mention([(8, 10)], ("PER",), name="7")
    >>> assembly.relation("met", *ends)
    'r1'
    >>> [mention.text for mention in assembly.document.mentions]
    ['Ada', 'Bo']
    """

    def __init__(
        self,
        name: str,
        text: str,
        table: TokenTable | None = None,
        metadata: Mapping[str, str] | None = None,
        source: str = "",
    ) -> None:
        self.document = Document(name, text, metadata=dict(metadata or {}), table=table, source=source)
        self._surfaces = Surfaces(text)
        self._names: set[str] = set()
        self._numbers = {letter: count(1) for letter in "mrc"}

    @classmethod
    def of(cls, document: Document) -> Assembly:
        """Return an assembly that continues a document."""
        assembly = cls(document.id, document.text)
        assembly.document = document
        kinds = document.mentions, document.relations, document.chains
        assembly._names = {annotation.id for annotations in kinds for annotation in annotations}
        return assembly

    def mention(
        self,
        spans: Iterable[Span],
        labels: Iterable[str] = (),
        *,
        name: str = "",
        layer: str = "",
        links: Iterable[Link] = (),
        attributes: Mapping[str, str] | None = None,
    ) -> str:
        """Add a mention and return its id.

        Args:
            spans: its spans in the text.
            labels: its labels.
            name: its id; by default the next free number. An id that is taken is an error.
            layer: its layer.
            links: its links, best first.
            attributes: its attributes.

        """
        if name in self._names:
            raise InputError(f"the id {name!r} is used twice; each annotation needs its own")
        given = self._name(name, "m")
        places = tuple(spans)
        mention = Mention(
            given,
            places,
            tuple(filter(None, labels)),
            self._surfaces.at(places),
            layer,
            tuple(links),
            dict(attributes or {}),
        )
        self.document.mentions.append(mention)
        return given

    def absent(self, words: str) -> str:
        """Add a mention of words that the text does not have, and return its id."""
        given = self._name("", "m")
        self.document.mentions.append(Mention(given, (), text=words))
        return given

    def relation(
        self,
        label: str,
        head: str,
        tail: str,
        *,
        name: str = "",
        attributes: Mapping[str, str] | None = None,
    ) -> str:
        """Add a relation between two mentions or chains, by their ids."""
        return self.tuple(label, [(HEAD, head), (TAIL, tail)], name=name, attributes=attributes)

    def tuple(
        self,
        label: str,
        arguments: Iterable[tuple[str, str]],
        *,
        name: str = "",
        trigger: str | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> str:
        """Add a relation with any roles; an id that a mention has is prefixed with ``r``."""
        given = self._name(f"r{name}" if name in self._names else name, "r")
        ends = tuple(Argument(role, target) for role, target in arguments)
        self.document.relations.append(Relation(given, label, ends, trigger, dict(attributes or {})))
        return given

    def chain(self, mentions: Iterable[str], *, name: str = "") -> str:
        """Add a chain of mentions, by their ids, and return its id."""
        given = self._name(name, "c")
        self.document.chains.append(Chain(given, tuple(mentions)))
        return given

    def _name(self, wanted: str, letter: str) -> str:
        """Return the given id, or else the letter with the next free number."""
        name = wanted
        while not name or name in self._names:
            name = f"{letter}{next(self._numbers[letter])}"
        self._names.add(name)
        return name


class Fresh:
    """Makes names unique: the second of a name becomes ``NAME#2``.

    >>> fresh = Fresh()
    >>> [fresh.name(name) for name in ("a", "a", "a#2", "a")]
    ['a', 'a#2', 'a#2#2', 'a#3']
    """

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        """The number of the last of each name, and 1 for names that were given."""

    def __contains__(self, name: str) -> bool:
        return name in self._last

    def name(self, wanted: str) -> str:
        """Return the name, or the next free variant of it."""
        if wanted not in self._last:
            self._last[wanted] = 1
            return wanted
        for occurrence in count(self._last[wanted] + 1):
            name = f"{wanted}#{occurrence}"
            if name not in self._last:
                break
        self._last[wanted] = occurrence
        self._last[name] = 1
        return name


def distinct(names: Sequence[str], referred: Container[str]) -> list[str]:
    """Return unique ids, a repeated one as ``ID#2``; raises an error if something refers to a repeated id.

    >>> distinct(["a", "b", "a", "", ""], {"b"})
    ['a', 'b', 'a#2', '', '']
    """
    fresh = Fresh()
    fresh_names = []
    for name in names:
        if name in fresh and name in referred:
            raise InputError(f"the id {name!r} is used twice, and something refers to it; give each its own")
        fresh_names.append(fresh.name(name) if name else "")
    return fresh_names


class SentenceWords:
    """The tokens of a document in sentences; its text is the tokens joined by blanks.

    >>> words = SentenceWords([["Ada", "left"], ["She", "did"]], "spert")
    >>> words.text, words.span(1, 3)
    ('Ada left She did', (4, 12))
    """

    def __init__(self, sentences: Sequence[Sequence[str]], dialect: str) -> None:
        forms: list[str] = []
        self.firsts: list[int] = []
        for sentence in sentences:
            self.firsts.append(len(forms))
            forms += sentence
        if "" in forms:
            raise InputError(f"token {forms.index('')} is empty; a token has at least one character")
        self.text, self._starts = join_tokens(forms)
        self.forms = forms
        self.bounds = [*self.firsts, len(forms)]
        """The first token of each sentence, and the end."""
        self.table = TokenTable(forms, segments=list(self.firsts), starts=self._starts, dialect=dialect)

    def span(self, first: int, behind: int, *, end: int | None = None) -> Span:
        """Return the span of the tokens from ``first`` to the one before ``behind``.

        ``end`` is the end as the file writes it, for messages, if it counts differently.
        """
        written = behind if end is None else end
        if not 0 <= first <= len(self.forms) or not 0 <= behind <= len(self.forms):
            size = many(len(self.forms), "token")
            raise InputError(f"the tokens [{first}, {written}] are outside of the document, which has {size}")
        if first >= behind:
            reason = "is empty" if first == behind and end is None else "ends before it begins"
            raise InputError(f"the span of tokens [{first}, {written}] {reason}")
        return self._starts[first], self._starts[behind - 1] + len(self.forms[behind - 1])
