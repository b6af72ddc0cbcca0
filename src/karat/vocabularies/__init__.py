"""Names for things: identifiers of knowledge bases, predicates of relations, and when two of them mean the same."""
