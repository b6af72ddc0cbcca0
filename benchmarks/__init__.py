"""Measures the rule for speed: no slower than the reference or two seconds, linear in time, flat in memory."""
