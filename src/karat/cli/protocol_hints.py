"""Hints for a command line without a protocol: the protocols that fit the gold."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from karat.errors import KaratError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.model import Document

_LOOKED_AT = 50
"""The number of documents that are examined."""
_NAMED = 5
"""The number of protocols that are named for a task."""
_COMMON = ("conll2003", "seqeval", "overlap", "tac-edl", "gerbil-a2kb", "relations", "triples", "coref", "conll2012")
"""Protocols that fit any file of their task."""


def without_protocol(command: str, words: Sequence[str]) -> UsageError:
    """Return the error for words that begin with a file instead of a protocol."""
    gold = words[0]
    kind = "folder" if Path(gold).is_dir() else "file"
    advice = f"{gold} is a {kind}, but the first argument must be a protocol"
    fitting = protocols_for(gold)
    if not fitting:
        return UsageError(f"{advice}; karat protocols lists them")
    told = "; ".join(f"for {task} {_listed(names)}" for task, names in fitting.items())
    first = next(iter(fitting.values()))[0]
    return UsageError(f"{advice}. These fit: {told}. For example:  karat {command} {first} {' '.join(words)}")


def is_run_file(path: str) -> bool:
    """Return whether a path is a run file, or a folder that may hold run files."""
    from karat.evaluation.run_container import START, kind_of

    if Path(path).is_dir():
        return any(entry.suffix == ".karat" for entry in Path(path).iterdir())
    with Path(path).open("rb") as stream:
        return kind_of(stream.read(START)) is not None


def is_like_protocol(word: str) -> bool:
    """Return whether an unknown word is more likely a misspelt protocol than a missing file.

    >>> is_like_protocol("hipe2022-nell"), is_like_protocol("missing.tsv")
    (True, False)
    """
    from difflib import get_close_matches

    from karat.evaluation.registry import protocols

    return not Path(word).suffix and bool(get_close_matches(word, protocols(), n=1))


def protocols_for(gold: str) -> dict[str, list[str]]:
    """Return the protocols for the annotations of a file, by task; empty if it cannot be read."""
    from karat.evaluation.registry import protocols
    from karat.formats import read
    from karat.formats.recognition import sniff

    try:
        tasks = tasks_of(islice(read(gold), _LOOKED_AT))
        format_name = sniff(gold).name
    except KaratError:
        return {}

    def strangeness(name: str) -> tuple[bool, bool]:
        return not name.startswith(f"{format_name}2022"), name not in _COMMON

    names = {task: [name for name, declared in protocols().items() if declared.task == task] for task in tasks}
    return {task: sorted(several, key=strangeness) for task, several in names.items()}


def tasks_of(documents: Iterable[Document]) -> list[str]:
    """Return the tasks for which documents have annotations."""
    tasks = set()
    for document in documents:
        tasks |= {"entities"} if any(mention.labels for mention in document.mentions) else set()
        tasks |= {"linking"} if any(mention.links for mention in document.mentions) else set()
        tasks |= {"coreference"} if document.chains else set()
        tasks |= {"relations"} if document.relations else set()
    return [task for task in ("relations", "entities", "linking", "coreference") if task in tasks]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
