"""Reading a text file and the annotations beside it, as the program of an edition does."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from karat.files import byte_blocks, plain_path, read_text
from karat.protocols.ehealthkd.annotations import Annotations, Builder
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Sentences

LARGE = 400_000
"""Bytes of annotations, about 11,000 lines, from which on it pays to load NumPy, which takes 0.04 s."""

Texts = dict[str, Sentences]
"""The sentences of each text, so that those who annotate the same text share them."""


def load(path: str | os.PathLike[str], rules: Rules, texts: Texts, *, relations: bool = True) -> Annotations:
    """Read a text file and the annotations beside it: ``.ann``, in 2019 ``output_a_…`` and ``output_b_…``.

    ``relations=False`` does not even look at relations, which the corrected profile does where they do not count.
    """
    file = plain_path(path)
    text = read_text(file)
    sentences = texts.get(text) or texts.setdefault(text, Sentences(text, rules))
    warnings: list[str] = []
    if rules.edition == "2019":
        from karat.protocols.ehealthkd.drop_in.tabfiles import TabReader

        builder = TabReader(file, sentences, warnings.append).read(relations=relations)
    else:
        builder = _read_brat(file, sentences, warnings.append, relations)
    return builder.finished(sentences, file, warnings, by_extent=not rules.by_position)


def counted(
    gold: str | os.PathLike[str], system: str | os.PathLike[str], rules: Rules, texts: Texts
) -> tuple[dict[str, int], dict[str, int]] | None:
    """Count the cases of entities and relations in large files of the usual form; nothing of small or unusual ones.

    What is wrong with a file is said when it is read item by item.
    """
    files = [plain_path(file) for file in (gold, system)]
    beside = [_annotations_beside(file) for file in files]
    if rules != Rules(rules.edition) or rules.by_position or sum(map(_size, beside)) < LARGE:
        return None
    contents = {b"".join(byte_blocks(file)) for file in files}
    text = read_text(files[0])
    if len(contents) > 1 and read_text(files[1]) != text:
        return None
    from karat.formats.brat.arrays import read_arrays
    from karat.protocols.ehealthkd.drop_in.bulk import count

    sentences = texts.setdefault(text, Sentences(text, rules))
    try:
        golds, systems = (read_arrays(byte_blocks(path)) for path in beside)
        return count(golds, systems, sentences)
    except ValueError:
        return None


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0  # noqa: PTH113, PTH202 - pathlib takes longer


def _annotations_beside(text_file: str) -> str:
    return f"{os.path.splitext(text_file)[0]}.ann"  # noqa: PTH122 - pathlib takes longer


def _read_brat(text_file: str, sentences: Sentences, warn: Callable[[str], None], relations: bool) -> Builder:
    """Read BRAT lines, all at once if there are many and they have the form for that, one by one otherwise."""
    path = _annotations_beside(text_file)
    if relations and _size(path) >= LARGE:
        from karat.protocols.ehealthkd.drop_in.bulk import read_bulk

        with suppress(ValueError):
            return read_bulk(byte_blocks(path), sentences)
    from karat.protocols.ehealthkd.drop_in.brat import EntryReader

    return EntryReader(text_file, path, sentences, warn).read(relations=relations)
