"""The files of the official scorer: documents by their places, each read by its rules when it is asked for."""

from __future__ import annotations

from functools import cached_property

from karat.errors import InputError
from karat.files import MAX_LINE, open_bytes
from karat.formats._conll2012_official import Place, draft_at, last_of_each_name, places
from karat.formats._conll2012_rows import Draft

_MAX_SIZE = 1 << 30


class ColumnFile:
    """One of the two files; it is opened when its first document is asked for. Every byte is one character."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._drafts: dict[Place, Draft] = {}

    @cached_property
    def text(self) -> str:
        """The file."""
        with open_bytes(self.path) as stream:
            try:
                data = stream.read(_MAX_SIZE + 1)
            except (OSError, EOFError, ValueError) as error:
                raise InputError(f"cannot be read: {error}", path=self.path) from error
        if len(data) > _MAX_SIZE:
            raise InputError(f"has more than {_MAX_SIZE:,} bytes", path=self.path)
        _check_lines(data, self.path)
        return data.decode("latin-1")

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


def _check_lines(data: bytes, path: str) -> None:
    """Refuse a line that is too long, looking at one line end in so many bytes."""
    start = 0
    while len(data) - start > MAX_LINE:
        end = data.rfind(b"\n", start, start + MAX_LINE + 1)
        if end < 0:
            line = data.count(b"\n", 0, start) + 1
            raise InputError(f"the line is longer than {MAX_LINE:,} characters", path=path, line=line)
        start = end + 1
