"""Query ids: how they are read, hashed and extended, and how the published programs get them wrong.

A query for one entry point is named ``<prefix>_<ten hexadecimal digits>``; the digits are a hash of the location of the
entry point and of the slots. A follow-up query adds ``_<twelve digits>``, a hash of the question and the answer.

The revision of 2015 keeps only the last twelve digits of a deeper id, writes the prefix twice into query files, and
names the queries of the second round without the ten digits; that bug was in every program that participants got.
release-2015.11 identifies a query by its last part alone. The corrected rules keep an id as it is and only append to
it.

In slot filling, queries that follow from an answer are named after the first query of their chain: their *base*.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, NamedTuple

from karat.vocabularies.coldstart.problems import Stop

if TYPE_CHECKING:
    from hashlib import md5
else:
    try:
        from _md5 import md5  # the same without OpenSSL, which hashlib brings and which takes four megabytes
    except ImportError:  # an interpreter that is built without it
        from hashlib import md5

ENTRY_POINT_DIGITS = 10
FOLLOW_UP_DIGITS = 12
_ID = re.compile(r"(?:(.+)_)?([0-9A-F]{10})((?:_[0-9A-F]{12})*)$", re.IGNORECASE | re.ASCII)
_NIL = bytes(16)
"""The namespace of the version-3 UUIDs whose last digits are used."""
_NUMBERED = re.compile(r"(?:(.+)_)?(\d+)$")

BaseRule = Callable[[str], str]
"""Gives the id of the query that a chain of follow-ups began with."""

_SUFFIXES = (
    re.compile(r"_\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$"),
    re.compile(r"_PSEUDO.*$", re.DOTALL),
    re.compile(r"_[0-9a-f]{12}$", re.IGNORECASE),
)
_ENTRY_POINT = re.compile(r"_[0-9a-f]{10}$", re.IGNORECASE)


class QueryId(NamedTuple):
    """A query's id in its variants: ``key`` to find and sort, ``written`` in query files, ``shown`` in answers.

    ``hashed`` enters the hash of follow-up queries. ``expanded`` tells that the id is that of a single entry point.
    """

    key: str
    written: str
    shown: str
    hashed: str
    prefix: str
    expanded: bool


class IdRules:
    """The corrected rules: ids are kept unchanged, and each answer appends one part."""

    adds_entry_points = False
    """Whether reading a query whose id is not expanded adds one query for each of its entry points."""
    ends_without_slots = True
    """Whether there is no follow-up to a query without a further slot."""

    def parse(self, text: str) -> QueryId:
        """Return the id that a text spells."""
        return QueryId(text, text, text, text, "", expanded=True)

    def follow_up(self, parent: QueryId, digits: str) -> QueryId:
        """Return the id of the query that follows an answer.

        >>> rules = IdRules()
        >>> rules.follow_up(rules.parse("CSSF15_ENG_0458206f71"), "e7a0b88e4371").written
        'CSSF15_ENG_0458206f71_e7a0b88e4371'
        """
        return self.parse(f"{parent.key}_{digits}")

    def second_round(self, parent: QueryId, digits: str) -> QueryId:
        """Return the id of that query in the second round."""
        return self.follow_up(parent, digits)

    def line_key(self, text: str, *, full: bool) -> str:
        """Return the key of the query that a line of a run names; ``full`` is False for the layout of 2014."""
        del full
        return text


class Rules2015(IdRules):
    """The rules of the snapshot of November 2015."""

    adds_entry_points = True

    def parse(self, text: str) -> QueryId:
        """Return the id that a text spells; of several twelve-digit parts only the last is kept.

        >>> Rules2015().parse("CSSF15_ENG_0123456789").written
        'CSSF15_ENG_CSSF15_ENG_0123456789'
        """
        match = _ID.match(text)
        if match is None:
            return QueryId(text, text, text, text, "", expanded=False)
        prefix, digits = match.group(1) or "", f"{match.group(2)}{match.group(3)[-1 - FOLLOW_UP_DIGITS :]}"
        key = f"{prefix}_{digits}" if prefix else digits
        return QueryId(key, f"{prefix}_{key}" if prefix else key, key, key, prefix, expanded=True)

    def follow_up(self, parent: QueryId, digits: str) -> QueryId:
        """Return the id of the query that follows an answer, under the prefix of its parent."""
        child = self.parse(f"{parent.key}_{digits}")
        written = f"{parent.prefix}_{child.key}" if parent.prefix else child.key
        return child._replace(written=written, prefix=parent.prefix)

    def second_round(self, parent: QueryId, digits: str) -> QueryId:
        """Return the id without the ten digits: the bug that the published query-id corrector repairs."""
        return self.parse(f"{self.parse(parent.key).prefix}_{digits}")


class Rules201511(IdRules):
    """The rules of the branch release-2015.11."""

    ends_without_slots = False

    def parse(self, text: str) -> QueryId:
        """Return the id that a text spells; one that does not end in digits stops the program."""
        match = _ID.match(text)
        if match is not None:
            key = match.group(3)[-FOLLOW_UP_DIGITS:] or match.group(2)
        else:
            match = _NUMBERED.match(text)
            if match is None:
                raise Stop(f'unexpected argument: "{text}" sent to parse_queryid', kind="")
            key = match.group(2)
        return self._named(match.group(1) or "", f"{match.group(1) or ''}_{key}", key)

    def _named(self, prefix: str, written: str, key: str) -> QueryId:
        return QueryId(key, written, written, written, prefix, expanded=True)

    def follow_up(self, parent: QueryId, digits: str) -> QueryId:
        """Return the id of the query that follows an answer, with all its parts."""
        child = self.parse(f"{parent.written}_{digits}")
        return self._named(child.prefix, f"{parent.written}_{child.key}", child.key)

    def second_round(self, parent: QueryId, digits: str) -> QueryId:
        """Return the id without the ten digits."""
        return self._named(parent.prefix, f"{parent.prefix}_{digits}", digits)

    def line_key(self, text: str, *, full: bool) -> str:
        """Return the last part of the id."""
        return self.parse(text).key if full else text


ID_RULES: dict[str, IdRules] = {"2015": Rules2015(), "2015.11": Rules201511(), "corrected": IdRules()}
"""The rules by profile."""


def entry_point_digits(docid: str, start: str, end: str, slots: list[str]) -> str:
    """Return the ten-digit hash of an entry point.

    >>> entry_point_digits("NYT_ENG_20131113.0264", "684", "700", ["per:siblings", "per:date_of_birth"])
    '54d83ec119'
    """
    text = f"{docid}:{start}:{end}:{':'.join(slots)}"
    try:
        return md5(_NIL + text.encode("latin-1"), usedforsecurity=False).hexdigest()[-ENTRY_POINT_DIGITS:]
    except UnicodeEncodeError as error:
        raise Stop("Wide character in subroutine entry", kind="DIE") from error


def follow_up_digits(query_id: str, value: str, provenance: str) -> str:
    """Return the twelve-digit hash of the query that follows an answer; the provenance must be normalised.

    >>> follow_up_digits("CSSF15_ENG_0458206f71", 'Bob "B" Mc', "doc1:40-49")
    'e7a0b88e4371'
    """
    text = encode_basestring(f"{query_id}:{value}:{provenance}")[1:-1]
    try:
        return md5(_NIL + text.encode("utf-8"), usedforsecurity=False).hexdigest()[-FOLLOW_UP_DIGITS:]
    except UnicodeEncodeError as error:
        raise Stop("Malformed UTF-8 character (fatal)", kind="DIE") from error


def base(query_id: str) -> str:
    """Return the id of the first query of a chain; one that ends in ten digits is returned unchanged.

    >>> base("CSSF15_ENG_0458206f71_e7a0b88e4371"), base("CSSF15_ENG_0458206f71")
    ('CSSF15_ENG_0458206f71', 'CSSF15_ENG_0458206f71')
    """
    name = query_id
    for suffix in _SUFFIXES:
        if match := suffix.search(query_id):
            name = query_id[: match.start()]
    return query_id if _ENTRY_POINT.search(query_id) else name


def base_without_entry_point(query_id: str) -> str:
    """Return the base as programs before the evaluation did: without the ten digits of the entry point.

    >>> base_without_entry_point("CSSF15_ENG_0458206f71")
    'CSSF15_ENG'
    """
    name = base(query_id)
    match = _ENTRY_POINT.search(query_id)
    return query_id[: match.start()] if match else name
