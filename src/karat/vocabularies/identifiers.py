"""Knowledge-base identifiers, made comparable by declared rules that treat gold and system alike.

Four rules, each an option and part of the signature, apply in this order: the *form* an identifier is written in (a
Wikidata URL, a Wikipedia title …), the words for *NIL*, a file of *redirects*, and a file of identifiers that mean
the *same*. By default only the words for NIL are set, and all other identifiers are compared as they are.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import unquote

from karat.errors import UsageError
from karat.settings import option
from karat.vocabularies import NIL
from karat.vocabularies.identifier_maps import NO_MAP, Classes, IdMap, Redirects, id_map, read_map

_ANY = "*"
FORMS = ("literal", "wikidata", "titles")
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10})*|simple")

_MAX_LENGTH = 10_000
"""Characters; what is longer is no address of a page and no title."""
_WIKIDATA = re.compile(
    r"(?:(?:https?://(?:www\.|m\.)?wikidata\.org/(?:entity/|wiki/(?:Special:EntityData/)?)|wd:|wikidata:)"
    r"(?P<named>[Qq][0-9]+)(?:\.\w+)?(?:[#?].*)?|(?P<bare>[Qq][0-9]+))",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
_WIKIPEDIA = re.compile(
    r"https?://(?:(?P<language>[a-z-]+)\.)??(?:m\.|www\.)?wikipedia\.org/"
    r"(?:wiki/(?P<title>[^#?]+)|w/index\.php\?(?:[^#]*&)?title=(?P<asked>[^#&]+)).*",
    re.IGNORECASE | re.DOTALL,
)
_DBPEDIA = re.compile(
    r"https?://(?:(?P<language>[a-z-]+)\.)??(?:www\.)?dbpedia\.org/(?:resource|page)/(?P<title>[^#?]+).*|"
    r"(?:dbr|dbpedia):(?P<short>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_PREFIXED = re.compile(r"(?P<language>[a-z]{2,3}(?:-[a-z]{2,10})*|simple):(?P<title>.+)", re.DOTALL)


def parse_nil(text: str) -> tuple[str, ...]:
    """Return the words for NIL from a comma-separated list; an asterisk at the end of a word matches any ending.

    >>> parse_nil("NIL*, O")
    ('NIL*', 'O')
    """
    return tuple(filter(None, (word.strip() for word in text.split(","))))


_digest = attrgetter("digest")


@dataclass(frozen=True)
class IdentifierOptions:
    """How identifiers of gold and system are normalised before they are compared."""

    forms: str = option(
        "literal",
        "how identifiers are written: compared as they stand, with the forms of Wikidata ids made one, or with those of"
        " Wikipedia and DBpedia titles too",
        choices=FORMS,
    )
    language: str = option("en", "the language of titles that name none, with --forms titles", metavar="CODE")
    redirects: IdMap = option(
        NO_MAP,
        "a file with two columns, an identifier and the one it leads to",
        parse=read_map,
        metavar="FILE",
        show=_digest,
    )
    same_as: IdMap = option(
        NO_MAP,
        "a file with identifiers in one line that mean the same",
        parse=read_map,
        metavar="FILE",
        show=_digest,
    )
    nil: tuple[str, ...] = option(
        ("NIL*", "O"),
        "the words that say the knowledge base lacks the entity, separated by commas; an asterisk at the end stands for"
        " any ending",
        parse=parse_nil,
        metavar="WORDS",
        show=",".join,
    )

    def __post_init__(self) -> None:
        for name in ("redirects", "same_as"):
            object.__setattr__(self, name, id_map(getattr(self, name)))
        object.__setattr__(self, "nil", tuple(self.nil))
        if not LANGUAGE.fullmatch(self.language):
            raise UsageError(f"language is {self.language!r}; expected the code of a Wikipedia, as en or de")


class Identifier(NamedTuple):
    """A normalised identifier, whether it is NIL, how it was written, and which tables have changed it."""

    name: str
    is_nil: bool
    written: str
    ways: tuple[str, ...] = ()


class Normalizer:
    """Normalises identifiers by the chosen rules, and caches the results."""

    def __init__(self, options: IdentifierOptions) -> None:
        self._options = options
        self._words = {word for word in options.nil if not word.endswith(_ANY)}
        self._beginnings = tuple(word.removesuffix(_ANY) for word in options.nil if word.endswith(_ANY))
        self._redirects = Redirects(options.redirects, self._form)
        self._classes = Classes(options.same_as, self._form)
        self._known: dict[str, Identifier] = {}

    def __call__(self, written: str) -> Identifier:
        """Return the normalised identifier; an empty one is NIL.

        >>> read = Normalizer(IdentifierOptions(forms="wikidata"))
        >>> read("https://www.wikidata.org/wiki/Q70").name, read("NIL0007").is_nil, read("").name
        ('Q70', True, 'NIL')
        """
        if written not in self._known:
            self._known[written] = self._read(written)
        return self._known[written]

    @property
    def notes(self) -> list[str]:
        """Remarks on the tables, such as cycles of redirects."""
        return self._redirects.notes

    def _read(self, written: str) -> Identifier:
        name = self._form(written)
        if (nil := self._as_nil(name)) is not None:
            return Identifier(nil, True, written)
        ways: tuple[str, ...] = ()
        for way, rule in (("redirect", self._redirects), ("same as", self._classes)):
            target = rule.main(name)
            if target != name:
                name, ways = target, (*ways, way)
            if (nil := self._as_nil(name)) is not None:
                return Identifier(nil, True, written, ways)
        return Identifier(name, False, written, ways)

    def _form(self, written: str) -> str:
        """Return an identifier in its canonical form; words for NIL are left unchanged."""
        if self._options.forms == "literal" or self._as_nil(written) is not None:
            return written
        return read_form(written, self._options.forms, self._options.language)

    def _as_nil(self, name: str) -> str | None:
        """Return the name of a NIL, which distinguishes NIL clusters, or None for other identifiers."""
        if not name or name in self._words:
            return NIL
        if not name.startswith(self._beginnings):
            return None
        return name if name.startswith(NIL) else f"{NIL}:{name}"


def read_form(written: str, forms: str, language: str) -> str:
    """Return an identifier in its canonical form.

    >>> read_form("http://www.wikidata.org/entity/Q42", "wikidata", "en"), read_form("wd:Q42", "wikidata", "en")
    ('Q42', 'Q42')
    >>> read_form("https://de.wikipedia.org/wiki/Z%C3%BCrich", "titles", "en"), read_form("Ada Byron", "titles", "en")
    ('de:Zürich', 'en:Ada_Byron')
    """
    name = written.strip()
    if len(name) > _MAX_LENGTH:
        return written
    if name.startswith("<") and name.endswith(">"):
        name = name[1:-1]
    if match := _WIKIDATA.fullmatch(name):
        return (match["named"] or match["bare"]).upper()
    return written if forms == "wikidata" else _page(name, language) or written


def _page(name: str, language: str) -> str | None:
    """Return language and title of a page, or None if the name is not that of a page."""
    if match := _WIKIPEDIA.fullmatch(name):
        return _named(match["language"] or language, unquote(match["title"] or match["asked"]))
    if match := _DBPEDIA.fullmatch(name):
        return _named(match["language"] or "en", unquote(match["title"] or match["short"]))
    if _ADDRESS.match(name):
        return None
    if match := _PREFIXED.fullmatch(name):
        return _named(match["language"], unquote(match["title"]))
    return _named(language, unquote(name))


def _named(language: str, title: str) -> str | None:
    """Return a title as Wikipedia writes it: composed, with underscores, and an initial capital."""
    words = re.split(r"[\s_]+", unicodedata.normalize("NFC", title).strip(" _\t\r\n"))
    joined = "_".join(filter(None, words))
    return f"{language.lower()}:{joined[:1].upper()}{joined[1:]}" if joined else None
