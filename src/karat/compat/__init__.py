"""The modules that people know, under their own names: the same functions, the same numbers, from Karat's rules."""
