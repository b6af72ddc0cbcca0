"""Items drawn into the text they stand in: as lines of a terminal, and as a piece of a page that needs no script."""
