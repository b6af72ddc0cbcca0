"""What a knowledge base holds, in numbers for people; :mod:`.export` has the published ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from karat.formats.coldstart.kb.columns import INFERRED, KB, OMITTED


def count(kb: KB) -> Iterator[tuple[str, int | str]]:
    """Yield what is counted and how often: assertions, entities by type, documents, predicates, problems."""
    flags = Counter(kb.flags)
    yield "run id", kb.run_id
    yield "assertions", len(kb)
    yield "assertions inferred", sum(number for flag, number in flags.items() if flag & INFERRED)
    yield "assertions omitted", sum(number for flag, number in flags.items() if flag & OMITTED)
    yield "lines rejected", sum(kb.rejected.values())
    yield "documents", len(kb.documents) - 1
    yield "entities", len(kb.entities)
    kinds = Counter(map(kb.entities.type_name, range(len(kb.entities))))
    yield from ((f"entities {name}", kinds[name]) for name in sorted(kinds))
    names = Counter(kb.predicates[number].name for number in kb.predicate_of)
    yield from ((f"predicate {name}", names[name]) for name in sorted(names))
    yield "errors", kb.log.errors
    yield "warnings", kb.log.warnings
    yield from ((f"problem {name}", kb.log.counts[name]) for name in sorted(kb.log.counts))
