"""A text file and the annotations beside it, read as the program of an edition reads them."""

from __future__ import annotations

import os
from collections.abc import Callable

from karat.io import plain_path, read_text
from karat.protocols.ehealthkd.annotations import Annotations, Builder
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Sentences

Texts = dict[str, Sentences]
"""The sentences of each text that was read; annotations of the same text share them."""


def read(path: str | os.PathLike[str], rules: Rules, texts: Texts, *, relations: bool = True) -> Annotations:
    """Read a text file and the annotations beside it: ``.ann``, in 2019 ``output_a_…`` and ``output_b_…``.

    Args:
        path: The text file.
        rules: The rules of the edition and profile.
        texts: The texts that were read before; new ones are added.
        relations: Whether relations are read, which the corrected profile does only where they count.

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


def read_sides(
    gold: str | os.PathLike[str], system: str | os.PathLike[str], rules: Rules, *, relations: bool = True
) -> tuple[Annotations, Annotations]:
    """Read the files of gold and system as :func:`read` does."""
    texts: Texts = {}
    return read(gold, rules, texts, relations=relations), read(system, rules, texts, relations=relations)


def _annotations_beside(text_file: str) -> str:
    return f"{os.path.splitext(text_file)[0]}.ann"  # noqa: PTH122 - pathlib takes longer


def _read_brat(text_file: str, sentences: Sentences, warn: Callable[[str], None], relations: bool) -> Builder:
    """Read BRAT lines one by one."""
    path = _annotations_beside(text_file)
    from karat.protocols.ehealthkd.drop_in.brat import EntryReader

    return EntryReader(text_file, path, sentences, warn).read(relations=relations)
