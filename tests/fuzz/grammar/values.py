"""Values that programs trip over: numbers at limits, tags, identifiers, brackets, names of files, odd characters."""

from __future__ import annotations

from random import Random

NUMBERS = (
    *("-1", "0", "1", "2", "7", "99", "00", "-0", "+1", "1.5", ".", "1.", "1e3", "1e400", "-1e400", "0x10", "1_0"),
    *("2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "18446744073709551616"),
    *("9" * 40, "NaN", "Infinity", "-inf", "nan", "²", "٣", "１", " 1", "1 ", "1,5"),
)
WORDS = (
    *(
        "",
        " ",
        "_",
        "-",
        "*",
        "|",
        "O",
        "B-",
        "I-",
        "B-X",
        "I-X",
        "E-X",
        "S-X",
        "B-pers",
        "I-loc",
        "B-X-Y",
        "b-x",
        "B_X",
    ),
    *("NIL", "Q0", "Q1", "Q1|Q2", "NIL|NIL", "_|_", "None", "nan", "null", "true", "false", "NA", "[]", "{}", "()"),
    *(
        "(1",
        "1)",
        "(1)",
        "(1|(1",
        "1)|1)",
        "((",
        "))",
        "[[",
        "]]",
        "(e1",
        "e1)",
        "(e1-person-1-)",
        "e1[1/2]",
        "T1",
        "R1",
    ),
    *("#", "# x", "# document_id = x", "#begin document (x); part 000", "#end document", "-DOCSTART-", "-X- -X- O O"),
    *(
        "../x",
        "/x",
        "..",
        ".",
        "a/b",
        "a\\b",
        "CON",
        "nul.txt",
        "x" * 300,
        "~",
        "%s",
        "%n",
        "$(x)",
        "=1+1",
        "@x",
        "{0}",
    ),
    *("&amp;", "&x;", "&#0;", "<a>", "</a>", "<!--", "]]>", '"', "'", '""', "\\", "\\n", "\\u0000", "'''", "b''"),
    *("LED0.50", "LED1.5", "LED-1", "EndOfLine", "NoSpaceAfter", "PySBDSegment", "EndOfSentence", "d1:0-12", "d1:12-0"),
    *("per:children", "gpe:x", "PER", "C", "W", "X", "0:0", "a:b:c", "Arg1:T1", "Arg1:T99", "3 9", "9 3", "3 9;10 12"),
)
ODD = (
    *("\0", "\ufeff", "\u2028", "\u2029", "\u00a0", "\u200b", "\u202e", "\x85", "\x0b", "\x0c", "\x1b[31m", "\x7f"),
    *(
        "é",
        "e\u0301",
        "ß",
        "İ",
        "ﬁ",
        "😀",
        "👩‍👩‍👧",
        "東京",
        "\ufffd",
        "\uffff",
        "\U0010ffff",
        "\r",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
    ),
)


def hostile(random: Random) -> str:
    """Return a value that may be anything but what was expected."""
    return random.choice(random.choice((NUMBERS, WORDS, WORDS, ODD)))


def near(number: int, random: Random) -> str:
    """Return a number near this one, or one at a limit."""
    if random.random() < 0.6:
        return str(number + random.choice((-2, -1, 1, 2, 3, 10)))
    return random.choice(NUMBERS)


def times(random: Random) -> int:
    """Return how often something is repeated: mostly once or twice, at times very often."""
    return random.choice((1, 1, 1, 1, 2, 2, 3, 5, 20)) if random.random() < 0.97 else random.choice((100, 400))
