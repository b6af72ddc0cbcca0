"""Text from the data on a terminal and in tables: nothing in it may move the cursor, break a line or a column.

What the terminal is that is written to, how wide, in colours or not, is a :class:`Screen`.
"""

from __future__ import annotations

import io
import os
import re
import sys
import unicodedata
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_TONES = {
    "strong": "1",
    "soft": "2",
    "gold": "33",
    "full": "32",
    "part": "35",
    "none": "31",
    "part-filled": "7;35",
    "none-filled": "7;31",
}
"""How words are set on a terminal that shows colours; its palette decides which colours these are."""
_STARTS = {tone: chr(0xFDD0 + offset) for offset, tone in enumerate(_TONES)}
_END = "\ufdef"
"""Begin and end a tone inside of a text: noncharacters, which Unicode keeps for such use and no data may bring in."""
_COMMANDS = {start: f"\x1b[{_TONES[tone]}m" for tone, start in _STARTS.items()} | {_END: "\x1b[0m"}
_MARK = f"([{''.join(_COMMANDS)}])"
_PLAIN = r"-|[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_MASK = {ord("\\"): "\\\\", ord("\t"): "\\t", ord("\n"): "\\n", ord("\r"): "\\r"}


def visible(text: str) -> str:
    r"""Return the text on one line, with control characters and changes of direction as escapes.

    >>> print(visible("Zürich\n\x1b[2J"))
    Zürich\n\x1b[2J
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(character) if _is_hidden(character) else character for character in text)


def masked(text: str) -> str:
    r"""Return the text as a cell of our tables: backslash, tab and line ends as escapes.

    So is the first character of what a spreadsheet would compute; a number, and a dash alone, it takes as they are.

    >>> print(masked("a\tb\\c"), masked("=1+1"), masked("-1"))
    a\tb\\c \x3d1+1 -1
    """
    return uncomputed(text.translate(_MASK))


def uncomputed(text: str) -> str:
    r"""Return the text on one line, so that no spreadsheet computes it: its first character is an escape if it might.

    >>> print(uncomputed("@sum"), uncomputed("a\\b"), uncomputed("-1"))
    \x40sum a\b -1
    """
    cell = visible(text)
    if not cell.startswith(("=", "+", "-", "@")) or re.fullmatch(_PLAIN, cell):
        return cell
    return f"\\x{ord(cell[0]):02x}{cell[1:]}"


_RAW = rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
"""What moves the cursor or turns text around, as bytes of UTF-8; tabs and line ends stay."""


_BEGINNING = "\r\x1b[K"
"""Goes to the beginning of the line, and empties it."""


class Guarded(io.BufferedWriter):
    """Writes to a terminal, whatever the data hold, nothing that the terminal would obey.

    Results let progress end; a remark takes the place of the line that is shown.
    """

    def __init__(self, raw: io.RawIOBase, *, holds_results: bool) -> None:
        super().__init__(raw)
        self._holds_results = holds_results

    def write(self, data: Any) -> int:
        """Write data, with control characters as escapes."""
        raw = bytes(data)
        self.obey(re.sub(_RAW, lambda match: _escape(match[0].decode()).encode(), raw))
        return len(raw)

    def obey(self, command: bytes) -> None:
        """Write what the terminal is meant to obey."""
        if self._holds_results:
            _status.end()
        with _status.lock:  # a line of progress that came in between would stand before a remark
            _status.clear()
            super().write(command)
            if not self._holds_results:
                self.flush()


class _Status:
    """The line of progress that stands on the terminal, if one does, and what to do when results begin."""

    def __init__(self) -> None:
        self.stands = False
        self.lock = RLock()
        self.when_results_begin: Callable[[], None] | None = None

    def show(self, line: str) -> None:
        """Put a line in the place of the one before; it goes past the buffers, which hold whole lines."""
        with self.lock:
            os.write(sys.stderr.fileno(), f"{_BEGINNING}{line}".encode())
            self.stands = bool(line)

    def clear(self) -> None:
        """Take the line away."""
        if self.stands:
            self.show("")

    def end(self) -> None:
        """Hear that results begin, the first time somebody wants to know."""
        hook, self.when_results_begin = self.when_results_begin, None
        if hook is not None:
            hook()


_status = _Status()


@contextmanager
def when_results_begin(hook: Callable[[], None]) -> Iterator[None]:
    """Within this context, call a function before the first result is written to a terminal."""
    _status.when_results_begin = hook
    try:
        yield
    finally:
        _status.when_results_begin = None


def guard_streams() -> None:
    """Let standard output and standard error be UTF-8, whatever the locale; where they are terminals, guard them.

    What whoever called has closed is for nobody.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - as long as we run
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
            if stream.isatty():
                raw = open(stream.fileno(), "wb", buffering=0, closefd=False)  # noqa: SIM115 - as long as we run
                guarded = Guarded(raw, holds_results=name == "stdout")
                text = io.TextIOWrapper(guarded, "utf-8", "backslashreplace", line_buffering=True)
                setattr(sys, name, text)


def tell(remark: str) -> None:
    """Show a remark on standard error, on one line whatever names from the data stand in it."""
    sys.stderr.write(f"{visible(remark)}\n")


def show_status(line: str) -> None:
    """Show a line on a terminal behind standard error, in the place of the one before; elsewhere nothing."""
    if sys.stderr.isatty() and (line or _status.stands):
        _status.show(clipped(visible(line), _columns_of_terminal() - 1))


def _columns_of_terminal() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def toned(tone: str, text: str) -> str:
    """Return a text that :func:`show` sets in a tone."""
    return f"{_STARTS[tone]}{text}{_END}"


def show(text: str) -> None:
    """Write a text to standard output; its tones are commands that a terminal obeys, and are left out elsewhere."""
    guarded = getattr(sys.stdout, "buffer", None)
    sys.stdout.flush()
    if not isinstance(guarded, Guarded):
        sys.stdout.write(re.sub(_MARK, "", text))
        return
    for part in re.split(_MARK, text):
        if part in _COMMANDS:
            guarded.obey(_COMMANDS[part].encode())
        else:
            guarded.write(part.encode("utf-8", "backslashreplace"))
    guarded.flush()


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or character in _TURNING or character in _COMMANDS


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


_JOINER = "\u200d"
_JOINING = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD800))))
"""Letters of Korean that stand below the one before."""


def width(text: str) -> int:
    r"""Return how many columns of a terminal the text takes.

    >>> width("Bern"), width("京都"), width("👩\u200d🔬")
    (4, 4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(map(columns_of, text, f" {text}"))


def columns_of(character: str, before: str = "") -> int:
    """Return how many columns a character takes: none if it joins the one before it."""
    if character == "\u00ad":
        return 1
    if before == _JOINER:
        return 0
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or character in _COMMANDS or character in _JOINING:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clipped(text: str, limit: int) -> str:
    """Return the text, or as much of it as fits into that many columns, with an ellipsis.

    >>> clipped("Württemberg", 6)
    'Württ…'
    """
    if width(text) <= limit:
        return text
    kept = ""
    for character in text:
        if width(kept) + columns_of(character) >= limit:
            break
        kept += character
    return kept + "…"


def wrapped(text: str, columns: int) -> list[str]:
    """Return a text in lines that fit, broken at blanks, or inside of a word that is longer than a line.

    >>> wrapped("one two 京都 three", 8)
    ['one two', '京都', 'three']
    """
    lines: list[str] = []
    for word in text.split():
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += f" {word}"
            continue
        lines.append("")
        for character in word:
            if width(lines[-1]) + columns_of(character) > columns:
                lines.append("")
            lines[-1] += character
    return lines


def widths(lines: Iterable[Sequence[str]]) -> list[int]:
    """Return the width of each column of a table."""
    return [max(map(width, column)) for column in zip(*lines, strict=True)]


def aligned(cells: Sequence[str], columns: Sequence[int], *, left: int) -> str:
    """Join the cells of a line, padded to the columns; behind the first ``left`` ones, text stands on the right.

    >>> aligned(["micro", "0.5", "12"], [6, 5, 4], left=1)
    'micro     0.5    12'
    """
    parts = []
    for index, (cell, room) in enumerate(zip(cells, columns, strict=True)):
        gap = " " * (room - width(cell))
        parts.append(cell + gap if index < left else gap + cell)
    return "  ".join(parts).rstrip()


NARROWEST, UNKNOWN = 80, 100
"""Columns that are drawn for at least, and where no terminal says how many it has."""
_ASCII = str.maketrans(
    {
        **dict.fromkeys("─━┄", "-"),
        **dict.fromkeys("├┤│┊", "|"),
        **dict.fromkeys("╞╡", "|"),
        "═": "=",
        "╌": "~",
        "·": ".",
        "▔": "^",
        "●": "o",
        "█": "#",
        "░": ".",
        "✓": "+",
        "◐": "~",
        "✕": "x",
        "→": ">",
        "…": "...",
    }
)


class Screen(NamedTuple):
    """What is drawn on; where nothing is known, there are no colours, and all characters.

    ``plain`` shows nothing but ASCII; a ``terminal`` breaks lines that are too long wherever they reach its end.
    """

    width: int = UNKNOWN
    coloured: bool = False
    plain: bool = False
    terminal: bool = False

    def tone(self, name: str, text: str) -> str:
        """Return a text in a tone, where that can be seen."""
        return toned(name, text) if self.coloured and name and text.strip() else text

    def drawn(self, picture: str) -> str:
        """Return what we draw, in ASCII where nothing else can be shown; never for words of the data.

        >>> Screen(plain=True).drawn("├──●──┤")
        '|--o--|'
        """
        return picture.translate(_ASCII) if self.plain else picture


def screen() -> Screen:
    """Return what standard output is: a terminal as it describes itself, or a screen of which nothing is known."""
    if not sys.stdout.isatty():
        return Screen()
    import shutil

    guarded = isinstance(getattr(sys.stdout, "buffer", None), Guarded)
    coloured = guarded and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = max(NARROWEST, shutil.get_terminal_size().columns)
    return Screen(width, coloured, not _shows_unicode(), terminal=True)


def _shows_unicode() -> bool:
    """Say whether the locale speaks of UTF-8; where it says nothing, terminals of today are taken to show it."""
    locale = next((name for key in ("LC_ALL", "LC_CTYPE", "LANG") if (name := os.environ.get(key))), "UTF-8")
    return "utf" in locale.lower()
