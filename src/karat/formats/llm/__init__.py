"""The format ``llm``: the answers of language models, in whatever shape they are written."""
