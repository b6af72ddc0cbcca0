"""What to say to someone who gives files without a protocol: which protocols their gold fits."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from karat.errors import KaratError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.model import Document

_LOOKED_AT = 50
"""Documents that are looked at."""
_NAMED = 5
"""Protocols of a task that are named."""
_COMMON = ("conll2003", "seqeval", "overlap", "tac-edl", "gerbil-a2kb", "relations", "triples", "coref", "conll2012")
"""Protocols that fit whatever a file looks like."""


def without_protocol(command: str, words: Sequence[str]) -> UsageError:
    """Return the error for words that begin with a file where a protocol should stand."""
    gold = words[0]
    kind = "folder" if Path(gold).is_dir() else "file"
    advice = f"{gold} is a {kind}, but a protocol must stand first, which says how it is scored"
    fitting = protocols_for(gold)
    if not fitting:
        return UsageError(f"{advice}; karat protocols lists them")
    told = "; ".join(f"for {task} {_listed(names)}" for task, names in fitting.items())
    first = next(iter(fitting.values()))[0]
    return UsageError(f"{advice}. These fit: {told}. Such as:  karat {command} {first} {' '.join(words)}")


def is_run_file(path: str) -> bool:
    """Say whether a file is one that Karat has kept, or a folder that may hold some."""
    from karat.evaluation.run_container import START, kind_of

    if Path(path).is_dir():
        return any(entry.suffix == ".karat" for entry in Path(path).iterdir())
    with Path(path).open("rb") as stream:
        return kind_of(stream.read(START)) is not None


def is_like_protocol(word: str) -> bool:
    """Say whether a word that names nothing is a protocol with a slip in it, rather than a file.

    >>> is_like_protocol("hipe2022-nell"), is_like_protocol("missing.tsv")
    (True, False)
    """
    from difflib import get_close_matches

    from karat.evaluation.registry import protocols

    return not Path(word).suffix and bool(get_close_matches(word, protocols(), n=1))


def protocols_for(gold: str) -> dict[str, list[str]]:
    """Return the protocols that score what a file has, by task; none if it cannot be read."""
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
    """Return the tasks that documents are annotated for."""
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
