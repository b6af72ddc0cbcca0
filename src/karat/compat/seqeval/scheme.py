"""Tag schemes as classes, for the strict mode: what they allow, and the entities that well-formed tags make."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, ClassVar, Literal

from karat.annotations.strict_tags import rules_of, strict_chunks
from karat.protocols.spans.readings import SCHEMES


class Prefix(enum.Flag):
    """The letters that a tag may begin with."""

    I = enum.auto()  # noqa: E741 - the letters of the schemes
    O = enum.auto()  # noqa: E741
    B = enum.auto()
    E = enum.auto()
    S = enum.auto()
    U = enum.auto()
    L = enum.auto()
    ANY = I | O | B | E | S | U | L


Prefixes: dict[str, Prefix] = dict(Prefix.__members__)


class Entity:
    """A type over a half-open range of tokens of a sentence."""

    def __init__(self, sent_id: int | None, start: int, end: int, tag: str) -> None:
        self.sent_id, self.start, self.end, self.tag = sent_id, start, end, tag

    def __repr__(self) -> str:
        return f"({self.sent_id}, {self.tag}, {self.start}, {self.end})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entity) and self.to_tuple() == other.to_tuple()

    def __hash__(self) -> int:
        return hash(self.to_tuple())

    def to_tuple(self) -> tuple[int | None, str, int, int]:
        """Return sentence, type, start and end."""
        return self.sent_id, self.tag, self.start, self.end


class Token:
    """A tag, split into its letter and its type; the letter stands in front or, with ``suffix``, at the end."""

    allowed_prefix: ClassVar[Prefix | None] = None

    def __init__(self, token: str, suffix: bool = False, delimiter: str = "-") -> None:
        self.token = token
        self.prefix = Prefixes[token[-1] if suffix else token[0]]
        self.tag = (token[:-1] if suffix else token[1:]).strip(delimiter) or "_"

    def __repr__(self) -> str:
        return self.token

    def is_valid(self) -> bool:
        """Say that the scheme has the letter, or raise an error."""
        if self.allowed_prefix is None or self.prefix not in self.allowed_prefix:
            allowed = str(self.allowed_prefix).replace("Prefix.", "")
            raise ValueError(f"Invalid token is found: {self.token}. Allowed prefixes are: {allowed}.")
        return True

    def is_start(self, prev: Token) -> bool:
        """Say whether a chunk starts at this tag."""
        return self._follows(prev, "starts")

    def is_inside(self, prev: Token) -> bool:
        """Say whether a chunk goes on at this tag."""
        return self._follows(prev, "inside")

    def is_end(self, prev: Token) -> bool:
        """Say whether a chunk ends before this tag."""
        return self._follows(prev, "ends")

    def _follows(self, prev: Token, rule: Literal["starts", "inside", "ends"]) -> bool:
        pair = prev.prefix.name, self.prefix.name, prev.tag == self.tag
        return pair in getattr(rules_of(SCHEMES[type(self).__name__]), rule)


def _allowed(scheme: str) -> Prefix:
    letters = [Prefixes[letter] for letter in rules_of(SCHEMES[scheme]).letters]
    allowed = letters[0]
    for letter in letters[1:]:
        allowed |= letter
    return allowed


class IOB1(Token):
    """B only between two neighbours of one type."""

    allowed_prefix = _allowed("IOB1")


class IOE1(Token):
    """E only between two neighbours of one type."""

    allowed_prefix = _allowed("IOE1")


class IOB2(Token):
    """B at every start."""

    allowed_prefix = _allowed("IOB2")


class IOE2(Token):
    """E at every end."""

    allowed_prefix = _allowed("IOE2")


class IOBES(Token):
    """B, E and S for starts, ends and single tokens."""

    allowed_prefix = _allowed("IOBES")


class BILOU(Token):
    """B, L and U for starts, ends and single tokens."""

    allowed_prefix = _allowed("BILOU")


class Tokens:
    """The tags of a sentence in a scheme."""

    def __init__(
        self,
        tokens: Sequence[str],
        scheme: type[Token],
        suffix: bool = False,
        delimiter: str = "-",
        sent_id: int | None = None,
    ) -> None:
        self.scheme, self.sent_id = scheme, sent_id
        known = {token: scheme(token, suffix=suffix, delimiter=delimiter) for token in dict.fromkeys(tokens)}
        self.tokens = [known[token] for token in tokens]
        self._known = known.values()

    @property
    def entities(self) -> list[Entity]:
        """The entities of the sentence."""
        for token in self._known:
            token.is_valid()
        cells = [(str(token.prefix.name), token.tag) for token in self.tokens]
        chunks = strict_chunks(cells, SCHEMES[self.scheme.__name__])
        return [Entity(self.sent_id, start, end, label) for start, end, label in chunks]


class Entities:
    """The entities of some sentences, by sentence."""

    def __init__(
        self, sequences: Iterable[Sequence[str]], scheme: type[Token], suffix: bool = False, delimiter: str = "-"
    ) -> None:
        self.entities = [
            Tokens(tags, scheme, suffix=suffix, delimiter=delimiter, sent_id=number).entities
            for number, tags in enumerate(sequences)
        ]

    def filter(self, tag_name: str) -> set[Entity]:
        """Return the entities of a type."""
        return {entity for entity in chain(*self.entities) if entity.tag == tag_name}

    @property
    def unique_tags(self) -> set[str]:
        """The types that occur."""
        return {entity.tag for entity in chain(*self.entities)}


_GUESSES: tuple[tuple[type[Token], str], ...] = (
    (IOB2, "IOB IB BO B"),
    (IOE2, "IOE IE EO E"),
    (IOBES, "IOBES IBES IOBE OBES IBE BES OBE BE S"),
    (BILOU, "IOBLU IBLU IOBL OBLU IBL BLU OBL BL U"),
)
"""The schemes that can be told by the letters of the gold, and the sets of letters by which."""


def auto_detect(sequences: Iterable[Sequence[str]], suffix: bool = False, delimiter: str = "-") -> type[Token]:
    """Return the scheme whose letters these are; many sets of letters are those of none.

    >>> auto_detect([["B-PER", "I-PER", "O"]]).__name__
    'IOB2'
    """
    letters = set()
    for tag in dict.fromkeys(chain.from_iterable(sequences)):
        try:
            letters.add(str(Token(tag, suffix=suffix, delimiter=delimiter).prefix.name))
        except KeyError:
            raise ValueError(f"This scheme is not supported: {tag}") from None
    for scheme, guesses in _GUESSES:
        if any(letters == set(guess) for guess in guesses.split()):
            return scheme
    raise ValueError(f"This scheme is not supported: {', '.join(sorted(letters)) or 'no tags'}")


def schemes() -> dict[str, Any]:
    """Return the classes of the schemes by name."""
    return {name: globals()[name] for name in SCHEMES}
