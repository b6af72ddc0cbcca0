"""Relations between mentions, under all definitions of a correct relation that are in use, side by side."""
