"""Wikidata's truthy statements as N-Triples: one statement per line, entities and properties as URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from karat.errors import InputError
from karat.vocabularies.ontology.facts import KINDS, OntologyFacts
from karat.vocabularies.ontology.streams import LineBlock

_ENTITY = "http://www.wikidata.org/entity/"
_ADDRESS = r"<[^<>\s]*+>"
_BLANK = r"_:[^<>\"\s]+"
_TEXT = r"\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*\""
_OF_USE = (
    rf"<http://www\.(?:wikidata\.org/prop/direct/({'|'.join(KINDS)})>[ \t]*+<{re.escape(_ENTITY)}([^<>\s]+)>"
    rf"|w3\.org/2000/01/rdf-schema#label>[ \t]*+({_TEXT})@en)(?=[ \t.])"
)
_OTHER = rf"{_ADDRESS}[ \t]*+(?:{_ADDRESS}|{_TEXT}(?:@[-A-Za-z0-9]++|\^\^{_ADDRESS})?|{_BLANK})"
_LINE = re.compile(
    rf"^[ \t]*+(?:(?:<([^<>\s]*+)>|{_BLANK})[ \t]*+(?:{_OF_USE}|{_OTHER})[ \t]*+\.[ \t\r]*+)?(?:#.*+)?\n",
    re.MULTILINE,
)
"""Any line that may be there: a statement with or without a comment, a comment, or nothing.

One expression finds what is of use and tells that nothing else is damaged, because looking twice takes twice as long.
"""

_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MAX_CHARACTER = 0x10FFFF


def read(facts: OntologyFacts, path: str, blocks: Iterator[LineBlock]) -> None:
    """Read class statements and English labels; a line that is not a statement is an error."""
    for block in blocks:
        lines = _LINE.findall(block.text)
        if len(lines) != block.text.count("\n"):
            raise _damage(path, block)
        for source, kind, target, label in lines:
            if (kind or label) and source.startswith(_ENTITY):
                node = source[len(_ENTITY) :]
                if kind:
                    facts.edge(node, KINDS[kind], target)
                else:
                    facts.label(node, unescaped(label[1:-1]) if "\\" in label else label[1:-1])


def unescaped(text: str) -> str:
    r"""Return the text of a literal with its escapes decoded.

    >>> unescaped(r"caf\u00e9 \"x\"")
    'café "x"'
    """
    return _ESCAPED.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return _ESCAPES.get(match[3], match[3])
    code = int(match[1] or match[2], 16)
    return chr(code) if code <= _MAX_CHARACTER else "\ufffd"


def _damage(path: str, block: LineBlock) -> InputError:
    lines = block.text.removesuffix("\n").split("\n")
    index, line = next((index, line) for index, line in enumerate(lines) if not _LINE.fullmatch(f"{line}\n"))
    bare = line.strip(" \t\r")
    if bare.endswith("."):
        message = f"{bare[:60]!r} is no statement; expected <subject> <predicate> and an object, and a full stop"
    else:
        message = f"{bare[-40:]!r} is not the end of a statement; expected a full stop: is the file cut off?"
    return InputError(message, path=path, line=block.line + index)
