"""The format ``corefud``: CoNLL-U with the chains of CorefUD."""
