"""Formats and protocols of others, found through entry points: each loaded by itself, and none in another's place."""

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
    """What an entry point offers under one name: a kind of thing, the package that brings it, and the module."""

    kind: str
    name: str
    package: str
    version: str
    module: str

    @property
    def requirement(self) -> str:
        """The package and its version, as a signature has them and an installer takes them."""
        return f"{self.package}=={self.version}" if self.version else self.package

    def __str__(self) -> str:
        """Name it in a sentence.

        >>> str(PlugIn("format", "spans", "tsvspans", "0.3", "tsvspans.format"))
        "the format 'spans' of tsvspans 0.3"
        """
        return f"the {self.kind} {self.name!r} of {self.package} {self.version}".rstrip()


_in_use: dict[tuple[str, str], PlugIn] = {}
"""The plug-ins that this process was asked for, by kind and name: one of them may be to blame for a failure."""
_KEPT = "_karat_places"
"""The attribute of an error with the places that a worker has kept in it."""


class Fault(NamedTuple):
    """Why something that is offered is not there, and under which name somebody may ask for it, if under any."""

    name: str
    sentence: str
    cause: BaseException | None = None


class Shelf(Generic[T]):
    """What other packages offer of one kind, by name; and what of it is not there, with the reason."""

    def __init__(self) -> None:
        self.known: dict[str, T] = {}
        self.plug_ins: dict[str, PlugIn] = {}
        self.faults: list[Fault] = []

    def named(self, name: str) -> T | None:
        """Return what is offered by that name, if anything is; what is offered and cannot be had is an error."""
        if name in self.known:
            plug_in = self.plug_ins[name]
            _in_use[plug_in.kind, name] = plug_in
            return self.known[name]
        for fault in self.faults:
            if name == fault.name:
                raise PluginError(fault.sentence) from fault.cause
        return None

    def warn(self) -> None:
        """Say what is not there, where somebody looks through everything."""
        for fault in self.faults:
            warnings.warn(fault.sentence, PluginWarning, stacklevel=2)

    def brings(self, name: str, declared: T | None = None) -> str:
        """Return the package behind a name, with its version, if it is a plug-in, and this one if one is given."""
        is_it = name in self.known and (declared is None or self.known[name] is declared)
        return self.plug_ins[name].requirement if is_it else ""


def shelf_of(
    group: str, kind: type[T], own: Container[str], dress: Callable[[T, PlugIn], T] = lambda declared, _: declared
) -> Shelf[T]:
    """Load what the installed packages offer in an entry-point group: a declaration of the kind, or a tuple of them.

    A name that is one of our ``own``, or that two packages offer, is nobody's else. ``dress`` makes a declaration ready
    for use.
    """
    from importlib.metadata import entry_points

    shelf: Shelf[T] = Shelf()
    originals: dict[str, T] = {}
    noun = kind.__name__.lower()
    for point in sorted(entry_points(group=group), key=_place):
        offered = _plug_in(point, noun)
        try:
            loaded = point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever is wrong there, others must not suffer
            reason = f"cannot be loaded ({type(error).__name__}: {error})"
            sentence = f"{offered} {reason}; mend or remove {offered.package}"
            shelf.faults.append(Fault(point.name, sentence, error))
            continue
        for declared in loaded if isinstance(loaded, tuple) else (loaded,):
            name = getattr(declared, "name", point.name)
            plug_in = offered._replace(name=name)
            if not isinstance(declared, kind):
                reason = (
                    f"is a {type(declared).__name__} ({point.value}); expected a {kind.__name__}, or a tuple of them"
                )
                shelf.faults.append(Fault(point.name, f"{offered} {reason}"))
            elif name in own:
                sentence = f"{plug_in} is left out: Karat has a {noun} of that name; use another name"
                shelf.faults.append(Fault("", sentence))
            elif name in originals and originals[name] is not declared:
                first = shelf.plug_ins[name]
                sentence = f"{first} is offered by {plug_in.package} {plug_in.version} as well; remove one of them"
                shelf.faults.append(Fault(name, sentence))
                shelf.known.pop(name, None)
            else:
                originals[name], shelf.plug_ins[name] = declared, plug_in
                shelf.known[name] = dress(declared, plug_in)
    return shelf


def _place(point: EntryPoint) -> tuple[str, str]:
    return (point.dist.name if point.dist else "", point.name)


def _plug_in(point: EntryPoint, kind: str) -> PlugIn:
    package, version = (point.dist.name, point.dist.version) if point.dist else (point.module.partition(".")[0], "")
    return PlugIn(kind, point.name, package, version, point.module)


def blamed(error: BaseException) -> str:
    """Return in which plug-in something has failed, and how, or which ones were in use; nothing if none was."""
    what = f"{type(error).__name__}: {error}"
    for file, line in reversed(list(_places(error))):
        for plug_in in _in_use.values():
            if _is_of(plug_in, file):
                return f"{plug_in} has failed in {file.name}, line {line} ({what})"
    used = " and ".join(map(str, _in_use.values()))
    return used and f"something has failed that {used} took part in ({what})"


def keep_places(error: BaseException) -> None:
    """Keep in an error where it came from: it goes to another process, and its traceback does not go with it."""
    error.__dict__[_KEPT] = list(_places(error))


def _places(error: BaseException) -> Iterator[tuple[Path, int]]:
    trace = error.__traceback__
    while trace is not None:
        yield Path(trace.tb_frame.f_code.co_filename), trace.tb_lineno
        trace = trace.tb_next
    yield from error.__dict__.get(_KEPT, ())


def _is_of(plug_in: PlugIn, file: Path) -> bool:
    """Say whether a file is of the package of a plug-in, or its module."""
    root = sys.modules.get(plug_in.module.partition(".")[0])
    folders: Iterable[str] = getattr(root, "__path__", ()) if getattr(root, "__file__", None) else ()
    own: Any = getattr(sys.modules.get(plug_in.module), "__file__", None)
    return file == Path(own or "") or any(Path(folder) in file.parents for folder in folders)
