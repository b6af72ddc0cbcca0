"""The report: one page that people open and keep, with the numbers, and every document with gold and systems in it."""
