"""Pairing gold and system items: finding the candidates and choosing among them."""
