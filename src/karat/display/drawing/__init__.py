"""Items marked in their text: as lines of a terminal, and as HTML without a script."""
