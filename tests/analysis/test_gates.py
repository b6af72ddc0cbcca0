"""Gates: bounds of any number, a baseline that must not be undercut, and what continuous integration reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from lxml import etree

import karat
from karat.analysis.gates import condition
from karat.cli import run
from karat.display.views.gates import junit
from karat.errors import UsageError

GOLD = "".join(f"-DOCSTART- (d{place:02}) O\n\nAda B-PER\nof O\nBern B-LOC\n\n" for place in range(20))
GOOD = GOLD.replace("Ada B-PER", "Ada O", 1)
BAD = GOLD.replace("Ada B-PER", "Ada O")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"gold": GOLD, "good": GOOD, "bad": BAD}.items():
        (tmp_path / f"{name}.conll").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def score(files: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def scored(system: str, *words: str) -> tuple[int, str]:
        status = run(["score", "conll2003", "gold.conll", f"{system}.conll", "-o", "out.tsv", *words])
        return status, capsys.readouterr().err

    return scored


def under(*bounds: str) -> list[str]:
    return [word for bound in bounds for word in ("--fail-under", bound)]


@pytest.mark.parametrize(
    ("bounds", "status"),
    [
        (["0.6"], 0),
        (["0.7"], 1),
        (["f1=0.6", "recall[label=LOC]=1"], 0),
        (["f1[regime=strict,label=PER]=0.01"], 1),
        (["f1[slice=length=1]=0.6", "f1[avg=macro-unit]=0.6"], 0),
        (["f1[slice=document=d03]=0.6"], 0),
        (["f1[slice=frequency=20+,layer=]=0.6"], 0),
        (["precision[label=LOC]=1", "recall[label=PER]=0.5"], 1),
    ],
)
def test_any_number_has_a_bound(score: Callable[..., tuple[int, str]], bounds: list[str], status: int) -> None:
    assert score("bad", *under(*bounds))[0] == status


def test_what_fails_is_said(score: Callable[..., tuple[int, str]]) -> None:
    _, told = score("bad", *under("0.7", "recall[label=PER]=0.5", "recall=0.1"))
    assert told.splitlines() == [
        "karat: bad.conll: F1 is 0.6667, below 0.7",
        "karat: bad.conll: recall[label=PER] is 0.0000, below 0.5",
    ]


@pytest.mark.parametrize(
    ("bound", "sentence"),
    [
        ("85", "'85' is not between 0 and 1; did you mean 0.85?"),
        ("85%", "'85%' is not between 0 and 1; did you mean 0.85?"),
        ("0.5%", "did you mean 0.005?"),
        ("nan", "'nan' is not between 0 and 1"),
        ("inf", "'inf' is not between 0 and 1"),
        ("-0.1", "'-0.1' is not between 0 and 1"),
        ("good", "'good' is not a number; expected a bound such as 0.85"),
        ("f1[label=PER]", "does not end with a number; expected a bound such as f1[label=PER]=0.85"),
        ("f1[label=PER=0.5", "does not end with a number"),
        ("frecall=0.5", "unknown measure of conll2003 'frecall'"),
        ("f1[regime=strikt]=0.5", "unknown regime of conll2003 'strikt'; did you mean 'strict'?"),
        ("f1[avg=makro-unit]=0.5", "unknown average of conll2003 'makro-unit'; did you mean 'macro-unit'"),
        ("f1[lable=PER]=0.5", "unknown part of a number 'lable'; did you mean 'label'"),
        ("f1[slice=seen=no]=0.5", "seen needs a file with other gold"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_read(
    score: Callable[..., tuple[int, str]], files: Path, bound: str, sentence: str
) -> None:
    (files / "broken.conll").write_text("Ada\tB-PER\nof\n")
    status, told = score("broken", f"--fail-under={bound}")
    assert status == 2
    assert sentence in told
    assert not (files / "out.tsv").exists()


@pytest.mark.parametrize(
    ("bound", "sentence"),
    [
        ("f1[label=PERS]=0.5", "unknown label in 'f1[label=PERS]': 'PERS'; did you mean 'PER'?"),
        ("f1[slice=length=7]=0.5", "unknown slice in"),
        ("f1[slice=lenght=1]=0.5", "did you mean 'length'"),
    ],
)
def test_a_number_that_is_not_there_is_refused(
    score: Callable[..., tuple[int, str]], files: Path, bound: str, sentence: str
) -> None:
    status, told = score("good", "--fail-under", bound)
    assert (status, sentence in told) == (2, True), told
    assert not (files / "out.tsv").exists()


def test_only_what_is_significantly_worse_fails(score: Callable[..., tuple[int, str]], files: Path) -> None:
    assert score("gold", "--save", "before.karat")[0] == 0
    assert score("good", "--fail-if-worse", "before.karat") == (0, "")
    status, told = score("bad", "--fail-if-worse", "before.karat")
    assert status == 1
    assert told.startswith("karat: bad.conll: ")
    assert "before.karat" in told
    assert score("bad", "--save", "bad.karat")[0] == 0
    assert run(["show", "bad.karat", "-o", "out.tsv", "--fail-if-worse", "before.karat"]) == 1
    assert run(["show", "bad.karat", "-o", "out.tsv", "--fail-under", "f1[label=LOC]=1"]) == 0


def test_a_baseline_of_another_kind_is_refused(score: Callable[..., tuple[int, str]], files: Path) -> None:
    assert run(["score", "seqeval", "gold.conll", "good.conll", "-o", "o.tsv", "--save", "other.karat"]) == 0
    assert score("good", "--fail-if-worse", "other.karat")[0] == 2
    assert score("good", "--fail-if-worse", "gold.conll")[0] == 3
    assert score("good", "--junit", "x.xml")[0] == 2


JUNIT = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:attributeGroup name="counts">
    <xs:attribute name="name" use="required"/><xs:attribute name="time" type="xs:decimal" use="required"/>
    <xs:attribute name="tests" type="xs:integer" use="required"/>
    <xs:attribute name="failures" type="xs:integer" use="required"/>
    <xs:attribute name="errors" type="xs:integer" use="required"/>
  </xs:attributeGroup>
  <xs:element name="property"><xs:complexType>
    <xs:attribute name="name" use="required"/><xs:attribute name="value" use="required"/>
  </xs:complexType></xs:element>
  <xs:element name="failure"><xs:complexType>
    <xs:attribute name="type" use="required"/><xs:attribute name="message" use="required"/>
  </xs:complexType></xs:element>
  <xs:element name="testcase"><xs:complexType>
    <xs:sequence><xs:element ref="failure" minOccurs="0"/></xs:sequence>
    <xs:attribute name="classname" use="required"/><xs:attribute name="name" use="required"/>
    <xs:attribute name="time" type="xs:decimal" use="required"/>
  </xs:complexType></xs:element>
  <xs:element name="testsuite"><xs:complexType>
    <xs:sequence>
      <xs:element name="properties" minOccurs="0"><xs:complexType>
        <xs:sequence><xs:element ref="property" maxOccurs="unbounded"/></xs:sequence>
      </xs:complexType></xs:element>
      <xs:element ref="testcase" maxOccurs="unbounded"/>
    </xs:sequence>
    <xs:attributeGroup ref="counts"/>
  </xs:complexType></xs:element>
  <xs:element name="testsuites"><xs:complexType>
    <xs:sequence><xs:element ref="testsuite" maxOccurs="unbounded"/></xs:sequence><xs:attributeGroup ref="counts"/>
  </xs:complexType></xs:element>
</xs:schema>"""
"""What readers of JUnit reports have in common: elements, their order, and the attributes that some of them require."""


def test_a_report_has_the_shape_that_readers_of_junit_expect(
    score: Callable[..., tuple[int, str]], files: Path
) -> None:
    assert score("bad", *under("0.6", "recall[label=PER]=0.5"), "--junit", "report.xml")[0] == 1
    schema = etree.XMLSchema(etree.fromstring(JUNIT))
    schema.assertValid(etree.parse(files / "report.xml"))


def test_pages_for_continuous_integration(score: Callable[..., tuple[int, str]], files: Path) -> None:
    words = under("0.6", "recall[label=PER]=0.5")
    assert score("bad", *words, "--junit", "report.xml", "--summary", "summary.md")[0] == 1
    root = ElementTree.fromstring((files / "report.xml").read_text())  # noqa: S314 - written above
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    first, second = root.iter("testcase")
    assert first.get("name") == "F1 >= 0.6"
    assert first.find("failure") is None
    assert second.find("failure").get("message") == "recall[label=PER] is 0.0000, below 0.5"  # type: ignore[union-attr]
    prop = root.find(".//property")
    assert prop is not None
    assert prop.get("value", "").startswith("karat:")
    page = (files / "summary.md").read_text()
    assert page.startswith("## Karat: failed: 1 of 2 conditions\n")
    assert "| **failed** | bad.conll | recall\\[label=PER\\] \\>= 0.5 |" in page
    assert "| micro | strict |" in page


def test_an_input_is_never_replaced(score: Callable[..., tuple[int, str]], files: Path) -> None:
    for name in ("junit", "summary"):
        status, _ = score("good", "--fail-under", "0.1", f"--{name}", "gold.conll")
        assert status in (2, 3)
    assert (files / "gold.conll").read_text() == GOLD


def test_xml_holds_whatever_names_there_are() -> None:
    from karat.analysis.gates import GateOutcome

    text = junit([GateOutcome("a\x00\ufffe<b>&\"'\ud800", "x\x1b", False, "\x07")], [])
    suite = ElementTree.fromstring(text)[0]  # noqa: S314 - made above
    assert suite.get("name") == "a\\x00\\ufffe<b>&\"'\\ud800"


def test_in_python() -> None:
    scores = karat.score("seqeval", [["B-LOC", "O", "B-PER"]] * 8, [["B-LOC", "O", "O"]] * 8)
    before = karat.score("seqeval", [["B-LOC", "O", "B-PER"]] * 8, [["B-LOC", "O", "B-PER"]] * 8)
    assert karat.gate(scores, 0.6).is_passed
    assert karat.gate(before, 0.6, baseline=scores).is_passed
    gate = karat.gate(scores, 0.6, "recall[label=PER]=0.5", baseline=before)
    assert [outcome.is_passed for outcome in gate.outcomes] == [True, False, False]
    assert "recall[label=PER] is 0.0000, below 0.5" in str(gate)
    with pytest.raises(UsageError, match="needs a bound or a baseline"):
        karat.gate(scores)


def test_conditions_are_read_from_the_end() -> None:
    assert condition("f1[label=a=b]=0.5") == (0.5, "f1[label=a=b]")
    assert condition(1) == (1.0, "")
