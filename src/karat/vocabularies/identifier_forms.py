"""The forms in which an identifier of Wikidata, Wikipedia or DBpedia is written, and the one form for all of them.

A Wikidata item is its number with a Q. A page of Wikipedia, or what DBpedia says about it, is the language and the
title as Wikipedia writes it: ``en:Ada_Lovelace``. Everything else stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

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


def read_form(written: str, forms: str, language: str) -> str:
    """Return an identifier in its one form.

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
    """Return language and title of a page, or ``None`` for what names no page."""
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
    """Write a title as Wikipedia does: composed, with underscores, and a capital first."""
    words = re.split(r"[\s_]+", unicodedata.normalize("NFC", title).strip(" _\t\r\n"))
    joined = "_".join(filter(None, words))
    return f"{language.lower()}:{joined[:1].upper()}{joined[1:]}" if joined else None
