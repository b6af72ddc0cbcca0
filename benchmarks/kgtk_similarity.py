"""Runs kgtk-similarity on the tables of a folder, in its own Python: ``kgtk_similarity.py REFERENCES FOLDER PAIRS``.

Embeddings are left out: neither measure uses them, and looking them up would only cost the reference time. Prints the
seconds that the pairs took, without loading, and one line of JSON for each pair.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
import types
from pathlib import Path

TABLES = {
    "KG_EDGES_GRAPH": "claims.tsv",
    "KG_LABELS_GRAPH": "labels.en.tsv",
    "KG_P279STAR_GRAPH": "derived.P279star.tsv",
    "KG_CLASS_COUNTS_GRAPH": "class_counts.tsv",
    "KG_CLASS_COUNTS_COMPACT_GRAPH": "class_counts.compact.tsv",
}


def main() -> None:
    """Load the tables, then time the pairs."""
    references, folder, pairs = (Path(word).resolve() for word in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(references / "kgtk-similarity" / "semantic_similarity", Path(place, "semantic_similarity"))
        settings = {name: str(folder / table) for name, table in TABLES.items()}
        settings |= {
            "api_version": 2,
            "GRAPH_CACHE": f"{place}/cache.db",
            "INDEX_MODE": "auto",
            "LRU_CACHE_SIZE": 250000,
        }
        Path(place, "semantic_similarity", "config.json").write_text(json.dumps(settings))
        os.chdir(place)
        sys.path[:0] = [place, str(references / "kgtk")]
        sys.modules["faiss"] = types.ModuleType("faiss")
        from semantic_similarity import kypher, similarity_measures

        kypher.SimilarityBackend.get_node_embedding = lambda self, node, kind: None
        measures = (similarity_measures.ClassSimilarity(), similarity_measures.JiangConrathSimilarity())
        rows = [line.split("\t") for line in pairs.read_text().splitlines()[1:]]
        begin = time.perf_counter()
        found = [[measure.compute_similarity(*row) for measure in measures] for row in rows]
        print(time.perf_counter() - begin)
        for values in found:
            print(json.dumps(values))


if __name__ == "__main__":
    main()
