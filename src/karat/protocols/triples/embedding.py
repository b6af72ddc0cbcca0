"""Embeddings of phrases, from a model that ships inside a wheel: nothing is ever fetched from a network.

A model is named by its library. Of wordllama only the files are read, without its own code: that would ask a host for
the tokenizer that stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.errors import MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Vectors = Mapping[str, Vector]
    """Phrases with their directions: vectors of length 1, or 0 where the model knows nothing."""
    Embed = Callable[[str], NDArray[np.floating[Any]]]


class WordLlama:
    """Static vectors of word pieces, distilled from large language models; a phrase is the sum of its pieces.

    The pieces of capitals are not those of small letters, so everything is put in small letters.
    """

    _NAME, _DIMENSION = "l2_supercat", 256

    def signature(self) -> str:
        """Return the version of the vectors for the signature: library, version, model and dimension."""
        from importlib.metadata import version

        self._files()
        return f"wordllama/{version('wordllama')}/{self._NAME}/{self._DIMENSION}"

    def opened(self) -> Embed:
        """Load the model, and return a function that sums the vectors of a phrase's word pieces.

        In double precision, sums of half precision are exact.
        """
        import numpy as np

        weights_file, tokenizer_file = self._files()
        try:
            from safetensors.numpy import load_file
            from tokenizers import Tokenizer
        except ImportError:
            raise _missing() from None
        weights = load_file(weights_file)["embedding.weight"]
        tokenizer = Tokenizer.from_file(str(tokenizer_file))

        def embed(phrase: str) -> NDArray[np.floating[Any]]:
            # One by one: batches start threads, and a process with threads must not be forked.
            pieces = tokenizer.encode(_encodable(phrase.lower()), add_special_tokens=False).ids
            summed: NDArray[np.floating[Any]] = weights[pieces].sum(axis=0, dtype=np.float64)
            return summed

        return embed

    def _files(self) -> tuple[Path, Path]:
        """Return where the weights and the tokenizer are, without importing the library."""
        spec = find_spec("wordllama")
        if spec is None or spec.origin is None:
            raise _missing()
        folder = Path(spec.origin).parent
        weights = folder / "weights" / f"{self._NAME}_{self._DIMENSION}.safetensors"
        return weights, folder / "tokenizers" / f"{self._NAME}_tokenizer_config.json"


MODELS = {"wordllama": WordLlama()}
"""The models by the name of their library."""


MOST_REMEMBERED = 1 << 16
"""How many phrases are remembered; others are looked up again."""


class Directions:
    """Unit vectors of phrases, from a model that is loaded with the first request."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._of = lru_cache(maxsize=MOST_REMEMBERED)(lambda phrase: _direction(self._embed(phrase)))

    @cached_property
    def _embed(self) -> Embed:
        return MODELS[self.name].opened()

    def of(self, phrases: Iterable[str]) -> dict[str, Vector]:
        """Return the directions of some phrases."""
        return {phrase: self._of(phrase) for phrase in phrases}


def _direction(vector: NDArray[np.floating[Any]]) -> Vector:
    import numpy as np

    length = np.sqrt(vector @ vector)
    return (vector / length if length else vector).astype(np.float32)


def _encodable(phrase: str) -> str:
    """Replace lone surrogates, which cannot be encoded."""
    return phrase.encode("utf-8", "replace").decode()


def _missing() -> MissingExtraError:
    return MissingExtraError("the semantic regime with wordllama", "semantic")
