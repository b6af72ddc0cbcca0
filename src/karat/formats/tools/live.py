"""Live objects of tools as documents, recognised by what they can do; no tool is imported for it."""

from __future__ import annotations

from typing import Any

from karat.formats.tools import flair, nltk, spacy, stanza
from karat.model import Document


def is_live(one: Any) -> bool:
    """Say whether an object is something of a tool: a spaCy Doc, flair Sentence, stanza Document or nltk Tree."""
    if isinstance(one, dict):
        return nltk.is_tree(one.get("tree"))
    return spacy.is_doc(one) or flair.is_sentence(one) or stanza.is_document(one) or nltk.is_tree(one)


def document_from(one: Any, number: int) -> Document:
    """Return the document of a live object; one without an id of its own is named by its number."""
    if isinstance(one, dict):
        return nltk.document_of_record(one, number)
    if spacy.is_doc(one):
        return spacy.document_of(one, number)
    if flair.is_sentence(one):
        return flair.document_of(one, number)
    if stanza.is_document(one):
        return stanza.document_of(one, number)
    return nltk.document_of(one, number)
