"""Karat beside the reference programs, in the same run on the same data."""
