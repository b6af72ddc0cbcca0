"""Universal Anaphora: coreference with split antecedents, zeros and fragments, and what is beside it."""
