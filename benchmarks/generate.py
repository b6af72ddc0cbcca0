"""Invented HIPE files of any size: the same tokens on both sides, entities drawn apart."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

HEADER = "TOKEN NE-COARSE-LIT NE-COARSE-METO NE-FINE-LIT NE-FINE-METO NE-FINE-COMP NE-NESTED NEL-LIT NEL-METO MISC"
TYPES = ("pers", "loc", "org", "prod", "time")
SEGMENT = 12
VOCABULARY = 30_000


def hipe_pair(folder: Path, tokens: int, documents: int) -> tuple[Path, Path]:
    """Write a gold and a system file, unless they are there already, and return their paths."""
    paths = [folder / f"{side}-{tokens}-{documents}.tsv" for side in ("gold", "system")]
    for seed, path in enumerate(paths):
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(_lines(tokens, documents, seed)) + "\n", encoding="utf-8")
    return paths[0], paths[1]


def _lines(tokens: int, documents: int, seed: int) -> Iterator[str]:
    words = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = ["".join(words.choices(letters, k=words.randint(2, 10))) for _ in range(VOCABULARY)]
    entities = _entities(random.Random(f"entities {seed}"))
    yield HEADER.replace(" ", "\t")
    for document in range(documents):
        yield f"# document_id = document-{document}"
        yield f"# date = {1790 + document % 160}-05-01"
        for position in range(tokens // documents):
            if position % SEGMENT == 0:
                yield "# segment_iiif_link = _"
            tag, link = next(entities)
            fine = tag if tag == "O" else f"{tag}.x"
            noise = "_" if tag == "O" else f"LED{words.randint(0, 99) / 100:.2f}"
            yield "\t".join((words.choice(vocabulary), tag, "O", fine, "O", "O", "O", link, "_", noise))
        yield ""


def _entities(random_source: random.Random) -> Iterator[tuple[str, str]]:
    """Yield tag and link of one token after the other; about six in a hundred tokens begin an entity."""
    while True:
        if random_source.random() >= 0.06:
            yield "O", "_"
            continue
        label = random_source.choice(TYPES)
        link = random_source.choice(("NIL", f"Q{random_source.randint(1, 2000)}"))
        yield f"B-{label}", link
        for _ in range(random_source.randint(0, 3)):
            yield f"I-{label}", link
