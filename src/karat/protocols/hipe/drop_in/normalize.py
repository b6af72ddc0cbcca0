"""Link normalisation of HIPE files: times to NIL, historical variants to one main QID, literal with metonymic links.

Mirrors ``normalize_linking.py`` of the HIPE scorer. Its quirks, which the profile ``corrected`` avoids:

- *destroys-missing*: cells such as ``NA`` or ``null``, tokens among them, become empty;
- *rewrites-numbers*: a column of numbers only is written anew (``003`` as ``3``, or ``3.0``);
- *pads-comments*: comment lines and blank lines are filled up with tabs;
- *shifts-columns*: if the first row has surplus cells, the first column is lost;
- *invents-columns*: an absent link column is created if there are times to normalise;
- *empties-links*: a link whose main entry holds no QID empties its whole cell;
- *interleaves-unlinked*: the ``_`` of an unlinked partner column is taken for a link.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, unknown
from karat.io import read_text
from karat.protocols.hipe.drop_in.frames import Cell, Frame, read_frame, write_frame, written

PROFILES = ("current", "corrected")
EDITIONS = ("hipe-2020", "hipe-2022")

COARSE, LITERAL, METONYMIC = "NE-COARSE-LIT", "NEL-LIT", "NEL-METO"
_UNLINKED = ("_", "-")
_QID = re.compile(r"Q[0-9]+")
_BOM = "\ufeff"
_END = "<end>"

QidMap = Mapping[str, str | None]
"""The main QID of every alternative; ``None`` if its main entry holds none."""


@dataclass(frozen=True)
class NormalizeSteps:
    """What to normalise. The order is always the same: ``mapping``, ``time``, ``union``."""

    mapping: QidMap | None = None
    time: bool = False
    union: bool = False
    edition: str = "hipe-2020"

    def __post_init__(self) -> None:
        if self.edition not in EDITIONS:
            raise unknown("HIPE edition", self.edition, EDITIONS)


class NormalizeInput(NamedTuple):
    """The text of a file, its path, the steps, and the profile."""

    text: str
    path: str
    steps: NormalizeSteps
    profile: str


def read(
    path: str, *, mapping: str | None, time: bool, union: bool, edition: str, profile: str = "current"
) -> NormalizeInput:
    """Read the file to normalise, and the QIDs of a mapping file if there is one.

    Args:
        path: The file to normalise.
        mapping: The file of the main QIDs with their alternatives, or None.
        time: Whether mentions of time are linked to NIL.
        union: Whether literal and metonymic links are interleaved.
        edition: The edition, in any case.
        profile: The profile.

    """
    if edition.lower() not in EDITIONS:
        raise InputError(str(unknown("HIPE edition", edition, EDITIONS)))
    text = read_text(path)
    qids = None if mapping is None else read_mapping(mapping, profile=profile)
    steps = NormalizeSteps(mapping=qids, time=time, union=union, edition=edition.lower())
    return NormalizeInput(text, path, steps, profile)


def convert(asked: NormalizeInput) -> str:
    """Return the normalised text."""
    return normalize(asked.text, asked.steps, profile=asked.profile, path=asked.path)


def printed(text: str, path: str) -> ProgramOutput:
    """Return the file of the normalised text."""
    return ProgramOutput(files={path: text})


def normalize(text: str, steps: NormalizeSteps, *, profile: str = "current", path: object = None) -> str:
    r"""Return the text of a HIPE file with its links normalised; ``path`` names it in messages.

    >>> text = "TOKEN\tNE-COARSE-LIT\tNEL-LIT\n# date\nNA\tB-time\tQ7\n"
    >>> normalize(text, NormalizeSteps(time=True, edition="hipe-2022"))
    'TOKEN\tNE-COARSE-LIT\tNEL-LIT\n# date\t\t\n\tB-time\tNIL\n'
    >>> normalize(text, NormalizeSteps(time=True, edition="hipe-2022"), profile="corrected")
    'TOKEN\tNE-COARSE-LIT\tNEL-LIT\n# date\nNA\tB-time\tNIL\n'
    """
    if profile not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    lines = text.removeprefix(_BOM).removesuffix("\n").split("\n")
    if profile == "corrected":
        return _normalize_lines(lines, steps, path)
    frame = read_frame(enumerate((line.split("\t") for line in lines), start=1), path)
    for name in (COARSE, LITERAL, METONYMIC):
        if name in frame:
            frame[name] = ["" if cell is None else cell for cell in frame[name]]
    try:
        _normalize_frame(frame, steps)
    except ValueError as error:
        raise InputError(str(error), path=path) from error
    return write_frame(frame, path)


def read_mapping(path: str, *, profile: str = "current") -> QidMap:
    """Read a mapping file: a header, then rows with the column ``Main`` and any number of alternatives to it."""
    return parse_mapping(read_text(path), profile=profile, path=path)


def parse_mapping(text: str, *, profile: str = "current", path: object = None) -> QidMap:
    r"""Return the main QID of every alternative; columns are read left to right, and later entries win.

    >>> parse_mapping("Main\tAlternatives\t\nwiki/Q183\tQ7318\twiki/Q43287\nunknown\tQ1\t\n")
    {'Q7318': 'Q183', 'Q1': None, 'Q43287': 'Q183'}
    """
    frame = read_frame(_quoted_rows(text.removeprefix(_BOM), path), path)
    mains = frame.pop("Main", None)
    if mains is None or not frame:
        raise InputError("expected a column named 'Main' and others with its alternatives", path=path, line=1)
    for column in (mains, list(chain.from_iterable(frame.values()))):
        if column and not any(isinstance(cell, str) for cell in column):
            raise InputError("holds no QID where 'Main' or its alternatives should have some", path=path)
    pairs = [
        (alternative, main)
        for column in frame.values()
        for alternative, main in zip(map(_qid, column), map(_qid, mains), strict=True)
        if alternative is not None and (main is not None or profile != "corrected")
    ]
    return dict(pairs)


def relink(cell: str, mapping: QidMap) -> str | None:
    """Replace every alternative of a link cell by its main QID, once.

    >>> relink("Q7318|Q39", {"Q7318": "Q183", "Q183": "Q1"})
    'Q183|Q39'
    """
    parts = [mapping.get(part, part) for part in cell.split("|")]
    known = [part for part in parts if part is not None]
    return "|".join(known) if len(known) == len(parts) else None


def interleave(own: str, partner: str) -> str:
    """Take turns between the links of two columns, beginning with the own one; ``EMPTY`` fills the shorter one.

    >>> interleave("Q1|Q2", "Q3"), interleave("Q1", "_"), interleave("_", "Q3")
    ('Q1|Q3|Q2|EMPTY', 'Q1|_', '_')
    """
    if own in _UNLINKED:
        return own
    links = own.split("|")
    if not links[0]:
        return ""
    return "|".join(chain.from_iterable(zip_longest(links, partner.split("|"), fillvalue="EMPTY")))


def _normalize_frame(frame: Frame, steps: NormalizeSteps) -> None:
    """Apply the steps to a whole table; a ValueError says which column does not allow it."""
    if steps.mapping is not None and LITERAL in frame:
        for name in (LITERAL, METONYMIC):
            if name in frame:
                frame[name] = [relink(cell, steps.mapping) for cell in _texts(frame, name)]
    if steps.time and COARSE in frame:
        times = ["time" in label for label in _texts(frame, COARSE)]
        for name in (LITERAL, METONYMIC) if steps.edition == "hipe-2020" else (LITERAL,):
            if name not in frame and not times:
                raise ValueError(f"there is no column {name} and no row to create it for")
            links = frame.get(name, [None] * len(times))
            frame[name] = ["NIL" if time else link for time, link in zip(times, links, strict=True)]
    if steps.union and LITERAL in frame:
        _unite(frame)


def _unite(frame: Frame) -> None:
    """Interleave the two link columns; without the second, the published program leaves its helper column behind."""
    links = frame[LITERAL]
    if METONYMIC not in frame:
        if links and all(isinstance(cell, int | float) for cell in links):
            raise ValueError(f"column {LITERAL} holds no links")
        frame[f"{LITERAL}-LIST"] = [str(cell.split("|")) if isinstance(cell, str) else None for cell in links]
        return
    pairs = list(zip(links, frame[METONYMIC], strict=True))
    if not any(isinstance(link, str) and isinstance(other, str) for link, other in pairs):
        raise ValueError(f"no row has links in both {LITERAL} and {METONYMIC}")
    frame[LITERAL] = [_united(literal, metonymic) for literal, metonymic in pairs]
    frame[METONYMIC] = [_united(metonymic, literal) for literal, metonymic in pairs]


def _united(own: Cell, partner: Cell) -> str | None:
    if isinstance(own, str) and (own in _UNLINKED or isinstance(partner, str)):
        return interleave(own, written(partner))
    return None


def _texts(frame: Frame, name: str) -> list[str]:
    texts = [cell for cell in frame[name] if isinstance(cell, str)]
    if len(texts) < len(frame[name]):
        raise ValueError(f"column {name} holds numbers or truth values where labels are expected")
    return texts


def _quoted_rows(text: str, path: object) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table whose cells may be quoted, without the blank ones, with their line numbers."""
    reader = csv.reader(io.StringIO(f"{text}\n{_END}"), delimiter="\t")
    row: list[str] = []
    try:
        for row in reader:
            if row != [_END] and (len(row) > 1 or "".join(row).strip(" ")):
                yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"cannot be read as a table: {error}", path=path, line=reader.line_num) from error
    if row != [_END]:
        raise InputError("a quoted cell is never closed", path=path)


def _normalize_lines(lines: Sequence[str], steps: NormalizeSteps, path: object) -> str:
    """Apply the steps to the token lines and leave every other character as it is."""
    header = lines[0].split("\t")
    if not lines[0]:
        raise InputError("the header is missing: the first line must name the columns", path=path, line=1)
    column_of = {name: header.index(name) for name in (COARSE, LITERAL, METONYMIC) if name in header}
    result = [lines[0]]
    for line_number, line in enumerate(lines[1:], start=2):
        if line.startswith(("#", "\t")) or not line.strip():
            result.append(line)
            continue
        row = line.split("\t")
        if len(row) > len(header):
            raise InputError(f"{len(row)} cells where {len(header)} are expected", path=path, line=line_number)
        cells = {name: row[index] for name, index in column_of.items() if index < len(row)}
        for name, link in _normalized_links(cells, steps).items():
            row[column_of[name]] = link
        result.append("\t".join(row))
    return "\n".join(result) + "\n"


def _normalized_links(cells: Mapping[str, str], steps: NormalizeSteps) -> dict[str, str]:
    links = {name: cells[name] for name in (LITERAL, METONYMIC) if name in cells}
    if steps.mapping is not None:
        links = {name: relink(link, steps.mapping) or link for name, link in links.items()}
    if steps.time and "time" in cells.get(COARSE, ""):
        for name in links if steps.edition == "hipe-2020" else {LITERAL} & links.keys():
            links[name] = "NIL"
    linked = [link for link in links.values() if link and link not in _UNLINKED]
    if steps.union and len(linked) == len((LITERAL, METONYMIC)):
        literal, metonymic = links[LITERAL], links[METONYMIC]
        links = {LITERAL: interleave(literal, metonymic), METONYMIC: interleave(metonymic, literal)}
    return links


def _qid(cell: Cell) -> str | None:
    match = _QID.search(cell) if isinstance(cell, str) else None
    return match[0] if match else None
