"""The reader: documents with gold and systems in them, a part of a page with its script, the same in every page."""
