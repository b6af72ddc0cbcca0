"""Files of facts: what must be known of all shards before any of them can be judged."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping

import msgspec

from karat._version import __version__
from karat.errors import InputError
from karat.evaluation.corpus import Corpus
from karat.evaluation.plain_keys import PlainFacts, facts_in, plain_facts
from karat.evaluation.protocol import Bound
from karat.evaluation.run_container import LAYOUT, MISFITS, Head, misfit, sealed, unsealed
from karat.evaluation.tasks import plug_ins_of, read_as_of
from karat.settings import shown


class FactsHead(Head, frozen=True, kw_only=True, omit_defaults=True):
    """Facts, and what they are about: the same words as in the head of a run."""

    karat: str
    protocol: str
    options: dict[str, str]
    read: str = ""
    plug_ins: str = ""
    facts: PlainFacts = msgspec.field(default_factory=list)


_NAMES = {
    "protocol": "another protocol",
    "karat": "another version of Karat",
    "plug_ins": "other plug-ins",
    "options": "other options",
    "read": "another way of reading",
}


def head_of(bound: Bound, gold: Corpus, system: Corpus) -> FactsHead:
    """Return what the facts of two sides are about, by which a file of them is known to be the right one."""
    return FactsHead(
        layout=LAYOUT,
        karat=__version__,
        protocol=bound.name,
        options=shown(bound.options),
        read=read_as_of(gold, system),
        plug_ins=plug_ins_of(bound, gold, system),
    )


def packed(facts: Mapping[Hashable, int], about: FactsHead) -> bytes:
    """Return the bytes of a file of facts: the same for the same facts."""
    return sealed("facts", msgspec.structs.replace(about, facts=plain_facts(facts)), {})


def load(path: str | os.PathLike[str], about: FactsHead, bound: Bound) -> Counter[Hashable]:
    """Return the facts of a file, which must be about this protocol with these options."""
    head, _ = unsealed(path, "facts", FactsHead)
    for name, what in _NAMES.items():
        if getattr(head, name) != getattr(about, name):
            raise InputError(f"has facts of {what}; gather them again with karat facts", path=path)
    try:
        facts = facts_in(head.facts, bound.protocol)
        bound.settle(facts)
    except (*MISFITS, AttributeError) as error:
        raise misfit("facts", error, path) from error
    return facts
