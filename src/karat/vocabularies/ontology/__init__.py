"""Ontologies: who is what, and how alike two things are by the classes they share.

``builder`` turns Wikidata, or any graph in the KGTK format, into a folder that is mapped into memory; ``index`` opens
it; ``similarity`` computes the class similarity and that of Jiang and Conrath as usc-isi-i2/kgtk-similarity does;
``provider`` is what protocols ask.
"""
