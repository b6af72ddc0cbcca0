"""NewsReader: disambiguation of named entities against DBpedia, in the first sentences of news."""
