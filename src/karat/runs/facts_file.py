"""Files that keep the facts of two corpora, so that every part of their run is told the same."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

import msgspec

from karat._version import __version__
from karat.errors import InputError
from karat.protocols.base import Protocol
from karat.runs.container import MISFITS, Head, misfit, sealed, unsealed
from karat.runs.part_file import facts_in, plain_facts
from karat.settings import shown


class FactsHead(Head, frozen=True, kw_only=True, omit_defaults=True):
    """Facts, and what they are about: the same words as in the head of a run."""

    karat: str
    protocol: str
    options: dict[str, str]
    digests: dict[str, str]
    read: str = ""
    plug_ins: str = ""
    facts: list[tuple[Any, int]] = msgspec.field(default_factory=list)


_TOLD = {
    "protocol": "another protocol",
    "karat": "another version of Karat",
    "plug_ins": "other plug-ins",
    "options": "other options",
    "read": "another way of reading",
    "digests": "other data",
}


def head_of(
    protocol: Protocol, settings: Any, digests: Mapping[str, str], *, read_as: str = "", plug_ins: str = ""
) -> FactsHead:
    """Return what facts are about: a protocol with its options, and the data, with how they are read and by what."""
    return FactsHead(
        karat=__version__,
        protocol=protocol.name,
        options=shown(settings),
        digests=dict(digests),
        read=read_as,
        plug_ins=plug_ins,
    )


def packed(facts: Mapping[Hashable, int], about: FactsHead) -> bytes:
    """Return the bytes of a file of facts: the same for the same facts."""
    return sealed("facts", msgspec.structs.replace(about, facts=plain_facts(facts)), ())


def load(path: str | os.PathLike[str], about: FactsHead, protocol: Protocol, settings: Any) -> Counter[Hashable]:
    """Return the facts of a file, which must be about this protocol with these options, and these data."""
    head, _ = unsealed(path, "facts", FactsHead)
    for name, what in _TOLD.items():
        if getattr(head, name) != getattr(about, name):
            raise InputError(f"has facts of {what}; gather them again with karat facts", path=path)
    try:
        facts = facts_in(head.facts, protocol)
        protocol.settle(facts, settings)
    except (*MISFITS, AttributeError) as error:
        raise misfit("facts", error, path) from error
    return facts
