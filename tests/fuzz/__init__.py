"""Damaged input for every format, tool, command, index and table: read or refused, and never anything else.

``targets.toml`` has one small sample for each, ``grammar`` damages samples in ways that know what they are made of, the
oracle says what must hold of the result, and ``corpus`` keeps every input that ever broke it.
"""
