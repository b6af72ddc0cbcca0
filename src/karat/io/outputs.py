"""Writing results: completely or not at all, within their folder, and never over an input.

Files are prepared in hidden folders and then moved into place. A process locks each of its hidden folders; the system
releases the lock however the process ends, so the next run can remove unlocked leftovers of killed runs. Where folders
cannot be locked, no leftovers are removed.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from karat.errors import InputError
from karat.io import is_input, real_path, reason_of
from karat.io.names import clash, name_fault

Content = str | bytes | Path
"""What a file will hold: text, bytes, or what another file holds."""
_FEW = 64
"""Files that the disk is asked for one by one; for more, all that waits for the disk is written at once."""


def write_whole(contents: Mapping[Any, Content], *, folders: bool = False) -> None:
    """Write several files, by path: either all of them completely, or none.

    Text is written as UTF-8 without translating line ends. ``folders`` creates missing folders.
    A file that has been read is not replaced unless that is allowed (see :func:`refuse_input`).
    """
    name: Any = ""
    targets = {real_path(path) for path in contents}
    try:
        with ExitStack() as stack:
            stage = _Stage(stack)
            for name, content in contents.items():
                target = real_path(name)
                if not targets.isdisjoint(target.parents):  # another file would stand where a folder has to be
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
                refuse_input(target, name)
                stage.add(target, content, folders=folders)
            stage.publish()
    except (OSError, UnicodeEncodeError) as error:
        raise InputError(f"cannot be written: {reason_of(error)}", path=name) from error


def write_folder(folder: str | os.PathLike[str], contents: Mapping[str, Content], *, make: bool = True) -> None:
    """Write files into a folder, which is created if ``make`` is set, even if there are no files."""
    if make and not contents:
        _make_empty(folder)
    write_whole(in_folder(folder, contents), folders=make)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Provide a temporary folder that is removed afterwards, and remove leftovers of killed runs."""
    import tempfile

    beside = Path(tempfile.gettempdir(), "karat")
    remove_leftovers(beside)
    with temporary_folder(beside) as folder:
        yield folder


@contextmanager
def writing(file: Path) -> Iterator[TextIO]:
    """Open a temporary file for UTF-8 text without translating line ends; missing folders are created."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8", newline="") as stream:
            yield stream
    except (OSError, UnicodeEncodeError) as error:
        raise InputError(f"cannot be written: {reason_of(error)}", path=file) from error


def in_folder(folder: str | os.PathLike[str], contents: Mapping[str, Content]) -> dict[Any, Any]:
    """Return the files with their full paths; names that would be written outside of the folder are refused.

    Refused are names that lead out of the folder, that are invalid on some system, or that pass through a link.
    """
    for name in contents:
        fault = name_fault(name)
        if fault is not None:
            raise InputError(f"cannot hold a file called {name!a}: the name {fault}", path=folder)
    if same := clash(contents):
        message = f"cannot hold both {same[0]!a} and {same[1]!a}: some systems do not tell them apart"
        raise InputError(message, path=folder)
    root = real_path(folder)
    for name in contents:
        if real_path(root / name) != root / name:
            message = "is a link, or lies behind one; no link inside of an output folder is followed: remove it first"
            raise InputError(message, path=Path(folder, name))
    return {Path(folder, name): content for name, content in contents.items()}


def _make_empty(folder: str | os.PathLike[str]) -> None:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {reason_of(error)}", path=folder) from error


def take_back(*paths: str) -> None:
    """Remove unfinished output files."""
    for path in paths:
        Path(path).unlink(missing_ok=True)


def refuse_input(target: Path, name: object) -> None:
    """Raise an error if writing the target would replace a file that has been read."""
    if is_input(target):
        advice = "choose another name, or allow it by  --overwrite"
        raise InputError(f"the output would replace this input; {advice}", path=name)


class _Stage:
    """Complete files that are not yet in place, with the folders that are still missing on their paths."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._folders: dict[Path, Path] = {}
        """The hidden folder in each folder that outputs go to."""
        self._ready: dict[Path, Path] = {}
        """By its final place, what is to be moved there: a file, or the highest folder that is missing."""
        self._written: list[Path] = []

    def add(self, target: Path, content: Content, *, folders: bool) -> None:
        """Write a file next to its target; pipes and devices are written to directly."""
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.exists() and not target.is_file():
            _fill(target, content)
            return
        top = target
        while folders and not top.parent.exists():
            top = top.parent
        if top not in self._ready:
            self._ready[top] = self._hidden(top.parent) / str(len(self._ready))
        staged = self._ready[top] / target.relative_to(top)
        staged.parent.mkdir(parents=True, exist_ok=True)
        _fill(staged, content)
        self._written.append(staged)
        if target.is_file():
            staged.chmod(target.stat().st_mode & 0o777)

    def _hidden(self, folder: Path) -> Path:
        if folder not in self._folders:
            beside = folder / "karat"
            remove_leftovers(beside)
            self._folders[folder] = self._stack.enter_context(temporary_folder(beside))
        return self._folders[folder]

    def publish(self) -> None:
        """Move all files into place once they are on the disk; undone as a whole if it fails."""
        _sync_all(self._written)  # not while they are written: together they take a tenth of the time
        undo: list[tuple[Path, Path]] = []
        with held_interrupts() as interrupted:
            try:
                for target, staged in self._ready.items():
                    backup = _kept(target, staged)
                    staged.replace(target)
                    undo.append((target, staged) if backup is None else (backup, target))
                    interrupted()
            except BaseException:
                for source, target in reversed(undo):
                    source.replace(target)
                raise


def _fill(file: Path, content: Content) -> None:
    if isinstance(content, Path):
        from shutil import copyfileobj

        with content.open("rb") as source, file.open("wb") as stream:
            copyfileobj(source, stream)
    else:
        file.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def _kept(target: Path, staged: Path) -> Path | None:
    """Return a second link to the file that will be replaced, or None if there is no such file."""
    if not target.exists():
        return None
    backup = staged.with_name(f"{staged.name}.old")
    try:
        backup.hardlink_to(target)
    except OSError:  # not every file system has links
        from shutil import copy2

        copy2(target, backup)
    return backup


def _sync_all(files: list[Path]) -> None:
    if len(files) > _FEW and hasattr(os, "sync"):
        os.sync()
        return
    for file in files:
        sync(file)


def sync(file: Path) -> None:
    """Wait until a file is on the disk, so that a full disk raises an error here."""
    with file.open("r+b") as stream:
        os.fsync(stream.fileno())


@contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """Within this context, delay Ctrl-C.

    Yields a function: calling it lets a Ctrl-C that is pending take effect.
    """
    came: list[int] = []

    def interrupted() -> None:
        if came:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        yield interrupted
        return
    previous_handler = signal.signal(signal.SIGINT, lambda signal_number, _: came.append(signal_number))
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, previous_handler)


PART = ".karat-part"
"""How the name of a folder ends in which something is made."""


@contextmanager
def temporary_folder(target: Path, suffix: str = PART) -> Iterator[Path]:
    """Create a hidden folder next to the target, and remove it at the end if it still exists."""
    made = target.with_name(f"{_prefix(target)}{os.urandom(8).hex()}{suffix}")
    lock = None
    try:  # from before it is made, so that an interrupt leaves nothing
        while True:
            made.mkdir(mode=0o700)
            lock = _locked(made, wait=True)
            if made.is_dir():
                break
            _let_go(lock)  # another run took it for a leftover before it was locked
        yield made
    finally:
        _remove(made)
        _let_go(lock)


def remove_leftovers(target: Path, suffix: str = PART) -> None:
    """Remove hidden folders next to the target that no process has locked."""
    shape = re.compile(re.escape(_prefix(target)) + r"[0-9a-f]{16}" + re.escape(suffix))
    for name in filter(shape.fullmatch, os.listdir(target.parent)):  # noqa: PTH208 - others, of which there may be very many, cost nothing
        folder = target.parent / name
        if folder.is_dir() and not folder.is_symlink():
            lock = _locked(folder, wait=False)
            if lock is not None:
                _remove(folder)
            _let_go(lock)


def _remove(folder: Path) -> None:
    """Remove a folder and its content as far as possible; usually it is already gone."""
    try:
        folder.rmdir()
    except OSError:
        from shutil import rmtree

        rmtree(folder, ignore_errors=True)


def _prefix(target: Path) -> str:
    """Return the prefix of the hidden folders' names, cut so that names stay within 255 bytes of UTF-8."""
    return f".{target.name[:32]}."


def _locked(folder: Path, *, wait: bool) -> int | None:
    """Lock a folder and return the open descriptor, or None if it cannot be locked or another process has locked it."""
    try:
        fcntl = import_module("fcntl")
    except ImportError:  # not everywhere
        return None
    handle = None
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        _let_go(handle)
        return None
    return handle


def _let_go(lock: int | None) -> None:
    if lock is not None:
        with suppress(OSError):
            os.close(lock)
