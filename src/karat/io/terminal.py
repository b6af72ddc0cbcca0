"""Text from the data in terminals and tables, made harmless: it cannot move the cursor or break a line or column.

:class:`Screen` describes the output device: its width, colours and characters.
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
    r"""Return the text on one line, with control characters and bidirectional controls as escapes.

    >>> print(visible("Zürich\n\x1b[2J"))
    Zürich\n\x1b[2J
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(character) if _is_hidden(character) else character for character in text)


def escaped_cell(text: str) -> str:
    r"""Return the text as a table cell: backslash, tab and line ends are escaped.

    The first character of a spreadsheet formula is escaped, too, but not that of a number or a single dash.

    >>> print(escaped_cell("a\tb\\c"), escaped_cell("=1+1"), escaped_cell("-1"))
    a\tb\\c \x3d1+1 -1
    """
    return formula_safe(text.translate(_MASK))


def formula_safe(text: str) -> str:
    r"""Return the text on one line; its first character is escaped if a spreadsheet would take it for a formula.

    >>> print(formula_safe("@sum"), formula_safe("a\\b"), formula_safe("-1"))
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
    """A stream to a terminal that escapes control characters in whatever is written.

    Results end the display of progress; a message on standard error replaces the progress line.
    """

    def __init__(self, raw: io.RawIOBase, *, holds_results: bool) -> None:
        super().__init__(raw)
        self._holds_results = holds_results

    def write(self, data: Any) -> int:
        """Write text, with control characters as escapes."""
        raw = bytes(data)
        self.obey(re.sub(_RAW, lambda match: _escape(match[0].decode()).encode(), raw))
        return len(raw)

    def obey(self, command: bytes) -> None:
        """Write a control sequence unescaped."""
        if self._holds_results:
            _status.end()
        with _status.lock:  # a line of progress that came in between would stand before a remark
            _status.clear()
            super().write(command)
            if not self._holds_results:
                self.flush()


class _Status:
    """The progress line on the terminal, if there is one, and the function to call when results begin."""

    def __init__(self) -> None:
        self.stands = False
        self.lock = RLock()
        self.when_results_begin: Callable[[], None] | None = None

    def show(self, line: str) -> None:
        """Replace the progress line; written unbuffered, since the buffers hold whole lines."""
        with self.lock:
            os.write(sys.stderr.fileno(), f"{_BEGINNING}{line}".encode())
            self.stands = bool(line)

    def clear(self) -> None:
        """Erase the progress line."""
        if self.stands:
            self.show("")

    def end(self) -> None:
        """Call the registered function once, before the first result."""
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
    """Make standard output and standard error UTF-8 whatever the locale, and escape what goes to a terminal.

    A stream that the caller has closed is replaced by the null device.
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
    """Print a message to standard error, on one line even if names from the data contain line ends."""
    sys.stderr.write(f"{visible(remark)}\n")


def show_status(line: str) -> None:
    """Replace the progress line if standard error is a terminal; otherwise do nothing."""
    if sys.stderr.isatty() and (line or _status.stands):
        _status.show(clipped(visible(line), _columns_of_terminal() - 1))


def _columns_of_terminal() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def toned(tone: str, text: str) -> str:
    """Return a text marked so that :func:`show` prints it in a colour or weight."""
    return f"{_STARTS[tone]}{text}{_END}"


def show(text: str) -> None:
    """Print a text to standard output; colours and weights are left out if it is not a terminal."""
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
    r"""Return how many terminal columns the text takes.

    >>> width("Bern"), width("京都"), width("👩\u200d🔬")
    (4, 4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(map(columns_of, text, f" {text}"))


def columns_of(character: str, before: str = "") -> int:
    """Return how many columns a character takes: 0 if it combines with the one before it."""
    if character == "\u00ad":
        return 1
    if before == _JOINER:
        return 0
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or character in _COMMANDS or character in _JOINING:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clipped(text: str, limit: int) -> str:
    """Return the text, shortened with an ellipsis if it takes more than ``limit`` columns.

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
    """Return the text as lines that fit; lines break at blanks, or within a word that is longer than a line.

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
    """Join the cells of a row, padded to the column widths; cells after the first ``left`` ones are right-aligned.

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
    """The device that views are drawn for; by default one without colours that shows all characters.

    ``plain`` restricts it to ASCII; ``terminal`` tells that it breaks lines at its width.
    """

    width: int = UNKNOWN
    coloured: bool = False
    plain: bool = False
    terminal: bool = False

    def tone(self, name: str, text: str) -> str:
        """Return the text in a colour or weight, if the device shows them."""
        return toned(name, text) if self.coloured and name and text.strip() else text

    def drawn(self, picture: str) -> str:
        """Return graphics characters, replaced by ASCII if the device needs it; not to be used for text from the data.

        >>> Screen(plain=True).drawn("├──●──┤")
        '|--o--|'
        """
        return picture.translate(_ASCII) if self.plain else picture


def screen() -> Screen:
    """Return the screen that standard output is: a terminal with its properties, or the default."""
    if not sys.stdout.isatty():
        return Screen()
    import shutil

    guarded = isinstance(getattr(sys.stdout, "buffer", None), Guarded)
    coloured = guarded and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = max(NARROWEST, shutil.get_terminal_size().columns)
    return Screen(width, coloured, not _shows_unicode(), terminal=True)


def _shows_unicode() -> bool:
    """Tell whether the locale is UTF-8; without a locale, terminals are assumed to be."""
    locale = next((name for key in ("LC_ALL", "LC_CTYPE", "LANG") if (name := os.environ.get(key))), "UTF-8")
    return "utf" in locale.lower()
