"""What the readers of coreference tools share: the file that says which words the numbers in chains mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.omin_tokens import read_tokens
from karat.formats.tools.words import Words, words_in
from karat.settings import option

Pair = tuple[int, int]
"""The first and the last word of a mention, counted from 0."""


@dataclass(frozen=True)
class ChainOptions:
    """What can be said about the output of a coreference tool."""

    tokens: str = option("", "the token file whose words the tool counts, as faa.conll", metavar="FILE")


class TokenFile:
    """The words of each document as the token file has them, if one is named."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._words = read_tokens(path) if path else {}

    def words(self, name: str, own: Sequence[str] | None = None, segments: Sequence[int] = ()) -> Words | None:
        """Return the words of a document: those of the file, else those that the tool gives itself, if it does."""
        if not self.path:
            return None if own is None else words_in(own, segments=segments)
        if name not in self._words:
            raise InputError(f"document {shown(name)} is not in the token file {self.path}; name the one of these data")
        forms = self._words[name]
        if own is not None and len(own) != len(forms):
            fault = f"document {shown(name)} has {len(own)} words, but {len(forms)} in {self.path}"
            raise InputError(f"{fault}; name the token file of these data")
        return words_in(forms, segments=segments)
