"""Wikidata's truthy statements as N-Triples: one statement a line, entities and properties as addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from karat.errors import InputError
from karat.ontology.facts import KINDS, Facts
from karat.ontology.streams import Block

_ENTITY = r"<http://www\.wikidata\.org/entity/([^>\s]+)>"
_LINE = re.compile(
    rf"^{_ENTITY}[ \t]+<http://www\.(?:"
    rf"wikidata\.org/prop/direct/({'|'.join(KINDS)})>[ \t]+{_ENTITY}"
    r"|w3\.org/2000/01/rdf-schema#label>[ \t]+\"((?:[^\"\\\n]|\\.)*)\"@en"
    r")[ \t]*\.",
    re.MULTILINE,
)
_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MAX_CHARACTER = 0x10FFFF


def read(facts: Facts, path: str, blocks: Iterator[Block]) -> None:
    """Read the statements that say what something is, and the English labels."""
    for block in blocks:
        if block.text.count(".\n") != block.text.count("\n"):
            _check_lines(path, block)
        for source, kind, target, label in _LINE.findall(block.text):
            if kind:
                facts.edge(source, KINDS[kind], target)
            else:
                facts.label(source, unescaped(label) if "\\" in label else label)


def unescaped(text: str) -> str:
    r"""Return the text of a literal.

    >>> unescaped(r"caf\u00e9 \"x\"")
    'café "x"'
    """
    return _ESCAPED.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    if found[3]:
        return _ESCAPES.get(found[3], found[3])
    number = int(found[1] or found[2], 16)
    return chr(number) if number <= _MAX_CHARACTER else "\ufffd"


def _check_lines(path: str, block: Block) -> None:
    for number, line in enumerate(block.text.removesuffix("\n").split("\n"), block.line):
        bare = line.strip(" \t\r")
        if bare and not bare.startswith("#") and not bare.endswith(".") and " #" not in bare:
            message = f"{bare[-40:]!r} is not the end of a statement; expected a full stop: is the file cut off?"
            raise InputError(message, path=path, line=number)
