"""The reader: the part of a page, with its script, that shows documents with gold and systems in them."""
