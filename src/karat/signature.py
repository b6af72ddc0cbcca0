"""The signature: one line that says which number this is, so that anyone can compute it again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from karat._version import __version__
from karat.model import Document


def signature(parts: Mapping[str, str]) -> str:
    """Join the parts as ``key:value|key:value``, the version first; separators inside of values are escaped.

    >>> signature({"protocol": "hipe2022-nel", "zero": "undefined"}).partition("|")[2]
    'protocol:hipe2022-nel|zero:undefined'
    """
    return "|".join(f"{key}:{_escape(value)}" for key, value in {"karat": __version__, **parts}.items())


def _escape(value: str) -> str:
    return value.replace("%", "%25").replace("|", "%7C").replace("\n", "%0A")


def digest_documents(documents: Iterable[Document]) -> str:
    """Return the digest of documents that came from no file, by their canonical JSON."""
    total = hashlib.sha256()
    for document in documents:
        # Cells that are kept in a shorter form count as the lists they stand for.
        total.update(msgspec.json.encode(document, order="deterministic", enc_hook=list) + b"\n")
    return total.hexdigest()[:12]
