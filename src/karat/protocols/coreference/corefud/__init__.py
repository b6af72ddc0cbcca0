"""CorefUD: coreference in dependency treebanks, with heads, discontinuous mentions and zeros."""
