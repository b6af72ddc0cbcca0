"""The format ``naf``: layered XML of text, terms, entities and chains."""
