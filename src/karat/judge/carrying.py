"""A whole project as one archive: taken out while judges go on, and brought in at another place.

The archive has the pool, every line of the journal and the people with their roles; tokens are in it only as digests,
and go on to work. Its parts are known by three names, none of which ever becomes a path.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from pathlib import Path
from typing import NamedTuple

import msgspec

from karat.errors import InputError
from karat.io import read_text, real_path, remember_input
from karat.io.archives import bounded
from karat.io.outputs import refuse_input, take_back, write_whole
from karat.io.zips import UNREADABLE, opened_part
from karat.judge.database import open_database
from karat.judge.journal import Journal, JournalEnd, JournalLine, chained
from karat.judge.people import Admitted, People, check_admitted
from karat.judge.pool import decoded, encoded
from karat.judge.project import address_of, beginning_of, resume
from karat.judge.results import JudgedResults

POOL, JOURNAL, PEOPLE = "pool.jsonl", "journal.jsonl", "people.jsonl"


class Carried(NamedTuple):
    """How much was carried."""

    lines: int
    people: int


def export_project(pool: str | os.PathLike[str], address: str | None, output: str) -> Carried:
    """Write the project of a pool as an archive, as it stands now; whatever is answered meanwhile is not in it."""
    with resume(pool, address) as project:
        people, lines = People(project.database).admitted(), list(chained(project.journal.lines()))
    parts = {POOL: Path(pool).read_bytes(), JOURNAL: encoded(lines), PEOPLE: encoded(people)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    write_whole({output: buffer.getvalue()})
    return Carried(len(lines), len(people))


def import_project(path: str | os.PathLike[str], pool: str, address: str | None) -> Carried:
    """Bring the project of an archive in: its pool at a path, its answers at an address where there are none yet."""
    parts = _parts(path)
    lines = _lines(parts, path)
    people: list[Admitted] = decoded(parts[PEOPLE].splitlines(), Admitted, f"{path}/{PEOPLE}", "project")
    check_admitted(people)
    beginning = beginning_of(lines[0] if lines else None, str(path))
    if beginning is None or beginning.pool != hashlib.sha256(parts[POOL]).hexdigest()[:12]:
        raise InputError("is no project: its journal does not belong to its pool", path=path)
    refuse_input(real_path(pool), pool)
    place = address_of(pool, address)
    if "://" not in place and Path(place).exists():
        raise InputError("is there already; name another place with --answers", path=place)
    try:
        _restore(place, lines, people, {pool: parts[POOL]})
    except BaseException:
        if "://" not in place:
            take_back(place, f"{place}-wal", f"{place}-shm")
        raise
    return Carried(len(lines), len(people))


def end_in(path: str | os.PathLike[str]) -> JournalEnd:
    """Return where a journal ended when an archive or a summary, saved as JSON, was made of it."""
    if zipfile.is_zipfile(path):
        lines = _lines(_parts(path), path)
        return JournalEnd(len(lines), lines[-1].digest) if lines else JournalEnd(0, "")
    try:
        journal = msgspec.json.decode(read_text(path), type=JudgedResults).journal
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"is neither an archive nor a summary as JSON: {error}", path=path) from error
    if journal is None:
        raise InputError("does not say where its journal ended: it is no summary of a project", path=path)
    return journal


def _restore(place: str, lines: list[JournalLine], people: list[Admitted], files: dict[str, bytes]) -> None:
    """Write a journal and its people to an address where there are none, and the files that belong to them."""
    journal = Journal(open_database(place))
    register = People(journal.database)
    with journal.database.writing():
        if journal.database.ask("SELECT 1 FROM journal LIMIT 1"):
            raise InputError("holds answers already; name another place with --answers", path=place)
        journal.restore(lines)
        register.restore(people)
        write_whole(files)
    journal.check()
    journal.database.close()


def _parts(path: str | os.PathLike[str]) -> dict[str, bytes]:
    """Return the parts of an archive; one with others, or that unpacks to too much, is refused."""
    remember_input(path)
    try:
        with Path(path).open("rb") as file, zipfile.ZipFile(file) as archive:
            if sorted(archive.namelist()) != sorted((POOL, JOURNAL, PEOPLE)):
                raise InputError(
                    f"is no project: it must hold {POOL}, {JOURNAL} and {PEOPLE}, and nothing else", path=path
                )
            return {name: _unpacked(archive, name, path) for name in archive.namelist()}
    except UNREADABLE as error:
        raise InputError(f"cannot be read as a project: {error}", path=path) from error


def _lines(parts: dict[str, bytes], path: str | os.PathLike[str]) -> list[JournalLine]:
    return list(chained(decoded(parts[JOURNAL].splitlines(), JournalLine, f"{path}/{JOURNAL}", "project")))


def _unpacked(archive: zipfile.ZipFile, name: str, path: str | os.PathLike[str]) -> bytes:
    with opened_part(archive, name) as part, Path(path).open("rb") as file:
        return bounded(part, file, f"{path}/{name}").read()
