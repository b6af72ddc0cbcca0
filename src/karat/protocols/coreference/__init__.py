"""Coreference by the conventions of four published programs, and by Karat's own, which says what it leaves out."""
