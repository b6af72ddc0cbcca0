"""Slices: the scores of parts of the data, by what documents say of themselves and by what their items are like."""
