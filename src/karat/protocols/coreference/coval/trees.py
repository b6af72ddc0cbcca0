"""Phrase trees from the column PARSE of CoNLL-2012: one for each mention, with its minimum span."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from karat.annotations.tokens import covered_tokens, line_of
from karat.errors import InputError
from karat.model import Document, Mention, Span, TokenTable
from karat.protocols.coreference.clusterings import ODD_PLACE, Clustering

_CELL = re.compile(r"(?P<begins>(?:\([^()*]*)*)\*(?P<ends>\)*)")
"""What a token says about phrases: those that begin with it, a star for itself, those that end."""


class TreeToken(NamedTuple):
    """A token of a tree, with its cell of the parse."""

    form: str
    pos: str
    parse: str


@dataclass(slots=True)
class TreeNode:
    """A phrase, or, if it has tokens, a leaf: a run of tokens without a bracket between them.

    The label of a leaf is its text. ``index`` is that of the token where the run was found to end.
    """

    label: str
    tokens: tuple[TreeToken, ...] = ()
    index: int = 0
    children: list[TreeNode] = field(default_factory=list)


def well_formed(cell: str) -> bool:
    """Return whether a cell is a part of a parse; one without brackets or a star says nothing about its token.

    >>> [well_formed(cell) for cell in ("(NP(NP*)", "*", "-", "NP*", "(NP")]
    [True, True, True, False, False]
    """
    return _CELL.fullmatch(cell) is not None or not any(sign in cell for sign in "(*)")


def tree(tokens: Iterable[TreeToken], first: int = 0) -> TreeNode | None:
    """Return the tree over some tokens, the first of which has that index; phrases may begin or end outside of them.

    Several phrases beside each other make an ``NP``. Tokens without a phrase around them hold the phrases that follow.

    >>> tree([TreeToken("the", "DT", "(NP*"), TreeToken("river", "NN", "*)")]).label
    'NP'
    """
    growing = _Growing()
    index = first
    for index, token in enumerate(tokens, first):
        cell = _CELL.fullmatch(token.parse)
        if cell is None:
            continue
        begun = cell["begins"].split("(")[1:]
        if begun:
            growing.end_run_before_phrase(index)
            growing.begin(begun)
        growing.run.append(token)
        for _ in cell["ends"]:
            growing.end_run(index)
            growing.end_phrase()
    growing.end_run(index)
    return growing.finished()


class _Growing:
    """A tree while its tokens are read: open phrases, finished ones, and tokens since the last bracket."""

    def __init__(self) -> None:
        self.open: list[TreeNode] = []
        self.roots: list[TreeNode] = []
        self.run: list[TreeToken] = []

    def begin(self, labels: Iterable[str]) -> None:
        for label in labels:
            node = TreeNode("".join(filter(str.isalpha, label)))
            if self.open:
                self.open[-1].children.append(node)
            self.open.append(node)

    def end_run_before_phrase(self, index: int) -> None:
        """Make a leaf of the run if one of its tokens consists of letters or of digits; else forget it."""
        if any(token.form.isalpha() or token.form.isdigit() for token in self.run):
            self.end_run(index)
        self.run = []

    def end_run(self, index: int) -> None:
        if not self.run:
            return
        leaf = TreeNode(" ".join(token.form for token in self.run), tuple(self.run), index)
        if self.open:
            self.open[-1].children.append(leaf)
        else:
            self.open.append(leaf)
        self.run = []

    def end_phrase(self) -> None:
        if self.open:
            node = self.open.pop()
            if not self.open:
                self.roots.append(node)

    def finished(self) -> TreeNode | None:
        self.roots += self.open[:1]
        if len(self.roots) > 1:
            return TreeNode("NP", children=self.roots)
        return self.roots[0] if self.roots else None


def leaves(root: TreeNode) -> Iterator[TreeNode]:
    """Yield the leaves of a tree in order; trees inside of a leaf are skipped."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.tokens:
            yield node
        else:
            waiting.extend(reversed(node.children))


Leaf = tuple[str, int]
"""The text of a leaf and its index."""

_NOMINAL = frozenset({"NP", "NM", "QP", "NX"})
_VERBAL = frozenset({"VP"})
_BRACKETS = frozenset({"-LRB-", "-RRB-"})
_FUNCTION_WORDS = frozenset({"CC", "DT", "IN"})


def minimum(root: TreeNode) -> frozenset[Leaf]:
    """Return the leaves of the minimum span; there are none if no leaf in such a phrase has a content word.

    These are the leaves of a tree that stand highest in phrases of its own kind, by the MINA algorithm (Moosavi et al.
    2019) as CoVal has it. The leaves right under the root if one of them counts; else those of each nominal, or verbal,
    phrase under it; else those of the phrases of the first such kind further down.

    >>> cells = [("a", "DT", "(NP(NP*"), ("day", "NN", "*)"), ("in", "IN", "(PP*"), ("May", "NNP", "(NP*)))")]
    >>> sorted(minimum(tree(TreeToken(*cell) for cell in cells)))
    [('a day', 1)]
    """
    if root.tokens and _counts(root):
        return frozenset({(root.label, root.index)})
    direct = _counted(root.children)
    if direct:
        return direct
    kinds = _kinds(root)
    phrases = [child for child in root.children if child.children and child.label[:2] in kinds]
    if phrases:
        return frozenset().union(*(_highest(phrase, kinds) for phrase in phrases))
    return _highest(root, None)


def _kinds(root: TreeNode) -> frozenset[str]:
    """Return the labels of phrases that a mention may consist of, by its own label or else by those under it."""
    for nodes in ([root], root.children):
        kinds_there = [_kind(node) for node in nodes]
        for kinds in (_NOMINAL, _VERBAL):
            if kinds in kinds_there:
                return kinds
    return _NOMINAL


def _kind(node: TreeNode) -> frozenset[str] | None:
    return {"NP": _NOMINAL, "NM": _NOMINAL, "VP": _VERBAL}.get(node.label[:2])


def _highest(root: TreeNode, kinds: frozenset[str] | None) -> frozenset[Leaf]:
    """Return the leaves with content words on the highest level that has any, in phrases of these kinds only.

    Where no kinds are given, all phrases are gone down, and their leaves passed over, until one of a kind is met.
    """
    level = [root]
    while level:
        leaves = _counted(level)
        if leaves:
            return leaves
        below: list[TreeNode] = []
        for node in level:
            kinds = kinds or _kind(node)
            if not node.tokens and (kinds is None or node.label[:2] in kinds):
                below += [child for child in node.children if kinds or not child.tokens]
        level = below
    return frozenset()


def _counted(nodes: Iterable[TreeNode]) -> frozenset[Leaf]:
    return frozenset((node.label, node.index) for node in nodes if node.tokens and _counts(node))


def _counts(leaf: TreeNode) -> bool:
    """Return whether one of its tokens is a content word, which is neither punctuation nor a function word."""
    return any(
        token.form not in _BRACKETS
        and token.pos not in _FUNCTION_WORDS
        and (token.form == "%" or any(sign.isalpha() or sign.isdigit() for sign in token.form))
        for token in leaf.tokens
    )


class Parsed(NamedTuple):
    """A mention with the gold tree over its span, if there is one, its sentence, and its words."""

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
        for index, token in enumerate(tokens, start + first):
            if not well_formed(token.parse):
                message = f"the parse {token.parse[:40]!r} of {token.form[:40]!r} is no cell of a parse"
                wanted = "expected brackets that open, a star, and brackets that close, as in (NP(NP*)"
                raise InputError(f"{message}; {wanted}", path=self.gold.source or None, line=line_of(self.table, index))
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
    """The token ranges of the mentions of a side, by its own tokens, or by those of the gold if it has none."""

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
