"""Links and relations extended from a mention to all mentions of its chain."""

from __future__ import annotations

import msgspec

from karat.model import Argument, Document, Link


def share_links(document: Document) -> tuple[Document, int]:
    """Return the document with links shared within chains, and how many mentions have received one.

    The links of a chain are those of its first mention that has any.

    >>> from karat.model import Chain, Mention
    >>> mentions = [Mention("m1", ((0, 2),)), Mention("m2", ((9, 13),), links=(Link("Q70"),))]
    >>> shared, number = share_links(Document("d", mentions=mentions, chains=[Chain("c", ("m1", "m2"))]))
    >>> shared.mentions[0].links, number
    ((Link(target='Q70', score=None),), 1)
    """
    own = {mention.id: mention.links for mention in document.mentions}
    given: dict[str, tuple[Link, ...]] = {}
    for chain in document.chains:
        links = next((own[name] for name in chain.mentions if own.get(name)), ())
        given |= {
            name: links for name in chain.mentions if links and name in own and not own[name] and name not in given
        }
    if not given:
        return document, 0
    mentions = [
        msgspec.structs.replace(mention, links=given[mention.id]) if mention.id in given else mention
        for mention in document.mentions
    ]
    return msgspec.structs.replace(document, mentions=mentions), len(given)


def on_first_mentions(document: Document) -> Document:
    """Return the document with relations between chains replaced by relations between their first mentions.

    >>> from karat.model import Chain, Mention, Relation
    >>> ends = Argument("head", "c"), Argument("tail", "m2")
    >>> mentions, chains = [Mention("m1", ((0, 2),)), Mention("m2", ((3, 5),))], [Chain("c", ("m1",))]
    >>> moved = on_first_mentions(Document("d", "", mentions, chains, [Relation("r", "met", ends)]))
    >>> [end.target for end in moved.relations[0].arguments]
    ['m1', 'm2']
    """
    firsts = {chain.id: chain.mentions[0] for chain in document.chains if chain.mentions}
    relations = []
    for relation in document.relations:
        if any(end.target in firsts for end in relation.arguments):
            ends = tuple(Argument(end.role, firsts.get(end.target, end.target)) for end in relation.arguments)
            relation = msgspec.structs.replace(relation, arguments=ends)
        relations.append(relation)
    is_same = all(moved is relation for moved, relation in zip(relations, document.relations, strict=True))
    return document if is_same else msgspec.structs.replace(document, relations=relations)
