"""The parse of a gold document, and where the mentions of either side stand in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

from karat.annotations.tokens import covered_tokens, line_of
from karat.errors import InputError
from karat.model import Document, Mention, Span, TokenTable
from karat.protocols.coreference.clusterings import ODD_PLACE, Clustering
from karat.protocols.coreference.coval.trees import TreeNode, TreeToken, tree, well_formed


class Parsed(NamedTuple):
    """A mention with the tree that the gold has at its place, if there is one, the sentence, and its own words."""

    tree: TreeNode | None
    sentence: int
    words: Sequence[str]
    """Empty if its side has no words of its own."""


def parsed_mentions(clustering: Clustering, gold: Document) -> dict[Hashable, Parsed]:
    """Return the mentions in the chains of one side by their keys, each with its tree in the gold document."""
    wanted = {key for chain in clustering.chains for key in chain}
    if not wanted:
        return {}
    parse, places = _Parse(gold), _Places(clustering.document, gold)
    parsed: dict[Hashable, Parsed] = {}
    for mention in clustering.document.mentions:
        key = clustering.keys[mention.id]
        if key in wanted and key not in parsed:
            parsed[key] = _parsed(mention, parse, places)
    return parsed


def _parsed(mention: Mention, parse: _Parse, places: _Places) -> Parsed:
    first, past = places.tokens(mention)
    sentence = max(bisect_right(places.segments, past - 1) - 1, 0)
    base = places.segments[sentence]
    tree_there = parse.tree(sentence, max(first - base, 0), max(past - base, 0))
    words = places.forms[first:past]
    if tree_there is None and not words:
        message = (
            f"{places.name} has the mention {mention.text[:40] or (first, past)!r}, for which the gold has no parse"
        )
        raise InputError(f"{message}; np_only and min_spans need one", path=places.path)
    return Parsed(tree_there, sentence, words)


class _Parse:
    """The parse of a gold document by sentences."""

    def __init__(self, gold: Document) -> None:
        self.gold, self.table = gold, gold.table or TokenTable([])
        cells = self._column("PARSE")
        if not any("*" in cell for cell in cells):
            raise self._missing("has a column PARSE without any parse")
        self.tokens = list(map(TreeToken, self.table.forms, self._column("POS"), cells))
        self.sentences: list[Span] = list(pairwise([*_segments(gold), len(self.tokens)]))

    def tree(self, sentence: int, first: int, past: int) -> TreeNode | None:
        """Return the tree over these tokens of a sentence, as far as it has them."""
        if sentence >= len(self.sentences):
            message = f"document {self.gold.id!r} has no sentence {sentence + 1}, where the system has a mention"
            wanted = "np_only and min_spans need the same sentences on both sides"
            raise InputError(f"{message}; {wanted}", path=self.gold.source or None)
        start, end = self.sentences[sentence]
        tokens = self.tokens[start + first : min(start + past, end)]
        for place, token in enumerate(tokens, start + first):
            if not well_formed(token.parse):
                message = f"the parse {token.parse[:40]!r} of {token.form[:40]!r} is no cell of a parse"
                wanted = "expected brackets that open, a star, and brackets that close, as in (NP(NP*)"
                raise InputError(f"{message}; {wanted}", path=self.gold.source or None, line=line_of(self.table, place))
        return tree(tokens, first)

    def _column(self, name: str) -> Sequence[str]:
        column = self.table.columns.get(name, ())
        if not column or len(column) != len(self.table.forms):
            raise self._missing(f"has no column {name}")
        return column

    def _missing(self, fault: str) -> InputError:
        wanted = "np_only and min_spans need the parse of the gold, in the columns POS and PARSE of CoNLL-2012"
        message = f"document {self.gold.id!r} {fault}; {wanted} (the fifth and the sixth)"
        return InputError(message, path=self.gold.source or None)


class _Places:
    """Where the mentions of a side stand: by tokens of its own, or of the gold if it has none."""

    def __init__(self, document: Document, gold: Document) -> None:
        self.name, self.path = f"document {document.id!r}", document.source or None
        own = document.table
        table = own if own and own.starts else gold.table or TokenTable([])
        self.by_position = not document.text
        self.starts = table.starts
        self.ends = list(map(int.__add__, table.starts, map(len, table.forms)))
        self.segments = _segments(document if document.table and document.table.segments else gold)
        self.forms = own.forms if own and "DOC" in own.columns else ()

    def tokens(self, mention: Mention) -> Span:
        """Return the half-open range of tokens from the first to the last one of a mention."""
        if ODD_PLACE in mention.attributes:
            message = f"{self.name} has a mention over the end of a sentence, {mention.text[:40]!r}, that has no words"
            raise InputError(f"{message} in the sentence where it ends; let it stay in one sentence", path=self.path)
        reach = mention.start, mention.end
        return reach if self.by_position else covered_tokens(reach, self.starts, self.ends)


def _segments(document: Document) -> list[int]:
    return (document.table.segments if document.table else []) or [0]
