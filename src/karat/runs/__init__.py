"""Run files: what a scored system is worth, without its annotations; parts of them, and how they merge."""
