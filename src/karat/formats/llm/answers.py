"""Extracts values from the answer of a language model: JSON, tagged text, tables or lists, among other text.

The order is fixed: JSON in the last code fence; JSON anywhere; tagged text; a table, a list or triples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from karat.annotations.location import Haystack
from karat.errors import InputError
from karat.formats.llm.json import Value, strict, values_in
from karat.formats.llm.lists import is_none, items_of
from karat.formats.llm.markup import marks_as_tags, objects_of, tagged, unwrapped, without_layout

MAX_ANSWER = 1 << 24
"""Characters of one answer."""

_THOUGHT = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_THINKING = re.compile(r"\s*<(?:think|thinking)>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*```|```[ \t]*$", re.MULTILINE)
_LANGUAGE = re.compile(r"[ \t]*([A-Za-z0-9_+-]*)[ \t]*\n|[ \t]*(json)\b[ \t]*")
_JSON = {"", "json", "jsonc", "json5", "jsonl", "javascript", "js", "python"}
SEVERAL = "several answers; the last counts"


def understood(answer: str, text: str | None, names: Haystack) -> Value:
    """Return the content of an answer about a text, if the text is known: a JSON value, or tagged text.

    An answer without any content is an error.

    >>> understood("Sure!\\n```json\\n[\\"Bern\\"]\\n```", "In Bern", Haystack("In Bern")).content
    ['Bern']
    """
    _check(answer)
    said = _without_thoughts(answer).strip()
    if not said:
        raise InputError("it is empty")
    whole = strict(said)
    if whole is not None and isinstance(whole.content, list | dict):
        return whole
    if whole is not None and isinstance(whole.content, str) and whole.content.lstrip().startswith(("{", "[")):
        inner = understood(whole.content, text, names)
        return inner._replace(mended=("the answer is JSON inside of a text", *inner.mended))
    fences = _fences(said)
    if (fenced := _in_fences(fences)) is not None:
        return fenced
    anywhere = _last(values_in(said))
    if anywhere is not None and anywhere.content:
        return anywhere
    body = unwrapped(without_layout(fences[-1][1] if fences else said))
    if (listed := objects_of(body)) is not None:
        return Value(listed)
    if (tags := tagged(marks_as_tags(body), text)) is not None:
        return Value(tags, tags.mended)
    if (items := items_of(body, names)) is not None:
        return items
    if anywhere is not None:
        return anywhere
    if is_none(said):
        return Value([], ("the answer has no list; read as none",))
    raise InputError("it has no list, table, tags or JSON")


def _check(answer: str) -> None:
    if len(answer) > MAX_ANSWER:
        raise InputError(f"it has more than {MAX_ANSWER:,} characters")
    try:
        answer.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("it holds half a surrogate pair") from None


def _without_thoughts(answer: str) -> str:
    """Return the answer after its reasoning block; an unfinished reasoning block is an error."""
    *thoughts, said = _THOUGHT.split(answer)
    return "" if not thoughts and _THINKING.match(said) else said


def _fences(said: str) -> list[tuple[str, str]]:
    """Return the language and content of each code fence; the last one may be unclosed."""
    marks = list(_FENCE.finditer(said))
    fences = []
    for opening, closing in zip(marks[::2], [*marks[1::2], None], strict=False):
        content = said[opening.end() : closing.start() if closing else len(said)]
        language = _LANGUAGE.match(content)
        name = (language[1] or language[2] or "").lower() if language else ""
        fences.append((name, content[language.end() :] if language else content))
    return fences


def _in_fences(fences: Iterable[tuple[str, str]]) -> Value | None:
    """Return the JSON of the last code fence that has any."""
    contents = [content for language, content in fences if language in _JSON]
    answers = [answer for answer in map(_whole, contents) if answer is not None]
    if not answers:
        return None
    return answers[-1]._replace(mended=(*answers[-1].mended, *([SEVERAL] if len(answers) > 1 else [])))


def _whole(content: str) -> Value | None:
    """Return the content of a code fence: one value, or a value per line."""
    content = content.strip()
    if (whole := strict(content)) is not None:
        return whole if isinstance(whole.content, list | dict) else None
    return _last(values_in(content))


def _last(values: list[Value]) -> Value | None:
    """Return the last value that may be an answer; consecutive items are a list, as in JSON lines."""
    answering = [value for value in values if _may_answer(value)]
    if not answering:
        return None
    if len(answering) > 1 and all(_is_item(value.content) for value in answering):
        mended = dict.fromkeys(mend for value in answering for mend in value.mended)
        return Value([value.content for value in answering if not value.is_cut], tuple(mended), answering[-1].is_cut)
    last = answering[-1]
    mended = dict.fromkeys([*last.mended, *([SEVERAL] if len(answering) > 1 else [])])
    return last._replace(mended=tuple(mended))


def _may_answer(value: Value) -> bool:
    """Tell whether a value is more than a bracket in a sentence."""
    is_list = isinstance(value.content, list)
    if is_list and not all(isinstance(item, dict | list | str) for item in value.content):
        return False
    return bool(value.content) or not value.is_cut


def _is_item(content: Any) -> bool:
    """Tell whether a value is one mention or relation of a list: a pair or triple, or an object of plain values."""
    parts = content.values() if isinstance(content, dict) else content
    return len(content) > 1 - isinstance(content, dict) and not any(isinstance(part, dict | list) for part in parts)
