"""Tag schemes as classes, for the strict mode: what they allow, and the entities that well-formed tags make."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain, product
from operator import or_
from typing import Any, ClassVar

from karat.annotations.strict_tags import RULES, SchemeRules, strict_chunks
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


class Tag(enum.Flag):
    """How the types of two neighbours compare."""

    SAME = enum.auto()
    DIFF = enum.auto()
    ANY = SAME | DIFF


Pattern = tuple[Prefix, Prefix, Tag]
"""The letters of two neighbours, and how their types compare."""
_TYPES = {"=": Tag.SAME, "≠": Tag.DIFF, "": Tag.ANY}


def _patterns(rules: str) -> set[Pattern]:
    """Return the patterns of a line of rules, such as ``BI= *B``."""
    letters = {**Prefixes, "*": Prefix.ANY}
    return {(letters[rule[0]], letters[rule[1]], _TYPES[rule[2:]]) for rule in rules.split()}


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
    """A tag, split into its letter and its type; the letter stands in front or, with ``suffix``, at the end.

    A scheme is a subclass: the letters that it allows, and the patterns by which a chunk starts, goes on and ends.
    """

    allowed_prefix: ClassVar[Any] = None
    start_patterns: ClassVar[Any] = None
    inside_patterns: ClassVar[Any] = None
    end_patterns: ClassVar[Any] = None
    _rules: ClassVar[SchemeRules]

    def __init_subclass__(cls, rules: str = "") -> None:
        """Give a scheme that is known by name its letters and patterns."""
        if rules:
            letters, *lines = RULES[rules]
            cls.allowed_prefix = reduce(or_, (Prefixes[letter] for letter in letters))
            cls.start_patterns, cls.inside_patterns, cls.end_patterns = map(_patterns, lines)

    def __init__(self, token: str, suffix: bool = False, delimiter: str = "-") -> None:
        self.token = token
        self.prefix = Prefixes[token[-1] if suffix else token[0]]
        self.tag = (token[:-1] if suffix else token[1:]).strip(delimiter) or "_"

    def __repr__(self) -> str:
        return self.token

    def is_valid(self) -> bool:
        """Return True if the scheme has the letter; raise an error otherwise."""
        if self.prefix not in self.allowed_prefix:
            allowed = str(self.allowed_prefix).replace("Prefix.", "")
            raise ValueError(f"Invalid token is found: {self.token}. Allowed prefixes are: {allowed}.")
        return True

    def is_start(self, prev: Token) -> bool:
        """Say whether a chunk starts at this tag."""
        return self.check_patterns(prev, self.start_patterns)

    def is_inside(self, prev: Token) -> bool:
        """Say whether a chunk goes on at this tag."""
        return self.check_patterns(prev, self.inside_patterns)

    def is_end(self, prev: Token) -> bool:
        """Say whether a chunk ends before this tag."""
        return self.check_patterns(prev, self.end_patterns)

    def check_tag(self, prev: Token, cond: Tag) -> bool:
        """Say whether the types of both tags compare as asked."""
        return (Tag.SAME if prev.tag == self.tag else Tag.DIFF) in cond

    def check_patterns(self, prev: Token, patterns: Iterable[Pattern]) -> bool:
        """Say whether any of the patterns fits both tags."""
        return any(
            prev.prefix in before and self.prefix in here and self.check_tag(prev, cond)
            for before, here, cond in patterns
        )

    @classmethod
    def rules(cls) -> SchemeRules:
        """Return the letters and patterns of the scheme, expanded to pairs of letters; the result is cached."""
        if "_rules" not in vars(cls):
            cls._rules = SchemeRules(
                "".join(letter for letter in "IOBESUL" if Prefixes[letter] in cls.allowed_prefix),
                *(cls._spelled_out(part) for part in (cls.start_patterns, cls.inside_patterns, cls.end_patterns)),
            )
        return cls._rules

    @classmethod
    def _spelled_out(cls, patterns: Iterable[Pattern]) -> frozenset[tuple[str, str, bool]]:
        letters = [letter for letter in Prefixes if letter != "ANY"]
        return frozenset(
            (before, here, is_same)
            for before, here, is_same in product(letters, letters, (True, False))
            if cls(f"{here}-a").check_patterns(cls(f"{before}-{'a' if is_same else 'b'}"), patterns)
        )


class IOB1(Token, rules="IOB1"):
    """B only between two neighbours of one type."""


class IOE1(Token, rules="IOE1"):
    """E only between two neighbours of one type."""


class IOB2(Token, rules="IOB2"):
    """B at every start."""


class IOE2(Token, rules="IOE2"):
    """E at every end."""


class IOBES(Token, rules="BIOES"):
    """B, E and S for starts, ends and single tokens."""


class BILOU(Token, rules="BILOU"):
    """B, L and U for starts, ends and single tokens."""


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
        self.sent_id = sent_id
        known = {token: scheme(token, suffix=suffix, delimiter=delimiter) for token in dict.fromkeys(tokens)}
        self.outside_token = scheme("O", suffix=suffix, delimiter=delimiter)
        self.tokens = [known[token] for token in tokens]
        self.extended_tokens = [*self.tokens, self.outside_token]
        self._known = known.values()

    @property
    def entities(self) -> list[Entity]:
        """The entities of the sentence."""
        for token in self._known:
            token.is_valid()
        cells = [(str(token.prefix.name), token.tag) for token in self.tokens]
        chunks = strict_chunks(cells, self.outside_token.rules())
        return [Entity(self.sent_id, start, end, label) for start, end, label in chunks]


class Entities:
    """The entities of some sentences, by sentence."""

    def __init__(
        self, sequences: Iterable[Sequence[str]], scheme: type[Token], suffix: bool = False, delimiter: str = "-"
    ) -> None:
        self.entities = [
            Tokens(tags, scheme, suffix=suffix, delimiter=delimiter, sent_id=sentence).entities
            for sentence, tags in enumerate(sequences)
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
"""The schemes that can be detected, and their sets of letters."""


def auto_detect(sequences: Iterable[Sequence[str]], suffix: bool = False, delimiter: str = "-") -> type[Token]:
    """Return the scheme with exactly these letters; raise an error if there is none.

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
