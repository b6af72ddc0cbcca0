"""The signature: one line that identifies how a number was computed, so that anyone can compute it again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

import msgspec

from karat._version import __version__
from karat.errors import UsageError
from karat.model import Document

_SHOWN = 12
"""Hexadecimal digits of a digest."""
_AT_ONCE = 1024
"""Documents that are bytes at the same time."""
_ENCODER = msgspec.json.Encoder(order="deterministic", enc_hook=list)


def signature(parts: Mapping[str, str], version: str = __version__) -> str:
    """Return the parts as ``key:value|key:value``, after Karat's version; separators within values are escaped.

    >>> signature({"protocol": "hipe2022-nel", "zero": "undefined"}).partition("|")[2]
    'protocol:hipe2022-nel|zero:undefined'
    """
    return "|".join(f"{key}:{_escape(value)}" for key, value in {"karat": version, **parts}.items())


SIGNATURE_START = "karat:"
"""How every signature begins."""


def parts_of(line: str) -> dict[str, str]:
    """Return the parts of a signature as a dictionary.

    >>> parts_of("karat:0.1.0|protocol:hipe2022-nel|glue:a%7Cb")
    {'karat': '0.1.0', 'protocol': 'hipe2022-nel', 'glue': 'a|b'}
    """
    pieces = [piece.partition(":") for piece in line.strip().split("|")]
    if not line.strip().startswith(SIGNATURE_START) or not all(colon for _, colon, _ in pieces):
        raise UsageError(f"{line!r} is no signature; expected one that begins with {SIGNATURE_START}VERSION|protocol:")
    return {key: _unescape(value) for key, _, value in pieces}


def _unescape(value: str) -> str:
    return value.replace("%0A", "\n").replace("%7C", "|").replace("%25", "%")


def _escape(value: str) -> str:
    return value.replace("%", "%25").replace("|", "%7C").replace("\n", "%0A")


def bytes_of(document: Document) -> bytes:
    """Return a document as bytes; compactly stored cells are encoded as the lists that they stand for."""
    try:
        return _ENCODER.encode(document)
    except UnicodeEncodeError:  # half of a pair of surrogates
        return repr(msgspec.to_builtins(document, enc_hook=list)).encode("utf-8", "surrogatepass")


JUDGEMENTS = "judgements"
"""The key under which the metadata of a gold that people judged, and a signature, have the digest of their answers."""


PLUG_INS = "plug-ins"
"""The key of a signature under which packages of others stand that took part, with their versions; no option of a
protocol can be called so."""


class ContentDigest:
    """A digest of documents that does not depend on their order, file or line numbers: the sum of their SHA-256.

    ``in_order`` additionally computes a digest that does depend on the order and on the files (see :meth:`ordered`).

    >>> forwards, backwards = ContentDigest(), ContentDigest()
    >>> for name in "ab":
    ...     forwards.add(Document(name, source="gold.tsv"))
    >>> for name in "ba":
    ...     backwards.add(Document(name, source="gold.tsv.gz"))
    >>> str(forwards) == str(backwards)
    True
    """

    def __init__(self, *, in_order: bool = False) -> None:
        from hashlib import sha256

        self.total = 0
        self._sha256 = sha256
        self._in_order = sha256() if in_order else None

    def add(self, document: Document) -> None:
        """Add a document to the digest."""
        given, table = document, document.table
        if table is not None and table.lines:
            table = msgspec.structs.replace(table, lines=[])
        if document.source or table is not document.table:
            document = msgspec.structs.replace(document, source="", table=table)
        data = bytes_of(document)
        self._sum((data,))
        if self._in_order is not None:
            self._in_order.update((data if document is given else bytes_of(given)) + b"\n")

    def add_encoded(self, documents: Iterable[bytes]) -> None:
        """Add documents that come from no file, each encoded by :func:`bytes_of`."""
        coming = iter(documents)
        while batch := list(islice(coming, _AT_ONCE)):
            self._sum(batch)
            if self._in_order is not None:
                self._in_order.update(b"\n".join((*batch, b"")))

    def _sum(self, documents: Iterable[bytes]) -> None:
        digests = (self._sha256(data).digest() for data in documents)
        self.total = sum((int.from_bytes(digest, "little") for digest in digests), self.total) % 2**256

    @property
    def ordered(self) -> str:
        """The digest that depends on order and files; empty unless ``in_order`` was set."""
        return "" if self._in_order is None else self._in_order.hexdigest()[:_SHOWN]

    def __str__(self) -> str:
        return f"{self.total:064x}"[-_SHOWN:]


def sum_of_contents(digests: Iterable[str]) -> str:
    """Return the digest of several sets of documents together, from the digest of each set.

    The result is empty if one of the digests is empty.

    >>> first, second, both = ContentDigest(), ContentDigest(), ContentDigest()
    >>> for name, digest in (("a", first), ("b", second)):
    ...     digest.add(Document(name))
    ...     both.add(Document(name))
    >>> sum_of_contents([str(first), str(second)]) == str(both)
    True
    """
    known = list(digests)
    return "" if "" in known else f"{sum(int(digest, 16) for digest in known) % 16**_SHOWN:0{_SHOWN}x}"
