"""How gold and system items are paired: who could meet whom, and who does."""
