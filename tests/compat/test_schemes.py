"""The schemes of seqeval as classes, with their patterns, schemes of one's own, and the forms of its report."""

from __future__ import annotations

from itertools import product

import pytest

from karat.annotations.strict_tags import rules_of
from karat.compat.seqeval import f1_score
from karat.compat.seqeval.reporters import DictReporter, Reporter, StringReporter
from karat.compat.seqeval.scheme import IOB2, IOBES, Prefix, Tag, Token, Tokens, schemes
from karat.protocols.spans.readings import SCHEMES


class Whole(Token):
    """B starts, I goes on whatever its type, and everything ends."""

    allowed_prefix = Prefix.I | Prefix.O | Prefix.B
    start_patterns = {(Prefix.ANY, Prefix.B, Tag.ANY)}  # noqa: RUF012 - as users of the package write them
    inside_patterns = {(Prefix.B | Prefix.I, Prefix.I, Tag.ANY)}  # noqa: RUF012
    end_patterns = {(Prefix.B | Prefix.I, Prefix.B | Prefix.O, Tag.ANY)}  # noqa: RUF012


def test_patterns_are_those_of_the_scheme() -> None:
    assert IOB2.start_patterns == {(Prefix.ANY, Prefix.B, Tag.ANY)}
    assert IOB2.inside_patterns == {(Prefix.B, Prefix.I, Tag.SAME), (Prefix.I, Prefix.I, Tag.SAME)}
    assert IOBES.end_patterns == {(Prefix.S, Prefix.ANY, Tag.ANY), (Prefix.E, Prefix.ANY, Tag.ANY)}
    assert (Token.allowed_prefix, Token.start_patterns) == (None, None)


@pytest.mark.parametrize("name", SCHEMES)
def test_neighbours_by_pattern_are_those_by_rule(name: str) -> None:
    scheme, rules = schemes()[name], rules_of(SCHEMES[name])
    for before, here, label in product(rules.letters, rules.letters, "ab"):
        first, second = scheme(f"{before}-a"), scheme(f"{here}-{label}")
        told = second.is_start(first), second.is_inside(first), second.is_end(first)
        pair = before, here, label == "a"
        assert told == (pair in rules.starts, pair in rules.inside, pair in rules.ends)


def test_types_of_neighbours_are_compared() -> None:
    first, second = IOB2("B-PER"), IOB2("I-LOC")
    assert [second.check_tag(first, cond) for cond in Tag] == [False, True]
    assert second.check_tag(first, Tag.ANY)
    assert second.check_patterns(first, {(Prefix.B, Prefix.I, Tag.DIFF)})
    assert not second.check_patterns(first, {(Prefix.B, Prefix.I, Tag.SAME), (Prefix.I, Prefix.I, Tag.ANY)})


def test_a_scheme_of_ones_own() -> None:
    tags = ["B-PER", "I-LOC", "O", "B-LOC"]
    assert [entity.to_tuple() for entity in Tokens(tags, Whole, sent_id=3).entities] == [
        (3, "PER", 0, 2),
        (3, "LOC", 3, 4),
    ]
    assert [str(token) for token in Tokens(tags, Whole).extended_tokens] == [*tags, "O"]
    assert f1_score([tags], [["B-PER", "I-PER", "O", "O"]], mode="strict", scheme=Whole) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="Invalid token is found: S-PER"):
        f1_score([tags], [["S-PER", "O", "O", "O"]], mode="strict", scheme=Whole)


def test_reports_are_written_row_by_row() -> None:
    text, table = StringReporter(width=4, digits=1), DictReporter()
    for reporter in (text, table):
        assert isinstance(reporter, Reporter)
        reporter.write("PER", 0.5, 1.0, 0.66, 2)
        reporter.write_blank()
    head = "      precision    recall  f1-score   support"
    assert text.report() == f"{head}\n\n PER        0.5       1.0       0.7         2\n"
    assert table.report() == {"PER": {"precision": 0.5, "recall": 1.0, "f1-score": 0.66, "support": 2}}
