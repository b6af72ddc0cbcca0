"""Run files, parts and facts with another head or other arrays: whoever writes one can also write its digest."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

Head = dict[str, Any]
Members = dict[str, bytes]


def members_of(data: bytes) -> Members:
    """Return the members of a file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sealed(members: Members) -> bytes:
    """Return the bytes of a file with such members, and its digest."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.comment = bytes(64)
    return resealed(stream.getvalue())


def resealed(data: bytes) -> bytes:
    """Return changed bytes of a file with the digest that they have now."""
    return data[:-64] + hashlib.sha256(data[:-64]).hexdigest().encode()


def forged(data: bytes, change: Callable[[Head, Members], tuple[Head, Members]]) -> bytes:
    """Return the bytes of a file whose head and other members are changed."""
    (name, head), *others = members_of(data).items()
    changed, members = change(json.loads(head), dict(others))
    return sealed({name: json.dumps(changed).encode(), **members})
