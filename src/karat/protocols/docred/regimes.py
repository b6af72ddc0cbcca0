"""The numbers of DocRED and Re-DocRED: which facts each of them is about."""

from __future__ import annotations

from functools import cache

from karat.tables import table_of

FACTS, EVIDENCE, INTRA, INTER = "facts", "evidence", "intra", "inter"
FREQUENT, LONG_TAIL = "frequent", "long-tail"
TRAINING = {"ign-annotated": "train", "ign-distant": "distant"}
"""The regimes that leave out what was seen in training, and the option that names the data of each."""

OF_DOCRED = (FACTS, *TRAINING, EVIDENCE, INTRA, INTER)
OF_REDOCRED = (*OF_DOCRED, FREQUENT, LONG_TAIL)


def kind_of(label: str) -> str:
    """Return whether a relation is one of the ten frequent ones, or another one of DocRED; nothing if it is neither.

    >>> kind_of("P17"), kind_of("P569"), kind_of("P9999")
    ('frequent', 'long-tail', '')
    """
    return _kinds().get(label, "")


@cache
def _kinds() -> dict[str, str]:
    return {
        label: kind for kind, labels in table_of("karat.protocols.docred", "relations.toml").items() for label in labels
    }
