"""What the mentions of a chain share: a link that one of them has belongs to all of them."""

from __future__ import annotations

import msgspec

from karat.model import Document, Link


def share_links(document: Document) -> tuple[Document, int]:
    """Return the document in which mentions without a link have those of their chain, and how many these are.

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
