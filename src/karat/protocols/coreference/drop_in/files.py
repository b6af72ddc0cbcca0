"""The files of the official scorer: documents by their places, each read by its rules when it is asked for."""

from __future__ import annotations

from functools import cached_property

from karat.errors import InputError
from karat.formats.conll2012.official import Place, draft_at, last_of_each_name, places, read_file
from karat.formats.conll2012.rows import Draft


class ColumnFile:
    """One of the two files; it is opened when its first document is asked for. Every byte is one character."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._drafts: dict[Place, Draft] = {}

    @cached_property
    def text(self) -> str:
        """The file."""
        return read_file(self.path)

    @cached_property
    def places(self) -> list[Place]:
        """Where the documents stand."""
        try:
            return places(self.text)
        except InputError as error:
            raise InputError(error.message, path=self.path, line=error.line) from None

    @cached_property
    def named(self) -> dict[str, Place]:
        """The documents by name; of several with the same name the last."""
        return last_of_each_name(self.places)

    def first(self, name: str) -> Place | None:
        """Return the first document of that name."""
        return next((place for place in self.places if place.name == name), None)

    def draft(self, place: Place) -> Draft:
        """Read a document."""
        if place not in self._drafts:
            try:
                self._drafts[place] = draft_at(self.text, place)
            except InputError as error:
                raise InputError(error.message, path=self.path, line=error.line) from None
        return self._drafts[place]
