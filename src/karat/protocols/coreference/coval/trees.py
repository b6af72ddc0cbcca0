"""Phrases as the column PARSE of CoNLL-2012 has them: a tree for any run of tokens, and its minimum span."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_CELL = re.compile(r"(?P<begins>(?:\([^()*]*)*)\*(?P<ends>\)*)")
"""What a token says about phrases: those that begin with it, a star for itself, those that end."""


class TreeToken(NamedTuple):
    """A token with what the tree needs to know about it."""

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
    """Say whether a cell is a part of a parse; one without brackets or a star says nothing about its token.

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
    """Yield the leaves of a tree in their order; what a leaf holds is passed over."""
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
    """Return the leaves that count on the first level that has any, going down phrases of these kinds only.

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
    """Say whether one of its tokens is a content word, which is neither punctuation nor a function word."""
    return any(
        token.form not in _BRACKETS
        and token.pos not in _FUNCTION_WORDS
        and (token.form == "%" or any(sign.isalpha() or sign.isdigit() for sign in token.form))
        for token in leaf.tokens
    )
