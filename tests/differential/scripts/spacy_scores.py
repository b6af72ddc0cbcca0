"""Scores texts with two sides by spaCy's own scorer of entities. JSON in, JSON out."""

import json
import pathlib
import sys


def scored(texts, scorer):
    """Return what a scorer of spaCy says of texts."""
    import spacy
    from spacy.tokens import Doc, Span
    from spacy.training import Example

    language = spacy.blank("en")
    examples = []
    for text in texts:
        gold = Doc(language.vocab, words=text["words"], spaces=text["spaces"])
        if not text["unannotated"]:
            gold.set_ents([Span(gold, *span) for span in text["gold"]], default="outside")
        given = Doc(language.vocab, words=text["words"], spaces=text["spaces"])
        spans = [Span(given, *span) for span in text["system"]]
        if text["tokenized"]:
            given = language.make_doc(given.text)
            ends = ((span.start_char, span.end_char, span.label_) for span in spans)
            spans = [span for span in (given.char_span(start, end, label=label) for start, end, label in ends) if span]
        given.set_ents(spans, default="outside")
        examples.append(Example(given, gold))
    return scorer(examples)


if __name__ == "__main__":
    from spacy.scorer import get_ner_prf

    asked = json.loads(pathlib.Path(sys.argv[1]).read_text("utf-8"))
    sys.stdout.write(json.dumps(scored(asked, get_ner_prf)))
