"""The floor plan: which package imports which, read off the source, imports inside of functions included.

A package is the first name below ``karat``; below ``protocols`` it is the evaluation, and its ``drop_in`` apart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src" / "karat"
BEFORE_PROTOCOLS = ("model", "io", "formats", "annotations", "matching", "measures", "vocabularies", "evaluation")
"""The packages before the protocols, which know none of them."""
AFTER_PROTOCOLS = ("analysis", "display", "report", "testing", "cli", "api")
"""The packages after the protocols, which only their drop-ins use."""
FOR_PROTOCOLS = ("casebook", "invented", "ledger", "pairing", "protocol", "quirks", "counting", "prf", "tally", "worth")
"""The modules of ``evaluation`` from which protocols are built; the others score, which only drop-ins ask for."""

STATEMENTS = ("body", "orelse", "handlers", "finalbody", "cases")
"""Where a statement has others in it; an import is never in an expression."""

Plan = Mapping[str, set[str]]
"""For each package those that it imports."""


class Module(NamedTuple):
    """A module with the names of those of ours that it imports when it runs; types are not run."""

    name: str
    imports: frozenset[str]


@cache
def modules(source: Path = SOURCE) -> tuple[Module, ...]:
    """Return every module below a folder with what it imports."""
    paths = {_name(path, source): path for path in sorted(source.rglob("*.py"))}
    return tuple(Module(name, imported(path.read_text("utf-8"), paths)) for name, path in paths.items())


def imported(text: str, known: Collection[str]) -> frozenset[str]:
    """Return which of the known modules a module imports."""
    return frozenset(_imports(ast.parse(text), known))


def _name(path: Path, source: Path) -> str:
    return ".".join(("karat", *path.relative_to(source).with_suffix("").parts)).removesuffix(".__init__")


def _imports(tree: ast.AST, known: Collection[str]) -> Iterator[str]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.ImportFrom) and (node.level or not node.module):
            raise ValueError(
                "a relative import: modules are imported by their full names, so that everyone sees the room"
            )
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else node.module for name in names if node.module in known)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        waiting += (child for field in STATEMENTS for child in getattr(node, field, ()))


def package(module: str) -> str:
    """Return the package that a module belongs to.

    >>> package("karat.protocols.hipe.drop_in.rankings"), package("karat.formats.tools.base"), package("karat.model")
    ('protocols.hipe.drop_in', 'formats', 'model')
    """
    _, *parts = module.split(".")
    if parts[:1] == ["protocols"] and len(parts) > 1 and (SOURCE / "protocols" / parts[1]).is_dir():
        return f"protocols.{parts[1]}" + (".drop_in" if "drop_in" in parts[2:] else "")
    return parts[0] if parts else "karat"


def plan(found: Iterable[Module]) -> dict[str, set[str]]:
    """Return the graph of packages; ``karat`` itself only hands names on."""
    graph: dict[str, set[str]] = {}
    for module in found:
        imported = {package(name) for name in module.imports}
        graph.setdefault(package(module.name), set()).update(imported - {package(module.name), "karat"})
    graph.pop("karat", None)
    return graph


def cycle(graph: Plan) -> list[str]:
    """Return the packages of a cycle, none if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def faults(found: Iterable[Module]) -> list[str]:
    """Return in words every import that is not allowed."""
    return sorted(
        {fault for module in found for other in module.imports if (fault := _fault(package(module.name), other))}
    )


def _fault(importer: str, module: str) -> str:
    imported = package(module)
    evaluation = importer.startswith("protocols") and not importer.endswith(".drop_in")
    if importer in BEFORE_PROTOCOLS and imported.startswith("protocols"):
        return f"{importer} imports {module}: what comes before the protocols knows none of them"
    if evaluation and imported == "formats":
        return f"{importer} imports {module}: formats and protocols never meet"
    if evaluation and (imported in AFTER_PROTOCOLS or _scores(module)):
        return f"{importer} imports {module}: only a drop-in does"
    if imported.endswith(".drop_in") and importer not in (imported, "cli"):
        return f"{importer} imports {module}: a drop-in is its own evaluation's business"
    return ""


def _scores(module: str) -> bool:
    """Say whether a module is one of ``evaluation`` from which no protocol is built."""
    _, root, *rest = [*module.split("."), ""]
    return root == "evaluation" and rest[0] not in FOR_PROTOCOLS


WRITERS = {
    "karat.cli.results": "makes a folder for a page that is opened and was not asked to be kept",
    "karat.io.outputs": "this is its trade",
    "karat.io.terminal": "opens the terminal, not a file",
    "karat.vocabularies.ontology.store": "fills a folder in the making",
    "karat.vocabularies.ontology.closure": "fills a folder in the making",
    "karat.vocabularies.ontology.builder": "fills a folder in the making",
    "karat.cli": "lets go of output that nobody reads",
    "karat.cli.options": "what it writes is the help",
    "karat.cli.explain": "a ledger waits in a file without a name until it is whole",
    "karat.protocols.hipe.drop_in.baseline": "the model of the baseline lives in a temporary folder",
    "karat.protocols.coldstart.drop_in.run": "makes the folder of its steps, which write by the outputs",
    "karat.testing.formats": "puts samples into a temporary folder",
}
"""The modules that touch what is on the disk, and why; nobody else does."""

_CHANGES = {
    *(".write_text", ".write_bytes", ".tofile", ".mkdir", ".makedirs", ".unlink", ".rmdir", ".rmtree", ".rename"),
    *(".symlink_to", ".hardlink_to", ".touch", ".chmod", ".mkdtemp", ".mkstemp", ".memmap", ".copyfile", ".copytree"),
    *(".TemporaryDirectory", ".NamedTemporaryFile", ".SpooledTemporaryFile", ".TemporaryFile"),
}
_PEN = re.compile("|".join([*(name.removeprefix(".") for name in sorted(_CHANGES)), "open"]))


def changes(text: str) -> list[str]:
    """Return the calls of a module by which something on the disk is made, changed or removed.

    >>> changes("Path(name).open('w'); Path(name).open('rb'); open(name)"), changes("file.write_text(text)")
    (['.open'], ['.write_text'])
    """
    if not _PEN.search(text):  # most modules have not even the words: no need to parse them
        return []
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [
        name for call in calls if (name := _called(call)) in _CHANGES or (name in ("open", ".open") and _writes(call))
    ]


def _called(call: ast.Call) -> str:
    function = call.func
    return f".{function.attr}" if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _writes(call: ast.Call) -> bool:
    """Say whether a file is opened for writing: a mode is a short text of letters, or flags of the system."""
    words = [*call.args, *(keyword.value for keyword in call.keywords)]
    modes = [word.value for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str)]
    flags = " ".join(ast.dump(word) for word in words)
    by_mode = any(len(mode) <= 3 and set(mode) & set("wax+") for mode in modes)
    return by_mode or "O_WRONLY" in flags or "O_RDWR" in flags


def modules_that_write(source: Path = SOURCE) -> dict[str, list[str]]:
    """Return the modules that change something on the disk, with the calls by which they do."""
    found = {_name(path, source): changes(path.read_text("utf-8")) for path in sorted(source.rglob("*.py"))}
    return {name: calls for name, calls in found.items() if calls}
