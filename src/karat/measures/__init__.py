"""Arithmetic on tallies: pure functions, no input or output."""
