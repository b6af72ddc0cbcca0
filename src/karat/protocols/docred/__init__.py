"""DocRED and Re-DocRED: relations between the entities of a document, with the sentences that are evidence."""

FACTS, EVIDENCE, INTRA, INTER = "facts", "evidence", "intra", "inter"
FREQUENT, LONG_TAIL = "frequent", "long-tail"
TRAINING = {"ign-annotated": "train", "ign-distant": "distant"}
"""The regimes that leave out what was seen in training, and the option that names the data of each."""

OF_DOCRED = (FACTS, *TRAINING, EVIDENCE, INTRA, INTER)
OF_REDOCRED = (*OF_DOCRED, FREQUENT, LONG_TAIL)
