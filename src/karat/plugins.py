"""Formats and protocols of other packages, found through entry points.

Each is loaded separately, so that one broken plug-in does not affect others, and none can replace a built-in one.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from karat.errors import PluginError, PluginWarning

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class PlugIn(NamedTuple):
    """A format or protocol of another package: its kind and name, the package with its version, and the module."""

    kind: str
    name: str
    package: str
    version: str
    module: str

    @property
    def requirement(self) -> str:
        """The package and its version as signatures and installers write them, such as ``tsvspans==0.3``."""
        return f"{self.package}=={self.version}" if self.version else self.package

    def __str__(self) -> str:
        """Return a phrase that names the plug-in in a message.

        >>> str(PlugIn("format", "spans", "tsvspans", "0.3", "tsvspans.format"))
        "the format 'spans' of tsvspans 0.3"
        """
        return f"the {self.kind} {self.name!r} of {self.package} {self.version}".rstrip()


_in_use: dict[tuple[str, str], PlugIn] = {}
"""The plug-ins that this process was asked for, by kind and name: one of them may be to blame for a failure."""
_KEPT = "_karat_locations"
"""The attribute of an error with the source locations that a worker has stored in it."""


class Fault(NamedTuple):
    """Why a plug-in cannot be used.

    ``name`` is the name under which it could be requested, ``""`` if a built-in format or protocol has that name.
    """

    name: str
    sentence: str
    cause: BaseException | None = None


class PlugInRegistry(Generic[T]):
    """The plug-ins of one kind by name, and the faults of those that could not be loaded."""

    def __init__(self) -> None:
        self.known: dict[str, T] = {}
        self.plug_ins: dict[str, PlugIn] = {}
        self.faults: list[Fault] = []

    def named(self, name: str) -> T | None:
        """Return the plug-in of that name, or None; raises ``PluginError`` if it exists but could not be loaded."""
        if name in self.known:
            plug_in = self.plug_ins[name]
            _in_use[plug_in.kind, name] = plug_in
            return self.known[name]
        for fault in self.faults:
            if name == fault.name:
                raise PluginError(fault.sentence) from fault.cause
        return None

    def warn(self) -> None:
        """Warn of every plug-in that could not be loaded; called where all plug-ins are listed."""
        for fault in self.faults:
            warnings.warn(fault.sentence, PluginWarning, stacklevel=2)

    def requirement_of(self, name: str, declared: T | None = None) -> str:
        """Return the package and version of the plug-in of that name, ``""`` if it is not a plug-in.

        If ``declared`` is given, it must be the very declaration that the plug-in provides.
        """
        is_provided = name in self.known and (declared is None or self.known[name] is declared)
        return self.plug_ins[name].requirement if is_provided else ""


def load_plug_ins(
    group: str, kind: type[T], builtin: Container[str], prepare: Callable[[T, PlugIn], T] = lambda declared, _: declared
) -> PlugInRegistry[T]:
    """Load all plug-ins of an entry-point group.

    Args:
        group: the entry-point group.
        kind: the class of the declarations; an entry point has one of them or a tuple of several.
        builtin: the names of built-in declarations, which no plug-in can use; nor can two packages share one.
        prepare: prepares a loaded declaration for use.

    """
    from importlib.metadata import entry_points

    registry: PlugInRegistry[T] = PlugInRegistry()
    originals: dict[str, T] = {}
    noun = kind.__name__.lower()
    for point in sorted(entry_points(group=group), key=_sort_key):
        offered = _plug_in(point, noun)
        try:
            loaded = point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever is wrong there, others must not suffer
            reason = f"cannot be loaded ({type(error).__name__}: {error})"
            sentence = f"{offered} {reason}; update or remove {offered.package}"
            registry.faults.append(Fault(point.name, sentence, error))
            continue
        for declared in loaded if isinstance(loaded, tuple) else (loaded,):
            name = getattr(declared, "name", point.name)
            plug_in = offered._replace(name=name)
            if not isinstance(declared, kind):
                reason = (
                    f"is a {type(declared).__name__} ({point.value}); expected a {kind.__name__}, or a tuple of them"
                )
                registry.faults.append(Fault(point.name, f"{offered} {reason}"))
            elif name in builtin:
                sentence = f"{plug_in} is left out: Karat has a {noun} of that name; use another name"
                registry.faults.append(Fault("", sentence))
            elif name in originals and originals[name] is not declared:
                first = registry.plug_ins[name]
                sentence = f"{first} is offered by {plug_in.package} {plug_in.version} as well; remove one of them"
                registry.faults.append(Fault(name, sentence))
                registry.known.pop(name, None)
            else:
                originals[name], registry.plug_ins[name] = declared, plug_in
                registry.known[name] = prepare(declared, plug_in)
    return registry


def _sort_key(point: EntryPoint) -> tuple[str, str]:
    return (point.dist.name if point.dist else "", point.name)


def _plug_in(point: EntryPoint, kind: str) -> PlugIn:
    package, version = (point.dist.name, point.dist.version) if point.dist else (point.module.partition(".")[0], "")
    return PlugIn(kind, point.name, package, version, point.module)


def plug_in_failure(error: BaseException) -> str:
    """Return a sentence on which plug-in failed and where, or which ones were in use; ``""`` if none was."""
    what = f"{type(error).__name__}: {error}"
    for file, line in reversed(list(_locations(error))):
        for plug_in in _in_use.values():
            if _is_of(plug_in, file):
                return f"{plug_in} has failed in {file.name}, line {line} ({what})"
    used = " and ".join(map(str, _in_use.values()))
    return used and f"something has failed that {used} took part in ({what})"


def keep_locations(error: BaseException) -> None:
    """Store the source locations of a traceback in the error: pickling it for another process loses the traceback."""
    error.__dict__[_KEPT] = list(_locations(error))


def _locations(error: BaseException) -> Iterator[tuple[Path, int]]:
    trace = error.__traceback__
    while trace is not None:
        yield Path(trace.tb_frame.f_code.co_filename), trace.tb_lineno
        trace = trace.tb_next
    yield from error.__dict__.get(_KEPT, ())


def _is_of(plug_in: PlugIn, file: Path) -> bool:
    """Tell whether a source file belongs to the package or module of a plug-in."""
    root = sys.modules.get(plug_in.module.partition(".")[0])
    folders: Iterable[str] = getattr(root, "__path__", ()) if getattr(root, "__file__", None) else ()
    own: Any = getattr(sys.modules.get(plug_in.module), "__file__", None)
    return file == Path(own or "") or any(Path(folder) in file.parents for folder in folders)
