"""The schema of a knowledge base: entity types, predicates with their inverses and cardinality, and aliases.

The schema of 2015 is in ``data/predicates.tsv`` and ``data/aliases.tsv``; further predicates can be read from a
file named ``<label>.predicates.txt``. Predicates are looked up by name and by the known type of the subject.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath
from typing import NamedTuple

from karat.vocabularies.coldstart import table
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import text_of

ENTITY_TYPES = ("per", "org", "gpe", "fac", "loc")
RANGE_TYPES = ("per", "org", "gpe", "string", "type")
UNPREFIXED = frozenset({"type", "mention", "canonical_mention", "link"})
"""Predicates that are written without the type of their subject."""

LABEL = "TAC"
NO_INVERSE = "none"
_FILE_NAME = re.compile(r"(\w+)\.predicates.txt")


class Predicate(NamedTuple):
    """A predicate; ``domain`` and ``range`` are sets of types, ``single`` means at most one value per subject."""

    name: str
    domain: frozenset[str]
    range: frozenset[str]
    inverse: str
    single: bool
    label: str

    @property
    def takes_string(self) -> bool:
        """Whether the object may be a quoted string."""
        return "string" in self.range

    @property
    def takes_entity(self) -> bool:
        """Whether the object is an entity."""
        return self.range.issubset(ENTITY_TYPES)


class Definition(NamedTuple):
    """A line of a predicate file: types joined by commas, and names."""

    domain: str
    name: str
    range: str
    inverse: str
    single: bool
    inverse_single: bool


class Resolution(NamedTuple):
    """The predicate that a name resolves to, and the problems of doing so, as names and arguments."""

    predicate: Predicate | None
    problems: tuple[tuple[str, ...], ...]


class Schema:
    """The predicates that may be used, by name.

    >>> schema = Schema()
    >>> schema.resolve("per:spouses", None)  # doctest: +ELLIPSIS
    Resolution(predicate=Predicate(name='spouse', ...), problems=(('PREDICATE_ALIAS', ...),))
    >>> schema.resolve("parents", None).problems
    (('AMBIGUOUS_PREDICATE', 'parents'),)
    """

    def __init__(self) -> None:
        self._by_name: dict[str, list[Predicate]] = {}
        for row in table("predicates"):
            single, inverse_single = (row[key] == "single" for key in ("quantity", "inverse_quantity"))
            inverse = row["inverse"] or NO_INVERSE
            self._define(Definition(row["domain"], row["name"], row["range"], inverse, single, inverse_single), LABEL)

    def lookup(
        self, name: str, domain: frozenset[str] | None = None, values: frozenset[str] | None = None
    ) -> list[Predicate]:
        """Return the predicates with that name whose domain and range include the given ones."""
        return [
            predicate
            for predicate in self._by_name.get(name, ())
            if (domain is None or domain <= predicate.domain) and (values is None or values <= predicate.range)
        ]

    def knows_slot(self, slot: str) -> Predicate | None:
        """Return the predicate of a slot written as ``type:name``, or None.

        >>> Schema().knows_slot("org:website").single
        True
        """
        match = re.match(r"(.*?):(.*)$", slot)
        candidates = self.lookup(match.group(2), frozenset({match.group(1)})) if match else []
        return candidates[0] if candidates else None

    def resolve(self, verb: str, subject_type: str | None) -> Resolution:
        """Return the predicate for a name as written; ``subject_type`` is the type of the subject if it is known."""
        domain = subject_type
        prefix, colon, name = verb.partition(":")
        if colon:
            domain, verb = lower(prefix), name
            if domain not in ENTITY_TYPES:
                return Resolution(None, (("ILLEGAL_PREDICATE_TYPE", domain),))
            if subject_type is not None and domain != subject_type:
                return Resolution(None, (("SUBJECT_PREDICATE_MISMATCH", subject_type, domain),))
        problems: list[tuple[str, ...]] = []
        alias = _aliases().get((domain or "any", verb)) or _aliases().get(("any", verb))
        if alias is not None:
            problems.append(("PREDICATE_ALIAS", alias[0], verb, alias[1]))
            verb = alias[1]
        candidates = self.lookup(verb, None if domain is None else frozenset({domain}))
        if len(candidates) != 1:
            problems.append(("AMBIGUOUS_PREDICATE" if candidates else "ILLEGAL_PREDICATE", verb))
            return Resolution(None, tuple(problems))
        return Resolution(candidates[0], tuple(problems))

    def load(self, path: str) -> None:
        """Add the predicates of a file; the file name gives their label."""
        match = _FILE_NAME.match(PurePath(path).name)
        if match is None or match.end() != len(PurePath(path).name):
            raise Stop("Filename for predicates files should be <label>.predicates.txt")
        for line in lower(text_of(path)).rstrip("\n").split("\n"):
            if line.lstrip().startswith("#"):
                continue
            domain, name, values, inverse = (*line.split()[:4], "", "", "", "")[:4]
            stars = name.endswith("*"), inverse.endswith("*")
            definition = Definition(domain, name.removesuffix("*"), values, inverse.removesuffix("*"), *stars)
            self._define(definition, match.group(1).upper())

    def _define(self, line: Definition, label: str) -> Predicate:
        domain = _types(line.domain, ENTITY_TYPES, "domain")
        values = _types(line.range, RANGE_TYPES, "range")
        existing = self.lookup(line.name, domain, values)
        if len(existing) > 1:
            raise Stop(f"More than one predicate defined for {line.name}({line.domain}, {line.range})")
        if existing:
            _must_agree(existing[0], line)
            return existing[0]
        predicate = Predicate(line.name, domain, values, line.inverse, line.single, label)
        self._by_name.setdefault(line.name, []).append(predicate)
        if line.inverse != NO_INVERSE:
            inverse = Definition(line.range, line.inverse, line.domain, line.name, line.inverse_single, line.single)
            self._define(inverse, label)
        return predicate

    def predicates(self) -> list[Predicate]:
        """Return all predicates."""
        return [predicate for several in self._by_name.values() for predicate in several]


@cache
def standard_schema() -> Schema:
    """Return the shared schema of 2015, which must not be modified."""
    return Schema()


def _types(text: str, legal: tuple[str, ...], what: str) -> frozenset[str]:
    types = text.rstrip(",").split(",") if text.strip(",") else []
    for kind in types:
        if kind not in legal:
            raise Stop(f"Illegal {what} type: {kind}")
    return frozenset(types)


def _must_agree(existing: Predicate, line: Definition) -> None:
    what = f"of predicate {line.domain}:{line.name}"
    if existing.inverse != line.inverse:
        raise Stop(f"Attempt to redefine inverse {what} from {existing.inverse} to {line.inverse}")
    if existing.single != line.single:
        old, new = ("single" if is_single else "list" for is_single in (existing.single, line.single))
        raise Stop(f"Attempt to redefine quantity {what} from {old} to {new}")


@cache
def _aliases() -> dict[tuple[str, str], tuple[str, str]]:
    """Return the reason and the replacement of every alias, by type and alias."""
    return {
        (domain, row["alias"]): (row["reason"], row["replacement"])
        for row in table("aliases")
        for domain in row["domain"].split(",")
    }
