"""Documents as scorch reads them.

Each sentence is read by itself: a mention across a break is an error. A mention is identified by the number of its
block (every blank line begins one) and the texts in the third column; equal mentions count once, also across entities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from karat.annotations.faults import shown
from karat.formats.base import Problems
from karat.formats.conll2012.cells import Range, scorch_marks
from karat.formats.conll2012.rows import ConllDraft, line_at
from karat.io import read_text

_BEGIN = re.compile(r"#\s*begin document \((.*?)\);(\s*part (.*))?")
_END = re.compile(r"#\s*end document")

_Place = tuple[int, str, str]
"""Block, and the texts that name the first and the last token."""


class _FaultError(Exception):
    """Raised where scorch stops, with the token."""

    def __init__(self, token: int, message: str) -> None:
        self.token, self.message = token, message


def drafts(path: str, problems: Problems) -> Iterator[ConllDraft]:
    """Return the documents of a file; the last of several with the same name."""
    by_name: dict[str, ConllDraft] = {}
    ends: dict[str, int] = {}
    for draft, blocks, end in _documents(path, problems):
        try:
            _add_mentions(draft, blocks)
        except _FaultError as fault:
            problems.error(path, line_at(draft, fault.token), fault.message)
            continue
        if draft.name in by_name:
            message = f"document {shown(draft.name)}, which ends here, is left out: another one of this name ends in"
            problems.repair(path, ends[draft.name], f"{message} line {end}")
        by_name[draft.name], ends[draft.name] = draft, end
    yield from by_name.values()


def name_of(line: str) -> str | None:
    """Return the name of the document that a line begins, or None.

    >>> name_of("#begin document (a/b); part 003"), name_of("#begin document (a/b);"), name_of("#begin document a")
    ('a/b-003', 'a/b', None)
    """
    begin = _BEGIN.match(line)
    return None if begin is None else f"{begin[1]}-{begin[3]}" if begin[2] else begin[1]


def _documents(path: str, problems: Problems) -> Iterator[tuple[ConllDraft, list[int], int]]:
    """Yield the complete documents, each with the first token of every block and the line of the end marker."""
    name: str | None = None
    draft, blocks = ConllDraft(""), [0]
    for line_number, line in enumerate(map(str.strip, read_text(path).split("\n")), 1):
        if not line:
            blocks.append(len(draft.rows))
        elif not line.startswith("#"):
            draft.add_row(line, line_number)
        elif (begun := name_of(line)) is not None:
            name = begun
        elif _END.match(line):
            if name is None:
                problems.error(path, line_number, "a document ends here that scorch knows no name of")
            else:
                draft.name = name
                draft.segments = sorted({first for first in blocks if first < len(draft.rows)})
                yield draft, blocks, line_number
            draft, blocks = ConllDraft(""), [0]


def _add_mentions(draft: ConllDraft, blocks: list[int]) -> None:
    """Add the mentions of every block, then drop repeated ones."""
    entities: dict[str, list[tuple[_Place, Range]]] = {}
    for block, first in enumerate(blocks):
        end = blocks[block + 1] if block + 1 < len(blocks) else len(draft.rows)
        mentions = _read_block(draft, first, end)
        marked = {token for chain in mentions.values() for ends in chain for token in ends}
        label = {token: _label(draft.rows[token], token - first) for token in marked}
        for entity, chain in mentions.items():
            named = (((block, label[begin], label[last]), (begin, last)) for begin, last in chain)
            entities.setdefault(entity, []).extend(named)
    seen: set[_Place] = set()
    for order, (entity, members) in enumerate(entities.items(), 1):
        ranges = {place: tokens for place, tokens in members if place not in seen}
        if not ranges and order < len(entities):
            message = f"entity {entity} repeats only mentions of earlier entities, at which scorch fails"
            raise _FaultError(members[0][1][0], message)
        draft.chains[entity] = []
        for index, place in enumerate(sorted(ranges)):
            draft.chains[entity].append(ranges[place])
            draft.places[entity, index] = "{}.{}-{}".format(*place)
        seen.update(ranges)


def _label(row: str, position: int) -> str:
    """Return scorch's name of a token: its third column, or its position in the block."""
    cells = row.split(None, 3)
    return cells[2] if len(cells) > 2 else str(position)


def _read_block(draft: ConllDraft, first: int, end: int) -> dict[str, list[Range]]:
    entities: dict[str, list[Range]] = {}
    begun: dict[str, list[int]] = {}
    for token in range(first, end):
        row = draft.rows[token]
        if row.endswith(("\t-", " -")):
            continue
        _, begins, ends, _ = scorch_marks(row.split()[-1])
        for entity in begins:
            entities.setdefault(entity, [])
            begun.setdefault(entity, []).append(token)
        for entity in ends:
            if not begun.get(entity):
                raise _FaultError(token, f"a mention of entity {entity} ends here that has not begun in this sentence")
            entities[entity].append((begun[entity].pop(), token))
    for entity, starts in begun.items():
        if starts:
            raise _FaultError(starts[0], f"a mention of entity {entity} begins here and does not end in this sentence")
    return entities
