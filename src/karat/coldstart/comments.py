"""Comments: from a ``#`` outside of a quoted string to the end of the line."""

from __future__ import annotations

import re

_BEFORE = re.compile(r'(?:[^#"]++|"(?:[^"\\]++|\\.)*+")*+')


def split_comment(line: str) -> tuple[str, str]:
    r"""Return a line without its comment, and the comment; a string that never ends hides every comment.

    >>> split_comment(':E1 mention "a # b" # c')
    (':E1 mention "a # b" ', '# c')
    >>> split_comment(':E1 mention "a # c')
    (':E1 mention "a # c', '')
    """
    if "#" not in line:
        return line, ""
    found = _BEFORE.match(line)
    end = found.end() if found else 0
    return (line[:end], line[end:]) if line.startswith("#", end) else (line, "")
