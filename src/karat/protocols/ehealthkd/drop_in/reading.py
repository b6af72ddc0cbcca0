"""Reading a text file and the annotations beside it, as the program of an edition does."""

from __future__ import annotations

import os
from collections.abc import Callable

from karat.io import plain_path, read_text
from karat.protocols.ehealthkd.annotations import Annotations, Builder
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Sentences

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


def _annotations_beside(text_file: str) -> str:
    return f"{os.path.splitext(text_file)[0]}.ann"  # noqa: PTH122 - pathlib takes longer


def _read_brat(text_file: str, sentences: Sentences, warn: Callable[[str], None], relations: bool) -> Builder:
    """Read BRAT lines one by one."""
    path = _annotations_beside(text_file)
    from karat.protocols.ehealthkd.drop_in.brat import EntryReader

    return EntryReader(text_file, path, sentences, warn).read(relations=relations)
