"""Export of a project to one archive, and import of such an archive.

The archive has the pool, all lines of the journal, and the people with their roles and the digests of their tokens:
tokens stay valid after an import. It has exactly three parts with fixed names, which are never used as paths.
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


class ArchiveCounts(NamedTuple):
    """The number of journal lines and of people in an archive."""

    lines: int
    people: int


def export_project(pool: str | os.PathLike[str], address: str | None, output: str) -> ArchiveCounts:
    """Write the current state of a project to an archive and return its counts; judges may go on answering."""
    with resume(pool, address) as project:
        people, lines = People(project.database).admitted(), list(chained(project.journal.lines()))
    parts = {POOL: Path(pool).read_bytes(), JOURNAL: encoded(lines), PEOPLE: encoded(people)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    write_whole({output: buffer.getvalue()})
    return ArchiveCounts(len(lines), len(people))


def import_project(path: str | os.PathLike[str], pool: str, address: str | None) -> ArchiveCounts:
    """Import a project from an archive and return its counts.

    Args:
        path: the archive.
        pool: the file that the pool is written to.
        address: the address for the answers, which must not hold any yet; None for a file beside the pool.

    """
    parts = _parts(path)
    lines = _lines(parts, path)
    people: list[Admitted] = decoded(parts[PEOPLE].splitlines(), Admitted, f"{path}/{PEOPLE}", "project")
    check_admitted(people)
    beginning = beginning_of(lines[0] if lines else None, str(path))
    if beginning is None or beginning.pool != hashlib.sha256(parts[POOL]).hexdigest()[:12]:
        raise InputError("is not a project: its journal belongs to another pool", path=path)
    refuse_input(real_path(pool), pool)
    place = address_of(pool, address)
    if "://" not in place and Path(place).exists():
        raise InputError("exists already; choose another file with --answers", path=place)
    try:
        _restore(place, lines, people, {pool: parts[POOL]})
    except BaseException:
        if "://" not in place:
            take_back(place, f"{place}-wal", f"{place}-shm")
        raise
    return ArchiveCounts(len(lines), len(people))


def end_in(path: str | os.PathLike[str]) -> JournalEnd:
    """Return the end of the journal that is recorded in an archive or in a summary saved as JSON."""
    if zipfile.is_zipfile(path):
        lines = _lines(_parts(path), path)
        return JournalEnd(len(lines), lines[-1].digest) if lines else JournalEnd(0, "")
    try:
        journal = msgspec.json.decode(read_text(path), type=JudgedResults).journal
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"is neither a project archive nor a summary as JSON: {error}", path=path) from error
    if journal is None:
        raise InputError("has no journal end, so it is not the summary of a project", path=path)
    return journal


def _restore(place: str, lines: list[JournalLine], people: list[Admitted], files: dict[str, bytes]) -> None:
    """Write a journal, its people and ``files`` to an address that holds no answers yet, all or none."""
    journal = Journal(open_database(place))
    register = People(journal.database)
    with journal.database.writing():
        if journal.database.ask("SELECT 1 FROM journal LIMIT 1"):
            raise InputError("holds answers already; choose another address with --answers", path=place)
        journal.restore(lines)
        register.restore(people)
        write_whole(files)
    journal.check()
    journal.database.close()


def _parts(path: str | os.PathLike[str]) -> dict[str, bytes]:
    """Return the parts of an archive; raise an error if it has other parts or unpacks to too many bytes."""
    remember_input(path)
    try:
        with Path(path).open("rb") as file, zipfile.ZipFile(file) as archive:
            if sorted(archive.namelist()) != sorted((POOL, JOURNAL, PEOPLE)):
                raise InputError(
                    f"is not a project archive: it must hold {POOL}, {JOURNAL} and {PEOPLE}, and nothing else",
                    path=path,
                )
            return {name: _unpacked(archive, name, path) for name in archive.namelist()}
    except UNREADABLE as error:
        raise InputError(f"cannot be read as a project archive: {error}", path=path) from error


def _lines(parts: dict[str, bytes], path: str | os.PathLike[str]) -> list[JournalLine]:
    return list(chained(decoded(parts[JOURNAL].splitlines(), JournalLine, f"{path}/{JOURNAL}", "project")))


def _unpacked(archive: zipfile.ZipFile, name: str, path: str | os.PathLike[str]) -> bytes:
    with opened_part(archive, name) as part, Path(path).open("rb") as file:
        return bounded(part, file, f"{path}/{name}").read()
