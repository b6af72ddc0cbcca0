"""Ontologies: classes of entities, and the semantic similarity of entities by the classes they share.

``builder`` turns Wikidata, or any graph in the KGTK format, into a folder of memory-mapped arrays; ``index`` opens
it; ``similarity`` computes the class similarity and that of Jiang and Conrath as usc-isi-i2/kgtk-similarity does;
``provider`` is the interface that protocols use.
"""
