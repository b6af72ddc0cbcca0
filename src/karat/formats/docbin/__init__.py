"""The format ``docbin``: the binary files of spaCy, read without it."""
