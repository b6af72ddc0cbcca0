"""Phrases as the column PARSE of CoNLL-2012 has them: a tree for any run of tokens, as CoVal builds it."""

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
