"""The conformance packs: invented inputs with the outputs of the real programs, one archive a suite.

The archives are part of the repository; cases on third-party data are read from a folder beside it, where present.
"""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import tempfile
import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("KARAT_CONFORMANCE", HERE.parents[2] / "shared" / "conformance"))


ROOM = "KARAT_UNPACKED"
"""The variable that names the folder into which archives are unpacked, once for all processes of a run of the tests."""


@cache
def synthetic(suite: str) -> Path:
    """Return the folder of an unpacked archive; which process unpacks it first makes no difference."""
    room = Path(os.environ.get(ROOM) or tempfile.mkdtemp(prefix="karat-packs-"))
    if not (room / suite).is_dir():
        folder = Path(tempfile.mkdtemp(dir=room))
        unpack(HERE / f"{suite}.tar.xz", folder)
        try:
            folder.rename(room / suite)
        except OSError:
            shutil.rmtree(folder)
    return room / suite


def unpack(path: Path, folder: Path) -> None:
    """Unpack an archive into a folder, all of it to be changed and removed by its owner, whatever the archive says.

    The archives are ours, so nothing is left out. ``extractall`` has no argument ``filter`` before Python 3.11.4, and
    warns from 3.12 on if no filter is set; the attribute suits all.
    """
    with tarfile.open(path) as archive:
        archive.extraction_filter = lambda member, _: member
        members = archive.getmembers()
        for member in members:
            member.mode |= 0o700 if member.isdir() else 0o600
        archive.extractall(folder, members)  # noqa: S202


@cache
def manifest(suite: str) -> list[dict]:
    """Return the cases of a suite's archive."""
    return [json.loads(line) for line in member(suite, "manifest.jsonl").splitlines()]


def member(suite: str, name: str) -> str:
    """Return a text of a suite's archive, without unpacking the rest."""
    with tarfile.open(HERE / f"{suite}.tar.xz", "r|xz") as archive:
        found = next(archive.extractfile(one) for one in archive if one.name.removeprefix("./") == name)
        assert found is not None
        return found.read().decode()


@cache
def public(suite: str) -> list[dict]:
    """Return the cases on third-party data, none where the folder is absent."""
    path = SHARED / suite / "public" / "manifest.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


@cache
def drop_in_only(suite: str) -> dict[str, str]:
    """Return the cases of a suite that only the drop-in can run, each with the reason, by their ids.

    They stand in ``drop_in_only.toml``: a reason, and the ids of the cases it holds for, or the name of a program that
    scores nothing, for all its cases. Every other case runs down both roads, as drop-in and through ``karat.score``.
    """
    reasons = tomllib.loads((HERE / "drop_in_only.toml").read_text("utf-8")).get(suite, {})
    cases = manifest(suite) + public(suite) if reasons else []
    programs: dict[str, list[str]] = {}
    for case in cases:
        programs.setdefault(case.get("program", ""), []).append(case["id"])
    return {case: reason for reason, names in reasons.items() for name in names for case in programs.get(name, [name])}
