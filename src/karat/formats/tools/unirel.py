"""UniRel: triples as printed, ``[[(head, relation, tail), …]]``, one document a line, or recorded CSV files."""

from __future__ import annotations

from karat.errors import InputError
from karat.formats._literals import NotALiteralError, parse_list
from karat.formats.tools.base import Records, ToolOptions, checked
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document

Triple = tuple[str, str, str]
_EXPECTED = "expected [[('HEAD', '/the/relation', 'TAIL'), …]]"


def parse_triples(text: str) -> list[Triple]:
    """Return the triples of a printed list.

    >>> parse_triples("[[('IN', '/location/location/contains', 'ENGINE')]]"), parse_triples("[[]]")
    ([('IN', '/location/location/contains', 'ENGINE')], [])
    """
    try:
        value = parse_list(text)
    except NotALiteralError as error:
        raise InputError(f"the triples cannot be read: {error}; {_EXPECTED}") from error
    return [triple for part in checked(value, list[list[tuple[str, str, str]]], "the triples") for triple in part]


class Builder:
    """Builds documents from printed triples."""

    def __init__(self, options: ToolOptions) -> None:
        self.records = Records(options.records)

    def document(self, name: str, printed: str, text: str | None, origin: Origin) -> Document:
        """Return the document of what was printed."""
        draft = Draft(name, self.records.text(name, text), origin)
        for triple in parse_triples(printed):
            draft.triple(*triple)
        return draft.document()
