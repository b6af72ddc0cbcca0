"""Relation triples of any tool against a gold of any shape: strings or spans, own or foreign predicates."""
