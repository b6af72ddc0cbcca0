"""The format ``jsonlines``: coreference clusters as token ranges, one document per line."""
