"""Identifiers of knowledge bases and names of relations, and rules for when two of them mean the same."""

NIL = "NIL"
"""What every identifier begins with that says the knowledge base lacks the entity."""
