"""The format ``conll``: tokens in columns with the tags of entities."""
