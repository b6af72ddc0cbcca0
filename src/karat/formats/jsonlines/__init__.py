"""The format ``jsonlines``: chains of token ranges, one document a line."""
