"""Slices: scores of parts of the data, by metadata of documents and by features of items."""
