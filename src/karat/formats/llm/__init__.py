"""The format ``llm``: what language models answer, in whatever form they send it."""
