"""Ontologies: who is what, and how alike two things are by the classes they share.

:mod:`~karat.ontology.building` turns Wikidata, or any graph in the KGTK format, into a folder that is mapped into
memory; :mod:`~karat.ontology.index` opens it; :mod:`~karat.ontology.similarity` computes the class similarity and that
of Jiang and Conrath as usc-isi-i2/kgtk-similarity does; :mod:`~karat.ontology.provider` is what protocols ask.
"""
