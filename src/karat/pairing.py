"""Which gold document is compared with which system document, by a stated rule, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from karat.errors import InputError, many
from karat.model import Document
from karat.settings import option

Missing = Literal["error", "empty", "skip"]
"""What a document that one side lacks means: an error, a document without annotations, or nothing at all."""

Surplus = Literal["error", "leave"]
"""What a system document that the gold lacks means: an error, or something to leave out."""


def missing_option(default: Missing = "error") -> Any:
    """Declare the option ``missing`` of a protocol that pairs documents by their ids."""
    return option(
        default,
        "documents that one side lacks: an error, counted as empty, or skipped",
        choices=("error", "empty", "skip"),
    )


class Pairing(NamedTuple):
    """Pairs in gold order, and in words what was left out or filled in."""

    pairs: list[tuple[Document, Document]]
    notes: list[str]


def pair(
    gold: Sequence[Document],
    system: Sequence[Document],
    missing: Missing = "error",
    *,
    surplus: Surplus | None = None,
) -> Pairing:
    """Pair documents by their ids.

    A gold document without a system document is an error, counts as answered with nothing, or is skipped. The same
    holds for a system document that the gold lacks, unless ``surplus`` says otherwise, except that there is no text to
    count it against, so ``empty`` leaves it out too.

    >>> pair([Document("a"), Document("b")], [Document("b")], missing="skip").notes
    ['skipped 1 of 2 gold documents that the system lacks: a']
    """
    for side, documents in (("gold", gold), ("system", system)):
        repeated = [one for one, count in Counter(document.id for document in documents).items() if count > 1]
        if repeated:
            where = next(document.source for document in documents if document.id == repeated[0])
            message = f"the {side} has several documents with the id {repeated[0]!r}; give each an id of its own"
            raise InputError(message, path=where or None)
    by_id = {document.id: document for document in system}
    lacking = [document.id for document in gold if document.id not in by_id]
    known = dict.fromkeys(document.id for document in gold)
    beyond = [document.id for document in system if document.id not in known]
    if lacking and missing == "error":
        message = f"the system lacks {many(len(lacking), 'document')}: {_some(lacking)}"
        raise InputError(f"{message}; name them alike, or choose --missing empty or --missing skip")
    if beyond and (surplus or ("error" if missing == "error" else "leave")) == "error":
        fix = "; name them alike" + (", or choose --missing empty or --missing skip" if surplus is None else "")
        raise InputError(f"the gold lacks {many(len(beyond), 'document')}: {_some(beyond)}{fix}")
    notes = []
    if lacking:
        verb = "counted as empty" if missing == "empty" else "skipped"
        notes.append(
            f"{verb} {len(lacking)} of {many(len(gold), 'gold document')} that the system lacks: {_some(lacking)}"
        )
    if beyond:
        notes.append(f"left out {many(len(beyond), 'system document')} that the gold lacks: {_some(beyond)}")
    pairs = [
        (document, by_id.get(document.id) or Document(document.id, text=document.text))
        for document in gold
        if document.id in by_id or missing == "empty"
    ]
    if gold and not pairs:
        message = f"no gold document has a system document of its name; there are {_some(list(known))} in the gold"
        raise InputError(f"{message} and {_some(beyond) or 'none'} in the system; name them alike")
    return Pairing(pairs, notes)


def check_texts(gold: Document, system: Document) -> None:
    """Refuse documents whose texts differ: their offsets could not be compared."""
    if gold.text == system.text:
        return
    shared = zip(gold.text, system.text, strict=False)
    shorter = min(len(gold.text), len(system.text))
    place = next((index for index, (one, two) in enumerate(shared) if one != two), shorter)
    found, wanted = system.text[place : place + 20], gold.text[place : place + 20]
    message = f"document {gold.id!r}: the texts differ from character {place} on: {found!r} instead of {wanted!r}"
    raise InputError(f"{message}; both sides must annotate the same text", path=system.source or None)


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
