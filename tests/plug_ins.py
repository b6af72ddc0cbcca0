"""Packages that offer plug-ins, as they are installed: a module, and the metadata with entry points beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from karat import plugins
from karat.evaluation import registry
from karat.formats import catalogue

HEAD = """
import msgspec
from karat.formats import format_named
from karat.formats.base import Format
from karat.model import Document, Mention
from karat.evaluation.registry import protocol
"""


def forget() -> None:
    """Let plug-ins be looked for again."""
    for cached in (catalogue.plug_ins, catalogue.formats, registry.plug_ins):
        cached.cache_clear()
    plugins._in_use.clear()


@contextmanager
def installed(folder: Path, package: str, version: str, code: str, **groups: Mapping[str, str]) -> Iterator[None]:
    """Within this context, a package is installed whose module has this code, and entry points: objects by name."""
    folder.mkdir(exist_ok=True)
    (folder / f"{package}.py").write_text(HEAD + code)
    metadata = folder / f"{package}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    lines = [
        line
        for group, points in groups.items()
        for line in (f"[karat.{group}]", *(f"{name} = {package}{place}" for name, place in points.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    sys.path.insert(0, str(folder))
    forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(package, None)
        forget()
