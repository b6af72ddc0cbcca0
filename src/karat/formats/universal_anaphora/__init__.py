"""The format ``universal-anaphora``: CoNLL-U Plus with split antecedents and discontinuous mentions."""
