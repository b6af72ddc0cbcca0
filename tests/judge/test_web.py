"""The workbench as a browser, a stranger and an attacker see it, without a browser."""

from __future__ import annotations

import gc
import io
import itertools
import re
import weakref
import zipfile
from pathlib import Path

import pytest

from karat.judge.journal import Act
from karat.judge.people import People
from karat.judge.pool import make_pool, write_pool
from karat.judge.project import begin

from .test_pool import document
from .test_results import SYSTEMS

pytest.importorskip("starlette", reason="Starlette is not installed: pip install 'karat[judge]'")
pytest.importorskip("httpx2", reason="httpx2 is not installed")
pytest.importorskip("jinja2", reason="Jinja2 is not installed: pip install 'karat[judge]'")

from anyio.to_thread import current_default_thread_limiter
from starlette.testclient import TestClient

from karat.judge.web.app import THREADS, Workbench
from karat.judge.web.guard import COOKIE, MAX_BODY

pytestmark = pytest.mark.usefixtures("everywhere")
ORIGIN = "http://127.0.0.1:8765"
_numbers = itertools.count()


class Browser:
    """A page of the workbench that someone has open."""

    def __init__(self, bench: Workbench) -> None:
        self.client = TestClient(bench.app, base_url=ORIGIN, follow_redirects=False)
        self.seal = ""

    def enter(self, name: str, token: str = "", **headers: str):
        headers = {"origin": ORIGIN, **headers}
        response = self.client.post("/login", data={"name": name, "token": token}, headers=headers)
        if response.status_code == 303:
            page = self.client.get("/judge")
            self.seal = re.search(r'data-seal="([0-9a-f]*)"', page.text)[1]
        return response

    def act(self, path: str = "/act", headers: dict[str, str] | None = None, **content):
        content = {"act": "answer", "nonce": f"number-{next(_numbers):08}", **content}
        sent = {"origin": ORIGIN, "x-karat": self.seal, **(headers or {})}
        return self.client.post(path, json=content, headers=sent)

    def item(self) -> str:
        return re.search(r'id="work" data-target="([0-9a-f]{16})"', self.client.get("/judge").text)[1]


class Bench:
    """A workbench with its project, on this machine or for all."""

    def __init__(self, folder: Path, systems=SYSTEMS, host: str = "127.0.0.1", overlap: float = 1.0) -> None:
        write_pool(make_pool(systems, "relation", overlap=overlap), folder / "pool.jsonl")
        self.project = begin(folder / "pool.jsonl", "correct")
        self.people = People(self.project.database)
        names = frozenset({"127.0.0.1"})
        self.bench = Workbench(self.project, self.people, host=host, names=names)

    def answer_all(self, name: str) -> None:
        """Let somebody call every item right that waits for them."""
        desk = self.bench.desk
        while entry := desk.next_entry(name):
            desk.act(Act(name, "answer", f"number-{next(_numbers):08}", entry.id, "right", 1.0))

    def browser(self, name: str = "", token: str = "") -> Browser:
        browser = Browser(self.bench)
        if name:
            assert browser.enter(name, token).status_code == 303
        return browser


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_judge_answers_and_moves_on(bench: Bench) -> None:
    ann = bench.browser("ann")
    first = ann.item()
    reply = ann.act(target=first, question="right", value=1)
    assert reply.status_code == 200
    assert ann.item() != first
    assert bench.project.judgements().judges == ["ann"]
    assert ann.act("/undo").status_code == 200
    assert ann.item() == first


def test_nothing_is_called_absent_from_a_text_that_nobody_has(tmp_path: Path) -> None:
    page = Bench(tmp_path, {"a": ("1", [document("d", ("x", "is", "y"))])}).browser("ann").client.get("/judge").text
    assert "The text of this document is not known." in page
    assert "Not in the text" not in page


def test_an_answer_that_cannot_be_is_said(bench: Bench) -> None:
    ann = bench.browser("ann")
    reply = ann.act(target=ann.item(), question="right", value=3)
    assert reply.status_code == 400
    assert "does not take that answer" in reply.json()["error"]
    assert ann.act(target=ann.item(), question="right", value=1, more=2).status_code == 400
    assert ann.act("/undo").json()["error"] == "no act is left to undo"


def test_nobody_comes_in_without_a_session(bench: Bench) -> None:
    stranger = bench.browser()
    for path in ("/judge", "/discover", "/adjudicate", "/summary", "/summary.json", "/judge/0000"):
        response = stranger.client.get(path)
        assert (response.status_code, response.headers["location"]) == (303, "/login")
    for path in ("/act", "/undo", "/reveal", "/logout"):
        assert stranger.act(path).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"x-karat": "0" * 64},
        {"x-karat": ""},
    ],
)
def test_an_act_from_a_foreign_page_is_refused(bench: Bench, headers: dict[str, str]) -> None:
    ann = bench.browser("ann")
    assert ann.act(headers=headers, target=ann.item(), question="right", value=1).status_code == 403
    assert not bench.project.judgements().judges


def test_login_from_a_foreign_page_is_refused(bench: Bench) -> None:
    assert bench.browser().enter("ann", origin="http://evil.example").status_code == 403


def test_another_host_is_not_answered(bench: Bench) -> None:
    response = bench.browser("ann").client.get("/judge", headers={"host": "evil.example"})
    assert response.status_code == 421


def test_a_cookie_set_before_login_is_worth_nothing(bench: Bench) -> None:
    ann = bench.browser()
    ann.client.cookies.set(COOKIE, "planted", domain="127.0.0.1", path="/")
    response = ann.enter("ann")
    given = response.cookies[COOKIE]
    assert given != "planted"
    assert bench.people.whose("planted") is None
    assert bench.people.whose(given).name == "ann"
    assert "HttpOnly" in response.headers["set-cookie"]
    assert "samesite=strict" in response.headers["set-cookie"].lower()


def test_a_session_that_was_left_is_over(bench: Bench) -> None:
    ann = bench.browser("ann")
    session = ann.client.cookies[COOKIE]
    assert ann.act("/logout").status_code == 200
    assert bench.people.whose(session) is None


def test_another_address_needs_tokens(tmp_path: Path) -> None:
    bench = Bench(tmp_path, host="192.0.2.1")
    assert bench.browser().enter("ann").status_code == 403
    token = bench.people.invite("ann", "judge")
    assert bench.browser().enter("ann", "x" + token).status_code == 403
    ann = bench.browser("ann", token)
    assert ann.client.get("/judge").status_code == 200
    bench.people.invite("ann", "judge")
    assert ann.client.get("/judge").status_code == 303
    assert bench.browser().enter("ann", token).status_code == 403


def test_a_machine_that_is_reached_by_another_name_needs_tokens(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    named = Workbench(bench.project, bench.people, host="127.0.0.1", names=frozenset({"judge.example.org"}))
    assert Browser(named).enter("ann").status_code == 403
    assert Browser(named).enter("ann", bench.people.invite("ann", "judge")).status_code == 303


@pytest.mark.parametrize("headers", [{"host": "[::1"}, {"host": "["}, {"origin": "http://["}, {"x-karat": "\xe9"}])
def test_headers_that_are_none_are_refused(bench: Bench, headers: dict[str, str]) -> None:
    ann = bench.browser("ann")
    sent = {"origin": ORIGIN, "x-karat": ann.seal, **headers}
    encoded = {name: value.encode("latin-1") for name, value in sent.items()}
    response = ann.client.post("/act", json={"act": "skip", "nonce": "number-odd"}, headers=encoded)
    assert response.status_code in (403, 421)
    assert "content-security-policy" in response.headers


def test_a_name_with_a_token_cannot_be_taken_without_it(bench: Bench) -> None:
    bench.people.invite("owner", "owner")
    assert bench.browser().enter("owner").status_code == 403


def test_guessing_has_to_wait(bench: Bench) -> None:
    bench.people.invite("owner", "owner")
    stranger = bench.browser()
    assert [stranger.enter("owner", "guess").status_code for _ in range(6)] == [403] * 5 + [429]


def test_roles_are_kept(bench: Bench) -> None:
    ann = bench.browser("ann")
    judge_only = [ann.client.get(path).status_code for path in ("/adjudicate", "/summary", "/summary.json")]
    assert judge_only == [403, 403, 403]
    assert ann.act(act="adjudicate", target=ann.item(), question="right", value=1).status_code == 403
    assert ann.act("/reveal").status_code == 403
    eve = bench.browser("eve", bench.people.invite("eve", "adjudicator"))
    assert eve.client.get("/adjudicate").status_code == 200
    assert eve.client.get("/summary").status_code == 403


def test_a_judge_cannot_read_anothers_answers_by_any_address(tmp_path: Path) -> None:
    bench = Bench(tmp_path, overlap=0.0)
    ann, ben = bench.browser("ann"), bench.browser("ben")
    item = ann.item()
    ann.act(act="note", target=item, question="note", text="a secret thought")
    ann.act(target=item, question="right", value=1)
    assert ben.client.get(f"/judge/{item}").status_code == 404
    pages = [ben.client.get(path).text for path in ("/judge", "/discover", "/discover/1")]
    assert not any("secret" in page for page in pages)


def test_systems_stay_hidden_until_the_owner_shows_them(bench: Bench) -> None:
    ann = bench.browser("ann")
    ann.act(target=ann.item(), question="right", value=1)
    owner = bench.browser("owner", bench.people.invite("owner", "owner"))
    before = owner.client.get("/summary").text
    assert "System 1" in before
    assert ">a<" not in before
    assert owner.act("/reveal").status_code == 200
    assert ">a<" in owner.client.get("/summary").text
    assert [line.person for line in bench.project.journal.lines() if line.act == "reveal"] == ["owner"]


EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>'\"{{7*7}}"


def test_text_is_never_markup(tmp_path: Path) -> None:
    systems = {EVIL: ("1", [document(EVIL[:40], (EVIL, EVIL, EVIL), text=f"before {EVIL} after")])}
    bench = Bench(tmp_path, systems)
    ann = bench.browser(EVIL[:60])
    item = ann.item()
    assert ann.act(act="note", target=item, question="note", text=EVIL).status_code == 200
    fact = '{"label": "<b>x</b>", "parts": [["<i>h</i>", []], ["t", []]]}'
    assert ann.act(act="fact", target=EVIL[:40], question="one", text=fact).status_code == 200
    owner = bench.browser("owner", bench.people.invite("owner", "owner"))
    pages = [ann.client.get("/judge"), ann.client.get("/discover"), owner.client.get("/summary")]
    pages += [owner.client.get("/adjudicate"), ann.client.get("/login")]
    for page in pages:
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "<b>x</b>" not in page.text
        assert "49" not in re.sub(r"[0-9a-f]{16,}", "", page.text)


def test_a_fact_that_is_none_is_refused(bench: Bench) -> None:
    ann = bench.browser("ann")
    reply = ann.act(act="fact", target="d0", question="one", text="no fact at all")
    assert reply.status_code == 400
    assert bench.browser("ann").client.get("/discover").status_code == 200


SQL = ["'; DROP TABLE journal; --", '" OR ""="', "%s", "?", "\\", "x\x00y"]


@pytest.mark.parametrize("text", SQL)
def test_statements_in_any_field_stay_text(bench: Bench, text: str) -> None:
    ann = bench.browser("ann")
    item = ann.item()
    for field in ("target", "question", "nonce", "text"):
        content = {"target": item, "question": "right", "value": 1, field: text}
        assert ann.act(**content).status_code in (200, 400)
    assert bench.browser().enter(text, text).status_code in (400, 403)
    bench.project.journal.check()


def test_giant_bodies_are_refused_before_they_are_read(bench: Bench) -> None:
    ann = bench.browser("ann")
    assert ann.act(target="x" * MAX_BODY).status_code == 413
    for length in ({}, {"content-length": "1", "transfer-encoding": "chunked"}):
        headers = {"origin": ORIGIN, "x-karat": ann.seal, **length}
        assert ann.client.post("/act", content=iter([b"x"]), headers=headers).status_code == 413


@pytest.mark.parametrize("name", ["../app.py", "..%2Fapp.py", "%2e%2e/guard.py", "judge.css/../../app.py", "x"])
def test_only_our_own_files_are_given_out(bench: Bench, name: str) -> None:
    assert bench.browser().client.get(f"/static/{name}").status_code in (303, 404)
    assert bench.browser().client.get("/static/judge.css").status_code == 200


def test_pages_may_load_nothing_from_elsewhere(bench: Bench) -> None:
    response = bench.browser("ann").client.get("/judge")
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "://" not in re.sub(r"http://www\.w3\.org/\S*", "", response.text)
    assert response.headers["cache-control"] == "no-store"


def test_an_adjudicator_settles_what_judges_answered_differently(bench: Bench) -> None:
    ann, ben = bench.browser("ann"), bench.browser("ben")
    item = ann.item()
    ann.act(target=item, question="right", value=1)
    ben.act(target=item, question="right", value=0)
    eve = bench.browser("eve", bench.people.invite("eve", "adjudicator"))
    page = eve.client.get("/adjudicate").text
    assert item in page
    assert "ann" not in page
    assert eve.act(act="adjudicate", target=item, question="right", value=0).status_code == 200
    (settled,) = bench.project.judgements().disagreements()
    assert (settled.decided, len(settled.ratings)) == (0.0, 2)
    assert "Every disagreement is settled" in eve.client.get("/adjudicate").text


def test_judges_are_asked_again_and_their_first_answers_stay(bench: Bench) -> None:
    ann, ben = bench.browser("ann"), bench.browser("ben")
    item = ann.item()
    for judge, value in ((ann, 1), (ben, 0)):
        assert judge.act(target=item, question="right", value=value).status_code == 200
        assert judge.item() != item
    eve = bench.browser("eve", bench.people.invite("eve", "adjudicator"))
    assert "Open, 1" in eve.client.get("/adjudicate").text
    assert ann.act(act="again", target=item, question="right").status_code == 403
    assert eve.act(act="again", target=item, question="right").status_code == 200
    page = eve.client.get("/adjudicate").text
    assert "Open, 0" in page
    assert "Asked again, 1" in page
    assert ann.item() == ben.item() == item
    assert eve.act("/undo").status_code == 200
    assert ann.item() != item
    assert "Open, 1" in eve.client.get("/adjudicate").text
    assert eve.act(act="again", target=item, question="right").status_code == 200
    assert ben.act(target=item, question="right", value=1).status_code == 200
    assert ben.item() != item
    assert ann.item() == item
    assert ann.act(target=item, question="right", value=1).status_code == 200
    assert ann.item() != item
    assert not list(bench.project.judgements().disagreements())
    answers = [line.value for line in bench.project.journal.lines() if line.act == "answer"]
    assert answers == [1, 0, 1, 1]


def test_the_summary_opens_with_a_sentence_and_numbers(bench: Bench) -> None:
    eve = bench.browser("eve", bench.people.invite("eve", "owner"))
    assert "is judged yet" in eve.client.get("/summary").text
    ann = bench.browser("ann")
    for value in (1, 0, 1):
        assert ann.act(target=ann.item(), question="right", value=value).status_code == 200
    page = eve.client.get("/summary").text
    items = len(bench.project.pool.entries)
    assert f"3 of {items}</dd>" in page
    assert re.search(rf'class="quotable">\d+\.\d % of the {items} relations are correct', page)
    assert f"3 of {items} relations are judged" in page
    bench.answer_all("ann")
    page = eve.client.get("/summary").text
    assert "are correct (all judged, no sampling error)." in page
    assert f"All {items} relations are judged; judges disagree on nothing." in page
    assert '<th scope="row" dir="auto">All relations</th>' in page


def test_the_summary_says_how_far_two_judges_agree(bench: Bench) -> None:
    eve = bench.browser("eve", bench.people.invite("eve", "owner"))
    for name, answers in (("ann", (1, 0, 1, 1)), ("ben", (1, 0, 1, 0))):
        judge = bench.browser(name)
        for value in answers:
            assert judge.act(target=judge.item(), question="right", value=value).status_code == 200
    page = eve.client.get("/summary").text
    assert "κ 0.50</dd>" in page  # three of four answers are equal, and half of them would be by chance
    assert "75.0 %" in page
    assert "judged, 4 of them by several judges" in page


def test_files_of_the_summary_keep_the_names_hidden_as_well(tmp_path: Path) -> None:
    bench = Bench(tmp_path, systems={"secret − name": SYSTEMS["a"], "other": SYSTEMS["b"]})
    eve = bench.browser("eve", bench.people.invite("eve", "owner"))
    bench.answer_all("ann")
    for named in (False, True):
        for ending in ("json", "csv", "md", "tex", "xlsx"):
            reply = eve.client.get(f"/summary.{ending}")
            assert reply.headers["content-disposition"] == f'attachment; filename="summary.{ending}"'
            content = reply.content
            if ending == "xlsx":
                content = zipfile.ZipFile(io.BytesIO(content)).read("xl/sharedStrings.xml")
            assert ("secret" in content.decode()) == named
            assert ("System 1" in content.decode()) != named
        eve.act("/reveal")
    assert eve.client.get("/summary.exe").status_code == 404


def test_pages_and_acts_leave_nothing_behind(tmp_path: Path) -> None:
    """What a workbench holds follows from the answers that stand: not from visits, acts, names or failures."""
    bench = Bench(tmp_path)
    ann, stranger = bench.browser("ann"), bench.browser()
    item = ann.item()
    gc.collect()
    gc.freeze()  # what other tests have left need not be counted

    def objects_after_visits() -> int:
        for number in range(6):
            assert ann.act(target=item, question="right", value=number % 2).status_code == 200
            assert ann.client.get("/judge").status_code == 200
            assert ann.client.get("/discover").status_code == 200
            assert stranger.enter(f"nobody{next(_numbers)}", "wrong").status_code in (403, 429)
        gc.collect()
        return sum(not isinstance(part, weakref.ref) for part in gc.get_objects())  # the client's threads leave those

    objects_after_visits()
    before = objects_after_visits()
    assert objects_after_visits() <= before + 10
    assert len(bench.bench.attempts.failures) <= 6


def test_few_threads_serve_many_judges(bench: Bench) -> None:
    with bench.browser().client as client:
        limiter = client.portal.call(current_default_thread_limiter)
        assert limiter.total_tokens == THREADS
