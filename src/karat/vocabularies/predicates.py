"""Tables of predicates: synonyms and inverses of relation names, and logical constraints on relations.

A table is a UTF-8 file with tabs between the columns and a header: the name that a tool or data set uses, the
canonical name, the direction (``inverse`` if head and tail are exchanged) and optional rules for the canonical name:

====================  ====================================================================
rule                  what it says
====================  ====================================================================
``symmetric``         head and tail may be exchanged
``asymmetric``        it does not hold both ways
``irreflexive``       nothing has it with itself
``functional``        a head has one tail
``excludes NAME``     it does not hold between the same two things as another predicate
====================  ====================================================================

A property of Wikidata is the same in every usual spelling: its identifier, alone, in brackets or in an address.

Karat has tables for the names of some inventories, in ``predicate_tables``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pkgutil import get_data
from typing import Any

import msgspec

from karat.errors import InputError, UsageError, unknown
from karat.io import lines
from karat.vocabularies.normal_forms import normal_name

TABLES = ("wikidata", "nyt", "ace", "scierc")
"""The tables that come with Karat."""

MAX_ROWS = 1_000_000
RULES = ("symmetric", "asymmetric", "irreflexive", "functional")
EXCLUDES = "excludes "
_DIRECTIONS = {"": False, "same": False, "inverse": True}
_PROPERTY = re.compile(
    r"(?:(?P<name>.*\S) ?\()?"
    r"(?:WDT:|(?:HTTPS?://)?(?:WWW\.)?WIKIDATA\.ORG/(?:PROP/DIRECT/|ENTITY/|WIKI/PROPERTY:))?"
    r"(?P<identifier>P[1-9][0-9]*)(?(name)\))"
)


class Meaning(msgspec.Struct, frozen=True):
    """What a relation name stands for: a canonical name and a direction."""

    canonical: str
    is_inverse: bool = False


class Predicates(msgspec.Struct, frozen=True):
    """A table of predicates; without rows, every name stands for itself."""

    meanings: dict[str, Meaning] = {}
    rules: dict[str, frozenset[str]] = {}
    excluded: dict[str, frozenset[str]] = {}
    """For each canonical name those that it excludes, whichever of the two says so."""
    source: str = ""
    digest: str = ""

    def __bool__(self) -> bool:
        return bool(self.source)

    def __str__(self) -> str:
        return f"{self.source}/{self.digest}" if self else ""

    def meaning(self, name: str) -> Meaning | None:
        """Return the meaning of a name, or None if the table lacks it.

        >>> predicates("wikidata").meaning("owner of")
        Meaning(canonical='OWNED BY', is_inverse=True)
        """
        normal = normal_name(name)
        if not self:
            return Meaning(normal)
        meaning = self.meanings.get(normal)
        if meaning is None and (match := _PROPERTY.fullmatch(normal)):
            meaning = self.meanings.get(match["identifier"]) or self.meanings.get(match["name"] or "")
        return meaning

    def has(self, canonical: str, rule: str) -> bool:
        """Tell whether a rule holds for a canonical name."""
        return rule in self.rules.get(canonical, ())


def identifier(name: str) -> str:
    """Return the Wikidata property that a name spells in a usual way, or ``""``.

    >>> identifier("wdt:P828"), identifier("has cause (P828)"), identifier("https://www.wikidata.org/entity/P828")
    ('P828', 'P828', 'P828')
    >>> identifier("http://www.wikidata.org/prop/direct/P828"), identifier("https://www.wikidata.org/wiki/Property:P828")
    ('P828', 'P828')
    >>> identifier("has cause")
    ''
    """
    match = _PROPERTY.fullmatch(normal_name(name))
    return match["identifier"] if match else ""


NO_TABLE = Predicates()

_Row = tuple[str, int, list[str]]
"""The file and line of a row, and its cells."""


def predicates(given: Any) -> Predicates:
    """Return the table for an option's value: comma-separated names of tables and files, or a dictionary.

    If several tables have the same name, the last one applies.

    >>> predicates({"hit": "collides with"}).meaning("HIT").canonical
    'COLLIDES WITH'
    """
    if isinstance(given, Predicates):
        return given
    if isinstance(given, Mapping) and all(isinstance(word, str) for pair in given.items() for word in pair):
        rows = [[("", 0, [name, canonical]) for name, canonical in sorted(given.items())]]
        return _assembled(rows, "table") if given else NO_TABLE
    if not isinstance(given, str):
        raise UsageError(f"{given!r:.100} is no table of predicates; expected names of tables, files or a dictionary")
    names = [name.strip() for name in given.split(",") if name.strip()]
    shown = "+".join(name if name in TABLES else "file" for name in names)
    return _assembled([_rows(name) for name in names], shown) if names else NO_TABLE


def _rows(name: str) -> list[_Row]:
    """Return the rows of a built-in table or a file, without the header."""
    if name in TABLES:
        table = get_data("karat.vocabularies", f"predicate_tables/{name}.tsv") or b""
        text: Iterable[str] = table.decode("utf-8").split("\n")
    elif not any(mark in name for mark in "./\\"):
        raise unknown("table of predicates", name, TABLES)
    else:
        text = lines(name)
    rows: list[_Row] = []
    for line_number, line in enumerate(text, 1):
        cells = [cell.strip() for cell in line.removeprefix("\ufeff" if line_number == 1 else "").split("\t", 4)]
        if line_number == 1 and cells[1:2] != ["canonical"]:
            message = f"the header is {line!r:.60}; expected tool_relation, canonical, direction and rules with tabs"
            raise InputError(message, path=name, line=1)
        if line_number > MAX_ROWS:
            raise InputError(f"the table has more than {MAX_ROWS:,} lines; keep the names in use", path=name)
        if line_number > 1 and line.strip():
            rows.append((name, line_number, cells))
    return rows


def _assembled(tables: Iterable[list[_Row]], source: str) -> Predicates:
    """Return one table with the rows of several."""
    meanings: dict[str, Meaning] = {}
    rules: dict[str, set[str]] = {}
    excluded: dict[str, set[str]] = {}
    for rows in tables:
        own: dict[str, Meaning] = {}
        for row in rows:
            name, meaning = _meaning(row)
            if own.setdefault(name, meaning) != meaning:
                raise _fault(row, f"{name!r} has another meaning above; keep one of them")
            for rule in _rules(row):
                if rule.startswith(EXCLUDES):
                    excluded_name = normal_name(rule.removeprefix(EXCLUDES))
                    excluded.setdefault(meaning.canonical, set()).add(excluded_name)
                    excluded.setdefault(excluded_name, set()).add(meaning.canonical)
                else:
                    rules.setdefault(meaning.canonical, set()).add(rule)
        meanings |= own
    content = sorted((name, meaning.canonical, meaning.is_inverse) for name, meaning in meanings.items())
    rule_lists = {name: sorted(names) for name, names in sorted([*rules.items(), *excluded.items()])}
    digest = hashlib.sha256(msgspec.json.encode([content, rule_lists])).hexdigest()[:12]
    return Predicates(meanings, _frozen(rules), _frozen(excluded), source, digest)


def _frozen(sets: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(names) for name, names in sets.items()}


def _meaning(row: _Row) -> tuple[str, Meaning]:
    cells = row[2] + [""] * (3 - len(row[2]))
    name, canonical, direction = identifier(cells[0]) or normal_name(cells[0]), normal_name(cells[1]), cells[2]
    if not name or not canonical or len(cells) > 4:
        raise _fault(row, "expected a name, the canonical name, a direction and rules, with tabs between them")
    if direction not in _DIRECTIONS:
        raise _fault(row, f"the direction is {direction!r:.40}; expected nothing, same or inverse")
    return name, Meaning(canonical, _DIRECTIONS[direction])


def _rules(row: _Row) -> list[str]:
    rules = [" ".join(rule.split()) for rule in "".join(row[2][3:4]).split(",") if rule.strip()]
    for rule in rules:
        if rule not in RULES and not rule.startswith(EXCLUDES):
            raise _fault(row, f"the rule {rule!r:.40} is not known; expected {', '.join(RULES)} or excludes NAME")
    return rules


def _fault(row: _Row, message: str) -> InputError:
    path, line, _ = row
    return InputError(message, path=path or None, line=line or None)
