"""The minimum span of a mention: the leaves of its tree that stand highest in phrases of its own kind.

Mirrors the MINA algorithm (Moosavi et al. 2019) as CoVal has it.
"""

from __future__ import annotations

from collections.abc import Iterable

from karat.protocols.coreference.coval.trees import TreeNode

Leaf = tuple[str, int]
"""The text of a leaf and its index."""

_NOMINAL = frozenset({"NP", "NM", "QP", "NX"})
_VERBAL = frozenset({"VP"})
_BRACKETS = frozenset({"-LRB-", "-RRB-"})
_FUNCTION_WORDS = frozenset({"CC", "DT", "IN"})


def minimum(root: TreeNode) -> frozenset[Leaf]:
    """Return the leaves of the minimum span; there are none if no leaf in such a phrase has a content word.

    The leaves right under the root if one of them counts; else those of each nominal, or verbal, phrase under it; else
    those of the phrases of the first such kind further down.

    >>> from karat.protocols.coreference.coval.trees import TreeToken, tree
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
