"""s2e-coref: two JSON lines, chains of sub-tokens by document and the word of each sub-token, or recorded CSV files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.base import checked, json_objects, plain_key
from karat.formats.tools.chains import ChainOptions as Options
from karat.formats.tools.chains import Pair, TokenFile
from karat.formats.tools.draft import Origin
from karat.formats.tools.words import chain_document
from karat.model import Document

_EXPECTED = "expected two lines, document keys with chains and document keys with the word of each sub-token"


def native(path: str, problems: Problems, options: Options) -> Iterator[Document]:
    """Yield the documents of native output."""
    tokens = TokenFile(options.tokens)
    objects = list(json_objects(path, problems))
    if len(objects) != 2:
        problems.error(path, None, f"there are {len(objects)} lines; {_EXPECTED}")
        return
    (line, chains_of), (_, words_of) = objects
    for key, given in chains_of.items():
        name = plain_key(key)
        with problems.catching(path, line):
            chains = checked(given, list[list[tuple[int, int]]], f"the chains of {shown(key)}")
            words = checked(words_of.get(key), list[int], f"the words of {shown(key)}")
            pairs = [[_pair(mention, words, name) for mention in chain] for chain in chains]
            yield chain_document(name, pairs, tokens.words(name), Origin(path, line, problems))


def _pair(mention: Pair, words: Sequence[int], name: str) -> Pair:
    """Return the first and the last word of the sub-tokens of a mention."""
    first, last = mention
    if not 0 <= first <= last < len(words):
        message = f"document {shown(name)}: there are no sub-tokens {first} to {last}"
        raise InputError(f"{message}; it has {len(words)}, counted from 0")
    return words[first], words[last]


def sniff(head: str) -> bool:
    """Say whether the first line is a JSON object of chains; nothing else in it has a name."""
    start = head.removeprefix("\ufeff").lstrip()[:200]
    return (
        start.startswith('{"') and "/" in start.partition(":")[0] and start.partition(":")[2].lstrip().startswith("[")
    )
