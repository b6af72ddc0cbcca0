"""The envelopes of providers around answers: lines of batch results, and responses as client libraries return them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from karat.formats.llm.json import Value, strict

_CUT = {"length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "incomplete"}
_OWN = (
    *("choices", "candidates", "generations", "message", "messages", "outputs"),
    *("generation", "generated_text", "output_text"),
)
_TEXTS = ("generation", "generated_text", "output_text", "outputText", "text")
"""Keys of a response that have the text of the answer."""
_CHOICES = ("choices", "candidates", "generations", "outputs", "results")
"""Keys of a response that list answers, of which the first is read."""


_REASONS = ("finish_reason", "stop_reason", "finishReason", "done_reason", "status")
_ENDED = re.compile(r"(?i) (?:stop|end_turn|completed|tool_calls|tool_use)\)")


class Said(NamedTuple):
    """The content of an answer, why it was cut off or is missing, if so, and the number of alternative answers."""

    content: Any = None
    cut: str = ""
    failure: str = ""
    others: int = 0


def opened(record: dict[str, Any], answer_keys: frozenset[str] = frozenset()) -> Said | None:
    """Return the answer in a provider's record; None if it is not such a record, or an answer with its own keys.

    >>> opened({"custom_id": "a", "response": {"body": {"choices": [{"message": {"content": "[]"}}]}}}).content
    '[]'
    >>> opened({"custom_id": "a", "response": None, "error": {"message": "no money"}}).failure
    'the request failed: no money'
    """
    for key in ("response", "result", "modelOutput", "output"):
        inner = record.get(key)
        if isinstance(inner, dict) and answer_keys.isdisjoint(inner) and (key != "output" or "content" in inner):
            failure = _failure(inner) or _failure(record)
            body = next(
                (inner[name] for name in ("body", "message", "output") if isinstance(inner.get(name), dict)), inner
            )
            if failure or (said := _content(body)) is None:
                is_ours = failure or key == "response" or "custom_id" in record
                return Said(failure=failure or "the response has no content") if is_ours else None
            return said
    listed = record.get("response")
    if (
        isinstance(listed, list)
        and listed
        and isinstance(listed[0], dict)
        and not set(_TEXTS[:3]).isdisjoint(listed[0])
    ):
        return _of_choice(listed[0])._replace(others=len(listed) - 1)
    if record.get("error") and not any(record.get(key) for key in ("answer", "response", *_OWN)):
        return Said(failure=_failure(record))
    return _content(record) if any(key in record for key in _OWN) else None


def _failure(record: dict[str, Any]) -> str:
    """Return why a request failed, or ``""``."""
    error, status, kind = record.get("error"), record.get("status_code"), record.get("type")
    is_refused = isinstance(status, int) and status >= 400
    if not error and not is_refused and kind not in ("errored", "expired", "canceled"):
        return ""
    inner = error.get("error", error) if isinstance(error, dict) else error
    told = ("message", "errorMessage", "code", "type")
    message = next((inner[key] for key in told if inner.get(key)), "") if isinstance(inner, dict) else inner
    words = [str(status) if is_refused else "", str(message or ""), "" if message or is_refused else str(kind or "")]
    return f"the request failed: {' '.join(filter(None, words)) or 'no reason is given'}"


def _content(body: dict[str, Any]) -> Said | None:
    options = next((body[key] for key in _CHOICES if isinstance(body.get(key), list)), None)
    if options is not None:
        first = options[0] if options and isinstance(options[0], dict) else {}
        return _of_choice(first)._replace(others=max(len(options) - 1, 0))
    if isinstance(body.get("output"), list):
        return _of_output([part for part in body["output"] if isinstance(part, dict)], _cut(body))
    if isinstance(body.get("messages"), list):
        said = [turn for turn in body["messages"] if isinstance(turn, dict) and turn.get("role") == "assistant"]
        return _of_choice(said[-1]) if said else Said(failure="no message is one of the assistant")
    if any(key in body for key in ("content", "message", "text", *_OWN)):
        return _of_choice(body)
    return None


def _of_output(parts: list[dict[str, Any]], cut: str) -> Said:
    """Return the content of a response in parts: its messages, or the arguments of its tool calls."""
    pieces = [piece for part in parts if part.get("type") != "reasoning" for piece in _as_list(part.get("content"))]
    refusal = next((piece["refusal"] for piece in pieces if isinstance(piece, dict) and piece.get("refusal")), None)
    if refusal is not None:
        return Said(failure=f"the model refused: {refusal}")
    called = _together([part["arguments"] for part in parts if part.get("arguments") is not None])
    return Said(_parts(pieces) or called or "", cut)


def _of_choice(choice: dict[str, Any]) -> Said:
    message = choice.get("message")
    inner = message if isinstance(message, dict) else choice
    if inner.get("refusal"):
        return Said(failure=f"the model refused: {inner['refusal']}")
    content = inner.get("content")
    if content is None:
        content = next((inner[key] for key in _TEXTS if isinstance(inner.get(key), str)), None)
    if isinstance(content, dict):
        content = content.get("parts")
    if isinstance(content, list):
        content = _parts(content)
    if content in (None, "") and (called := _called(inner)) is not None:
        content = called
    if content in (None, "") and (content is None or _reason(choice)):
        return Said(failure=f"the response has no content{_reason(choice)}")
    return Said(content, _cut(choice))


def _called(message: dict[str, Any]) -> Any:
    """Return the arguments of the tool calls of a message."""
    calls = [*_as_list(message.get("tool_calls")), {"function": message.get("function_call")}]
    functions = [call.get("function", call) for call in calls if isinstance(call, dict)]
    return _together([function.get("arguments") for function in functions if isinstance(function, dict)])


def _together(arguments: list[Any]) -> Any:
    """Return the arguments of one call unchanged, and those of several as a list, if all of them are JSON."""
    given = [argument for argument in arguments if argument is not None]
    if len(given) < 2:
        return next(iter(given), None)
    values = [strict(argument) if isinstance(argument, str) else Value(argument) for argument in given]
    if None in values:
        return "\n".join(map(str, given))
    return [value.content for value in values if value is not None]


def _parts(parts: list[Any]) -> Any:
    """Return the text of some parts of a message, or the input of a tool call."""
    spoken = [part for part in parts if isinstance(part, dict) and not part.get("thought")]
    texts = [part["text"] for part in spoken if isinstance(part.get("text"), str)]
    inputs = [_input(part) for part in parts if isinstance(part, dict)]
    called = _together([given for given in inputs if isinstance(given, dict)])
    return called if called and not "".join(texts).strip().startswith(("{", "[")) else "".join(texts)


def _input(part: dict[str, Any]) -> Any:
    """Return the tool input in a part of a message."""
    for key, name in (("functionCall", "args"), ("function_call", "args"), ("toolUse", "input")):
        if isinstance(part.get(key), dict):
            return part[key].get(name)
    return part.get("input")


def _cut(choice: dict[str, Any]) -> str:
    for key in _REASONS:
        if isinstance(reason := choice.get(key), str) and reason in _CUT:
            return f"{key} {reason}"
    return ""


def _reason(choice: dict[str, Any]) -> str:
    """Return why there is no content, if the record says so."""
    told = (f" ({key} {choice[key]})" for key in _REASONS if isinstance(choice.get(key), str))
    return next((words for words in told if not _ENDED.search(words)), "")


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
