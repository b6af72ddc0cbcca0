"""Reading files: decompressing and decoding them, bounding their size, and recording which were read."""

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from itertools import chain
from typing import IO, TYPE_CHECKING, cast

from karat.errors import InputError
from karat.io.addresses import is_address, open_address
from karat.io.archives import size_of, unpacked_by_name
from karat.io.held import Held
from karat.io.progress import take
from karat.io.source import SourceFile

if TYPE_CHECKING:
    from pathlib import Path

STDIN = "-"
MAX_LINE = 16 * 1024 * 1024
"""Characters in a line; beyond it a file is refused instead of filling the memory."""

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""What a text in UTF-16 begins with."""
IS_UTF16 = "the text is UTF-16; convert it to UTF-8 first, as with  iconv -f UTF-16 -t UTF-8"

_BLOCK = 1 << 20


def open_bytes(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file for reading; ``.gz``, ``.bz2`` and ``.xz`` are decompressed, ``-`` is standard input."""
    file = open_packed(path)
    return file if str(path) == STDIN or isinstance(path, Held) else unpacked_by_name(file, path)


def open_packed(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file for reading without decompressing it."""
    if str(path) == STDIN:
        return _standard_input()
    if isinstance(path, Held):
        return io.BytesIO(path.content)
    if is_address(path):
        return open_address(str(path))
    try:
        remember_input(path)
        return path.take() if isinstance(path, SourceFile) else open(path, "rb")  # noqa: PTH123 - pathlib takes longer, and folders have many files
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        raise InputError(f"cannot be read: {reason_of(error)}", path=path) from error


def read_bytes(stream: IO[bytes], size: int, path: str | os.PathLike[str]) -> bytes:
    """Return the next bytes of an open file; ``path`` names it in the error for a damaged archive."""
    try:
        data = stream.read(min(size, (size_of(stream) or size) + 1))  # to make room that is not used takes time
    except _damage() as error:
        raise InputError(f"cannot be read: {reason_of(error)}", path=path) from error
    take(path, len(data))
    return data


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """Return all bytes of a file; a file of more than ``most`` bytes is refused."""
    with open_bytes(path) as stream:
        data = read_bytes(stream, most + 1, path)
    if len(data) > most:
        raise InputError(f"has more than {most:,} bytes; split it", path=path)
    return data


def whole_lines(blocks: Iterable[bytes], path: str, most: int = MAX_LINE) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of a file in blocks of whole lines, each with the number of its first line.

    Only the last block may lack its line end. A line of more than ``most`` bytes is refused.
    """
    line = 1
    for whole in _whole_blocks(blocks, path, most, lambda: line):  # noqa: B023 - the line that it is at then
        yield line, whole
        line += whole.count(b"\n")


def _whole_blocks(blocks: Iterable[bytes], path: str, most: int, line: Callable[[], int | None]) -> Iterator[bytes]:
    rest = b""
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if end:
            whole, rest = rest + block[:end], block[end:]
            yield whole
            continue
        rest += block
        if len(rest) > most:
            raise InputError(f"the line is longer than {most:,} bytes", path=path, line=line())
    if rest:
        yield rest


def decoded(data: bytes, path: str | os.PathLike[str], line: int = 1) -> str:
    """Return bytes as text; if they are not UTF-8, the error names the line, counted from ``line``."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(_no_utf8(error), path=path, line=line + data.count(b"\n", 0, error.start)) from error


def _damage() -> tuple[type[Exception], ...]:
    """Return the exception classes that reading a damaged archive raises."""
    import lzma
    import zlib

    return EOFError, OSError, lzma.LZMAError, zlib.error


def _standard_input() -> IO[bytes]:
    stream = None if sys.stdin is None else sys.stdin.buffer
    if stream is None or stream.closed:
        raise InputError("standard input can be read only once, and must be open; name a file instead", path=STDIN)
    with suppress(OSError):  # what is no file of the system has no number
        _remember(os.fstat(stream.fileno()))
    return stream


_inputs: ContextVar[set[tuple[int, int]] | None] = ContextVar("inputs", default=None)
"""The files that were read, by device and inode."""


@contextmanager
def remembering_inputs() -> Iterator[None]:
    """Within this context, record every file that is read, so that no output overwrites an input."""
    token = _inputs.set(set())
    try:
        yield
    finally:
        _inputs.reset(token)


def remember_input(path: str | os.PathLike[str]) -> None:
    """Record a file that is about to be read, so that outputs can be checked before work begins."""
    with suppress(OSError, ValueError):  # which opening it will meet again
        _remember(os.stat(path))  # noqa: PTH116 - pathlib takes longer, and folders have very many files


def _remember(status: os.stat_result) -> None:
    inputs = _inputs.get()
    if inputs is not None and stat.S_ISREG(status.st_mode):
        inputs.add((status.st_dev, status.st_ino))


def is_input(path: Path) -> bool:
    """Tell whether a file has been read, under this path or any other path to the same file."""
    inputs = _inputs.get()
    if not inputs:
        return False
    try:
        status = path.stat()
    except OSError:
        return False
    return (status.st_dev, status.st_ino) in inputs


def plain_path(*parts: str | os.PathLike[str]) -> str:
    """Return the joined path in pathlib's spelling without importing pathlib, which would slow down small commands.

    >>> plain_path("./gold/", "scenario1", "output.txt")
    'gold/scenario1/output.txt'
    """
    path = os.path.join(*parts)  # noqa: PTH118 - as it says
    if ".." in path:
        from pathlib import Path

        return str(Path(path))
    return os.path.normpath(path)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Tell whether the path is a folder; False for standard input, an empty path and paths that cannot be accessed."""
    return str(path) not in ("", STDIN) and not isinstance(path, Held) and os.path.isdir(path)  # noqa: PTH112 - as above


def is_file(path: str | os.PathLike[str]) -> bool:
    """Tell whether the path is a regular file, which can be read repeatedly; False for pipes and standard input."""
    return str(path) != STDIN and not isinstance(path, Held) and os.path.isfile(path)  # noqa: PTH113 - as above


BadBytes = Callable[[str, int], None]
"""Is told the path and the line of bytes that are not UTF-8."""

_bad_bytes: ContextVar[BadBytes | None] = ContextVar("bad_bytes", default=None)


@contextmanager
def tolerating_bad_bytes(report: BadBytes) -> Iterator[None]:
    """Within this context, bytes that are not UTF-8 are reported and read as U+FFFD instead of raising."""
    token = _bad_bytes.set(report)
    try:
        yield
    finally:
        _bad_bytes.reset(token)


def text_blocks(path: str | os.PathLike[str]) -> Iterator[str]:
    r"""Yield the text of a file in large blocks of whole lines; every line end becomes ``\n``.

    The text must be UTF-8: an invalid byte, a damaged archive or a line beyond :data:`MAX_LINE` is an
    :class:`~karat.errors.InputError` with its line number. Only the last block may lack its line end.
    """
    report = _bad_bytes.get()
    line = 1
    rest = ""
    with open_bytes(path) as stream:
        strict = codecs.getincrementaldecoder("utf-8")("strict" if report is None else "replace")
        decoder = io.IncrementalNewlineDecoder(strict, translate=True)
        while True:
            try:
                raw = stream.read(_BLOCK)
            except _damage() as error:
                raise InputError(f"cannot be read: {reason_of(error)}", path=path, line=line) from error
            take(path, len(raw))
            try:
                text = decoder.decode(raw, final=not raw)
            except UnicodeDecodeError as error:
                line += rest.count("\n") + error.object[: error.start].count(b"\n")
                raise InputError(_no_utf8(error), path=path, line=line) from error
            end = text.rfind("\n") + 1
            if not raw:
                if rest or text:
                    _report_bad_lines(path, rest + text, line, report)
                    yield rest + text
                return
            if not end:
                rest += text
                if len(rest) > MAX_LINE:
                    raise InputError(f"the line is longer than {MAX_LINE:,} characters", path=path, line=line)
                continue
            block = rest + text[:end]
            _report_bad_lines(path, block, line, report)
            yield block
            line += block.count("\n")
            rest = text[end:]


def byte_blocks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """Yield the bytes of a file unchanged, in large blocks of whole lines; the last may lack its line end.

    Unlike :func:`text_blocks` it does not count lines, which would take most of the time.
    """
    with open_bytes(path) as stream:
        raw = iter(partial(read_bytes, stream, _BLOCK, path), b"")
        yield from _whole_blocks(raw, str(path), 4 * MAX_LINE, lambda: None)  # of a character up to four bytes


def _no_utf8(error: UnicodeDecodeError) -> str:
    """Return the message for bytes that are not UTF-8: what was found, and how to convert the file."""
    if error.object.startswith(UTF16):
        return IS_UTF16
    return f"byte 0x{error.object[error.start]:02x} is not UTF-8; convert the file to UTF-8 first"


def _report_bad_lines(path: str | os.PathLike[str], block: str, first: int, report: BadBytes | None) -> None:
    if report is not None and "\ufffd" in block:
        for line_number, text in enumerate(block.split("\n"), first):
            if "\ufffd" in text:
                report(str(path), line_number)


def lines(path: str | os.PathLike[str]) -> Iterator[str]:
    r"""Yield the lines of a text file without their line ends; a byte-order mark is kept."""
    return chain.from_iterable(block.removesuffix("\n").split("\n") for block in text_blocks(path))


def read_text(path: str | os.PathLike[str]) -> str:
    r"""Return the whole text of a file, decoded as by :func:`text_blocks`."""
    return "".join(text_blocks(path))


def peek_bytes(path: str | os.PathLike[str], size: int = 65_536) -> bytes:
    """Return the first bytes of a file, decompressed according to its name; standard input is not consumed."""
    if str(path) == STDIN:
        return cast("io.BufferedReader", _standard_input()).peek(size)[:size]
    if isinstance(path, SourceFile):
        return _head_of(path, size)
    with open_bytes(path) as stream:
        return read_bytes(stream, size, path)


def _head_of(source: SourceFile, size: int) -> bytes:
    """Return the first bytes of a file, and leave its handle open for the reader that follows."""
    if source.head is None or len(source.head) < size:
        try:
            remember_input(source)
            with unpacked_by_name(source.look(), source) as stream:
                head = read_bytes(stream, size, source)
        except OSError as error:
            raise InputError(f"cannot be read: {reason_of(error)}", path=source) from error
        source.head = head
    return source.head[:size]


def opened_once(path: str | os.PathLike[str]) -> str:
    """Return a path that recognition, digest and parser open only once if it is a regular file."""
    plain = os.fspath(path)
    return SourceFile(plain) if type(plain) is str and is_file(plain) else plain


def peek(path: str | os.PathLike[str], size: int = 65_536) -> str:
    """Return the beginning of a file as text, in whatever encoding; standard input is not consumed."""
    return peek_bytes(path, size).decode("utf-8", errors="replace").replace("\r\n", "\n")


def digest(path: str | os.PathLike[str]) -> str:
    """Return the first twelve hexadecimal digits of the SHA-256 of a file, or of a folder's files in order of name."""
    if isinstance(path, SourceFile) and path.digest:
        return path.digest
    import hashlib

    total = hashlib.sha256()
    for file, name in _files_in(os.fspath(path)) if is_folder(path) else [(os.fspath(path), "")]:
        total.update(name.encode() + b"\0" if name else b"")
        with open_packed(file) as stream:
            while block := read_bytes(stream, _BLOCK, file):
                total.update(block)
    return total.hexdigest()[:12]


def _files_in(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the files below a folder in order of name, each with its path relative to the folder."""
    opened = [("", iter(sorted(_marked(folder))))]
    while opened:
        below, entries = opened[-1]
        entry = next(entries, None)
        if entry is None:
            opened.pop()
            continue
        name, _, kind = entry.partition("\0")
        path = os.path.join(folder, below + name)  # noqa: PTH118 - a folder may have very many
        if kind == "folder":
            opened.append((f"{below}{name}/", iter(sorted(_marked(path)))))
        else:
            yield path, below + name


def _marked(folder: str) -> Iterator[str]:
    """Yield the names in a folder, folders with a marker that no file name contains."""
    for entry in entries_of(folder):
        if entry.is_dir(follow_symlinks=False):
            yield f"{entry.name}\0folder"
        elif entry.is_file():
            yield f"{entry.name}\0file"


def entries_below(folder: str, *, hidden: bool = True) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield all entries below a folder with their relative paths, in any order; links are not followed."""
    folders = [""]
    while folders:
        start = folders.pop()
        for entry in entries_of(os.path.join(folder, start)):  # noqa: PTH118 - as above
            if hidden or not entry.name.startswith("."):
                yield start, entry
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{start}{entry.name}/")


def entries_of(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of a folder one at a time, as there may be very many; an unreadable folder is an error."""
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError as error:
        raise InputError(f"cannot be read: {reason_of(error)}", path=folder) from error


def name_of(path: str | os.PathLike[str]) -> str:
    """Return the last component of a path, as ``pathlib.Path.name`` does.

    >>> name_of("runs/gold.tsv"), name_of("runs/gold/")
    ('gold.tsv', 'gold')
    """
    name = os.path.basename(path)  # noqa: PTH119 - small commands do without pathlib
    if name not in ("", ".", ".."):
        return name
    from pathlib import Path

    return Path(path).name


def real_path(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path with links resolved as far as possible; a loop of links is not an error."""
    from pathlib import Path

    return Path(os.path.realpath(path))


def reason_of(error: BaseException) -> str:
    """Return an operating-system or archive error in plain words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if isinstance(error, UnicodeEncodeError):
        return f"UTF-8 has no bytes for {error.object[error.start]!a}"
    return str(error) or type(error).__name__
