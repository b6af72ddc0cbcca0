"""The report: a page with the scores, and every document with gold and systems in it."""
