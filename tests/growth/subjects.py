"""What is measured: reading every sample, calling every command, judging invented documents by every protocol."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import chdir, suppress
from pathlib import Path

from karat import formats
from karat.analysis.summary import evaluate
from karat.errors import KaratError
from karat.evaluation.corpora import load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.protocol import Protocol
from tests.fuzz.calling import call
from tests.fuzz.targets import Target, placed, write
from tests.growth.corpora import CROWDED, DIMENSIONS
from tests.growth.measuring import Work, too_fast
from tests.growth.pieces import Grown, dimensions


def of_protocol(protocol: Protocol, size: int) -> Iterator[tuple[str, str]]:
    """Yield each dimension of documents, and how the work of scoring and explaining grows if that is too fast."""
    bound = protocol.with_options({})
    for name, dimension in DIMENSIONS.items():

        def work(number: int, make=dimension) -> object:  # type: ignore[no-untyped-def]
            corpora = make(number)

            def judge() -> None:
                with suppress(KaratError):
                    evaluate(bound, *load(bound, corpora))
                    for _ in Evaluation(bound, *load(bound, corpora)).entries():
                        pass

            return judge

        yield name, too_fast(work, size, crowded=name in CROWDED)  # type: ignore[arg-type]


def of_target(target: Target, size: int, most: int | None = None) -> Iterator[tuple[str, str]]:
    """Yield the dimensions of a sample, or the most telling ones, and how the work grows if that is too fast."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(target.files, root / "in")
        (root / "out").mkdir()
        with chdir(root / "out"):
            for name, dimension, grown in _chosen(target, most):
                yield f"{name}: {dimension}", too_fast(_work(target, root / "in" / name, grown), size)
                (root / "in" / name).write_bytes(target.files[name])


def _chosen(target: Target, most: int | None) -> list[tuple[str, str, Grown]]:
    """Return the dimensions of the files of a sample; if there are too many, copies with new names, evenly spread.

    A piece without a name is the same renamed and repeated: it is measured once.
    """
    texts = {name: content for name, content in target.files.items() if content and b"\0" not in content}
    different = {
        (name, grown(3)): (name, dimension, grown)
        for name, content in texts.items()
        for dimension, grown in dimensions(content)
    }
    every = list(different.values())
    if most is None:
        return every
    telling = [found for found in every if found[1].endswith("renamed") or "renamed (" in found[1]]
    return telling[:: max(1, -(-len(telling) // most))]


def _work(target: Target, path: Path, grown: Grown) -> Work:
    """Return what makes a call for a size of one file of a sample."""
    options = dict(zip(target.options, placed(list(target.options.values())), strict=True))
    source = str(Path("..", "in", target.read))

    def read() -> None:
        with suppress(KaratError):
            for _ in formats.read(source, target.name, options=options):
                pass

    def work(number: int) -> object:
        path.write_bytes(grown(number))
        return read if target.is_format else lambda: call(placed(target.words))

    return work  # type: ignore[return-value]
