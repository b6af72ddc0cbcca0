"""Names for things: identifiers of knowledge bases, predicates of relations, and when two of them mean the same."""

NIL = "NIL"
"""What every identifier begins with that says the knowledge base lacks the entity."""
