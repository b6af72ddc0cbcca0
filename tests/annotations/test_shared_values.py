from __future__ import annotations

from karat.annotations.shared_values import share_links
from karat.model import Chain, Document, Link, Mention


def test_own_links_stay_and_the_first_chain_decides() -> None:
    mentions = [
        Mention("a", ((0, 1),), links=(Link("Q1"),)),
        Mention("b", ((2, 3),), links=(Link("Q2"),)),
        Mention("c", ((4, 5),)),
        Mention("d", ((6, 7),)),
    ]
    chains = [Chain("1", ("c", "b", "a")), Chain("2", ("a", "c")), Chain("3", ("d",))]
    document, number = share_links(Document("d", mentions=mentions, chains=chains))
    assert [[link.target for link in mention.links] for mention in document.mentions] == [["Q1"], ["Q2"], ["Q2"], []]
    assert number == 1


def test_a_document_without_chains_is_left_alone() -> None:
    document = Document("d", mentions=[Mention("a", ((0, 1),))])
    assert share_links(document) == (document, 0)
