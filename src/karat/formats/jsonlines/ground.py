"""The unit of offsets in a line of clusters: words, subtokens or characters, and the text they refer to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from karat.annotations.faults import shown
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.model import Span, TokenTable
from karat.settings import choice, option

Unit = Literal["word", "subtoken", "char"]

DIALECT = "jsonlines"
ID = "doc_key"
CLUSTERS = "clusters"
SUBTOKENS = "subtoken_map"
MAX_OFFSET = 1_000_000_000
"""Offsets must be below it; no document is that long, and arrays may be made from them."""

_INCLUSIVE_CHARACTERS = "clusters_char_offsets"
_TOKEN_KEYS = (CLUSTERS, "predicted_clusters", "clusters_token_offsets")
_CHARACTER_KEYS = (CLUSTERS, "predicted_clusters", _INCLUSIVE_CHARACTERS)
KNOWN_KEYS = (*_TOKEN_KEYS, _INCLUSIVE_CHARACTERS)


@dataclass(frozen=True)
class JsonlinesOptions:
    """Which keys are read, and how offsets are counted, which the file does not state."""

    id: str = option(ID, "the key of the document id", metavar="KEY")
    clusters: str = option("", f"the key of the clusters; unless named: {', '.join(KNOWN_KEYS)}", metavar="KEY")
    unit: Literal["auto"] | Unit = choice(
        ("auto", "word", "subtoken", "char"),
        "what offsets count; auto: characters if a line has a text and no tokens, else words",
    )
    end: Literal["auto", "inclusive", "exclusive"] = choice(
        ("auto", "inclusive", "exclusive"),
        "whether the second offset is the last unit or the one behind it; auto: behind it for characters, "
        f"except in {_INCLUSIVE_CHARACTERS}",
    )
    rules: str = choice(
        ("strict", "corefeval"),
        "whose reading it is: strict, in which a mention outside of the document is an error, or that of "
        "coreference-eval, to which any numbers are a mention",
    )

    def is_inclusive(self, unit: Unit, key: str) -> bool:
        """Tell whether the second offset of a pair is the last unit of the mention."""
        if self.end == "auto":
            return unit != "char" or key == _INCLUSIVE_CHARACTERS
        return self.end == "inclusive"

    def unit_of(self, *, tokens: bool, text: bool) -> Unit:
        """Return the unit for a document with tokens, a text, both or neither."""
        if self.unit == "auto":
            return "char" if text and not tokens else "word"
        return self.unit

    def key_in(self, line: Mapping[str, Any], unit: Unit) -> str:
        """Return the key of the clusters in a line."""
        if self.clusters:
            if self.clusters not in line:
                raise InputError(f"there is no key {shown(self.clusters)}, which should hold the clusters")
            return self.clusters
        keys = [key for key in (_CHARACTER_KEYS if unit == "char" else _TOKEN_KEYS) if key in line]
        if len(keys) > 1:
            raise InputError(f"both {keys[0]!r} and {keys[1]!r} hold clusters; choose with --read clusters=KEY")
        if not keys:
            raise InputError("there are no clusters; name their key with --read clusters=KEY")
        return keys[0]


class Ground(NamedTuple):
    """The units that the offsets of one document count.

    ``size`` is the number of units, or an upper bound if it is unknown. ``words`` gives the word of each subtoken,
    if the units are subtokens. ``table`` has the words, if they are known.
    """

    unit: Unit
    size: int
    text: str = ""
    table: TokenTable | None = None
    words: Sequence[Any] | None = None

    @property
    def counts_itself(self) -> bool:
        """Whether offsets are character offsets already, or there is no text."""
        return self.words is None and (self.unit == "char" or self.table is None)

    def span(self, first: int, last: int) -> Span:
        """Return the span from the first to the last unit of a mention, in characters if there is a text."""
        if self.words is not None:
            first, last = self._word(first), self._word(last)
            if first > last:
                raise InputError(f"'subtoken_map' goes back from word {first} to {last}")
        if self.unit == "char" or self.table is None:
            return first, last + 1
        return self.table.starts[first], self.table.starts[last] + len(self.table.forms[last])

    def _word(self, piece: int) -> int:
        assert self.words is not None  # noqa: S101 - for the type checker
        word = self.words[piece]
        bound = MAX_OFFSET if self.table is None else len(self.table.forms)
        if type(word) is not int or not 0 <= word < bound:
            raise InputError(f"'subtoken_map' gives no word for piece {piece}, where a mention begins or ends")
        return word


def ground_of(line: Mapping[str, Any], options: JsonlinesOptions) -> Ground:
    """Return the units of the offsets in a line; an error has no location yet."""
    text = line.get("text")
    if text is not None and not isinstance(text, str):
        raise InputError("'text' is not a string")
    tokens = "tokens" in line or "sentences" in line
    unit = options.unit_of(tokens=tokens, text=text is not None)
    if unit == "subtoken":
        return _ground_of_pieces(line, text)
    if unit == "char" and text is not None and not tokens:
        return Ground(unit, len(text), text)
    table = _table(line)
    if table is None:
        if text is not None:
            raise InputError("word offsets need 'sentences' or 'tokens'; if they are characters, add --read unit=char")
        return Ground(unit, MAX_OFFSET)
    if unit == "char" and text is None:
        raise InputError("character offsets need 'text'; if they are words, leave --read unit=char out")
    built, table.starts = settle(table.forms, text)
    return Ground(unit, len(built) if unit == "char" else len(table.forms), built, table)


def misread(line: Mapping[str, Any], ground: Ground, options: JsonlinesOptions) -> str | None:
    """Return a remark if the offsets of a line may count subtokens and the options do not state the unit, or None."""
    if options.unit != "auto" or ground.unit != "word" or SUBTOKENS not in line:
        return None
    doubt = f"the line has a {SUBTOKENS!r}, but its offsets are read as words"
    return f"{doubt}; if they count subtokens, add --read unit=subtoken, if not, --read unit=word"


def settle(forms: Sequence[str], text: str | None) -> tuple[str, list[int]]:
    """Return the text and the offset of each token; without a text, it is built from the tokens.

    >>> settle(["Ada", "'s"], "Ada's"), settle(["Ada", "'s"], None)
    (("Ada's", [0, 3]), ("Ada 's", [0, 4]))
    """
    if text is None:
        return join_tokens(forms)
    starts: list[int] = []
    offset = 0
    for token, form in enumerate(forms):
        while not text.startswith(form, offset):
            if not text[offset : offset + 1].isspace():
                raise InputError(f"token {token}, {shown(form)}, is not at its place in 'text'; leave 'text' out")
            offset += 1
        starts.append(offset)
        offset += len(form)
    return text, starts


def _ground_of_pieces(line: Mapping[str, Any], text: str | None) -> Ground:
    """Return the ground of offsets that count subtokens.

    ``sentences`` may hold the words or, as in the input of systems, the subtokens; then the words are unknown.
    """
    words = line.get(SUBTOKENS)
    if not isinstance(words, list):
        raise InputError("offsets of subtokens need 'subtoken_map', a list with the word of each")
    table = _table(line)
    known = {word for word in words if type(word) is int}
    if table is None or ("tokens" not in line and len(table.forms) == len(words) != len(known)):
        return Ground("subtoken", len(words), words=words)
    built, table.starts = settle(table.forms, text)
    return Ground("subtoken", len(words), built, table, words)


def _table(line: Mapping[str, Any]) -> TokenTable | None:
    """Return the tokens of a line, in sentences if it has them."""
    tokens, sentences = line.get("tokens"), line.get("sentences")
    if tokens is not None and not _is_texts(tokens):
        raise InputError("'tokens' is not a list of strings")
    if sentences is None:
        return None if tokens is None else TokenTable(tokens, dialect=DIALECT)
    if not isinstance(sentences, list) or not all(map(_is_texts, sentences)):
        raise InputError("'sentences' is not a list of lists of strings")
    forms: list[str] = []
    segments: list[int] = []
    for sentence in sentences:
        segments.append(len(forms))
        forms += sentence
    if tokens is not None and tokens != forms:
        if SUBTOKENS in line:  # the sentences hold the pieces
            return TokenTable(tokens, dialect=DIALECT)
        raise InputError("'tokens' and 'sentences' have not the same tokens; leave one of them out")
    return TokenTable(forms, segments=segments, dialect=DIALECT)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(type(text) is str for text in value)
