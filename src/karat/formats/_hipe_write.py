def write(documents, options): pass
