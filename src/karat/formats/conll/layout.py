"""Options, column names and comment lines, shared by the reader and the writer of column files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from karat.annotations.tag_schemes import REPAIR_POLICIES, SCHEMES, RepairPolicy, Scheme
from karat.settings import choice, option

IDENTITY = "IDENTITY"
"""The column that every file of Universal Anaphora has; it holds brackets and no tags."""
ANAPHORA = (
    "this is a file of Universal Anaphora; read it with --from universal-anaphora, "
    "and score it with the protocol universal-anaphora"
)
"""What is said of such a file where another format is asked for."""

HEADER = re.compile(r"#\s*global\.columns\s*=(.*)")
METADATA = re.compile(r"# meta::(\S+) = (.*)")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id)?\s*(?:=(.*))?$")
_KEY_VALUE = re.compile(r"#\s+[\w.:-]+(?:\s[\w.:-]+)?\s+=(?:\s|$)")
_DOCSTART = re.compile(r"-DOCSTART-(?:\s(.*))?$")
_DOCSTART_FILLERS = frozenset(("-X-", "O", "_", "-", "-DOCSTART-"))


@dataclass(frozen=True)
class ConllOptions:
    """How tags are read and written."""

    scheme: Literal["auto"] | Scheme = choice(
        ("auto", *SCHEMES), "the tag scheme; auto reads the one that a column breaks least often, and writes IOB2"
    )
    repair: RepairPolicy = option(
        "conlleval",
        "tags that break the scheme: read as conlleval does, refuse, or drop the mention",
        choices=REPAIR_POLICIES,
    )


class Layout(NamedTuple):
    """The columns of a file; ``declared`` if a header names them, ``tabbed`` if its first row has a tab."""

    names: tuple[str, ...]
    form: int
    declared: bool
    tabbed: bool

    def is_comment(self, line: str) -> bool:
        """Tell whether a line is a comment and not a row, since a token may begin with ``#``.

        A line that begins with ``#`` is a comment if it has no tab and either reads ``# key = value`` or
        has another number of cells than the rows of this file.
        """
        if not line.startswith("#") or "\t" in line:
            return False
        return self.tabbed or _KEY_VALUE.match(line) is not None or len(cut_row(line)) != len(self.names)


def cut_row(line: str) -> list[str]:
    r"""Return the cells of a line, split at tabs if it has any, else at blanks.

    >>> cut_row("New York\tB-loc"), cut_row("York  I-loc")
    (['New York', 'B-loc'], ['York', 'I-loc'])
    """
    if "\t" not in line:
        return [cell for cell in line.split(" ") if cell]
    cells = line.split("\t")
    return [cell.strip(" ") for cell in cells] if " " in line else cells


def is_anaphora(header: str) -> bool:
    """Tell whether the column names are those of Universal Anaphora.

    >>> is_anaphora("ID FORM MISC IDENTITY BRIDGING"), is_anaphora("FORM NE")
    (True, False)
    """
    return IDENTITY in header.split()


def document_marker(line: str) -> str | None:
    """Return the id in a line that begins a document, ``""`` if it has none; None for other lines.

    >>> document_marker("# newdoc id = a7"), document_marker("-DOCSTART- (1 EU)"), document_marker("a O")
    ('a7', '1 EU', None)
    >>> document_marker("-DOCSTART- -X- -X- O")
    ''
    """
    if line.startswith("#"):
        match = None if "\t" in line else _NEW_DOCUMENT.match(line)
        return (match[1] or "").strip() if match else None
    match = _DOCSTART.match(line)
    if not match:
        return None
    name = " ".join(cell for cell in (match[1] or "").split() if cell not in _DOCSTART_FILLERS)
    return name[1:-1] if name.startswith("(") and name.endswith(")") else name
