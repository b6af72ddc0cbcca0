def add_mentions(document, problems): pass
