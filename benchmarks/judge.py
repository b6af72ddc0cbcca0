"""``python -m benchmarks judge``: many judges at once in the workbench of a large pool.

Judges are threads that log in, look at the next item, think, and answer, over loopback. Afterwards the journal must
hold every answer that was acknowledged, once. Memory is looked at when everyone has worked for a sixth of the time, so
that all threads and connections are there, after a half, and in the end. An answer that takes longer than the target in
more than one case of twenty, or memory that grows by more than two hundredths, is marked with an exclamation mark, and
the exit status is 1. Only a quiet machine says anything about the time.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from urllib.parse import urlencode
from uuid import uuid4

from karat.judge.pool import make_pool, write_pool
from karat.judge.project import resume
from karat.model import Argument, Document, Mention, Relation

TARGET = 0.1
"""Seconds within which 95 of 100 answers are stored and acknowledged."""

MOMENTS = (1 / 6, 1 / 2, 1)
"""The parts of the time after which memory is looked at."""


def main(words: Sequence[str]) -> None:
    """Open a workbench, let judges answer for a while, and print the table."""
    parser = argparse.ArgumentParser("benchmarks judge", description=__doc__)
    parser.add_argument("--items", type=int, default=100_000, help="items of the pool (default: 100000)")
    parser.add_argument("--judges", type=int, default=20, help="judges at once (default: 20)")
    parser.add_argument("--seconds", type=float, default=60, help="how long they work (default: 60)")
    parser.add_argument("--pause", type=float, default=1, help="seconds that a judge thinks, on average (default: 1)")
    parser.add_argument("--answers", help="the address of an empty PostgreSQL database (default: SQLite)")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        pool = Path(folder, "pool.jsonl")
        write_pool(make_pool({"system": ("", _documents(options.items))}, "relation"), pool)
        command = [sys.executable, "-m", "karat", "judge", "serve", str(pool), "--port", "0"]
        command += ["--answers", options.answers] if options.answers else []
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ) as server:
            try:
                port = _port(server)
                judges = [_Judge(port, number, options.pause) for number in range(options.judges)]
                memory = _work(judges, server.pid, options.seconds)
            finally:
                server.kill()
        answered = sorted((judge.name, nonce) for judge in judges for nonce in judge.nonces)
        with resume(pool, options.answers) as project:
            lines = [line for line in project.journal.lines() if line.act == "answer"]
            project.journal.check()
    stored = sorted((line.person, line.nonce) for line in lines)
    doubled = len(lines) - len({line.target for line in lines})
    times = sorted(seconds for judge in judges for seconds in judge.times)
    slow, grown = times[int(0.95 * len(times))] > TARGET, memory[-1] > 1.02 * memory[0]
    moments = " | ".join(f"MiB after {options.seconds * part:g} s" for part in MOMENTS)
    print(f"| items | judges | answers | lost | doubled | median ms | 95 % within ms | {moments} |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    numbers = f"{len(answered):,} | {len(set(answered) - set(stored))} | {doubled}"
    middle, most = 1000 * times[len(times) // 2], 1000 * times[int(0.95 * len(times))]
    held = " | ".join(f"{part:.1f}" for part in memory)
    timing = f"{middle:.0f} | {most:.0f}{' !' if slow else ''} | {held}{' !' if grown else ''}"
    print(f"| {options.items:,} | {options.judges} | {numbers} | {timing} |")
    sys.exit(int(slow or grown or doubled > 0 or answered != stored))


def _documents(items: int) -> Iterator[Document]:
    """Yield documents of ten triples each."""
    for number in range(items // 10):
        document = Document(f"d{number}", " ".join(f"word{place}" for place in range(20)))
        for place in range(10):
            for role, word in (("head", 2 * place), ("tail", 2 * place + 1)):
                start = document.text.index(f"word{word}")
                document.mentions.append(Mention(f"{role}{place}", ((start, start + len(f"word{word}")),), ()))
            ends = (Argument("head", f"head{place}"), Argument("tail", f"tail{place}"))
            document.relations.append(Relation(f"r{place}", f"label{place}", ends))
        yield document


def _port(server: subprocess.Popen[str]) -> int:
    for line in server.stderr or ():
        address = re.match(r"http://127\.0\.0\.1:(\d+)/", line)
        if address:
            return int(address[1])
    raise SystemExit("the workbench did not start")


def _work(judges: Sequence[_Judge], server: int, seconds: float) -> list[float]:
    """Let all judges work, and return the memory of the server at each moment."""
    for judge in judges:
        judge.enter()
    began = time.monotonic()
    threads = [threading.Thread(target=judge.work, args=(began + seconds,)) for judge in judges]
    for thread in threads:
        thread.start()
    memory = []
    for part in MOMENTS:
        time.sleep(max(0, began + seconds * part - time.monotonic()))
        memory.append(_memory(server))
    for thread in threads:
        thread.join()
    return memory


def _memory(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


class _Judge:
    """Someone with a browser."""

    def __init__(self, port: int, number: int, pause: float) -> None:
        self.name, self.pause, self.chance = f"judge{number}", pause, Random(number)
        self.origin = f"http://127.0.0.1:{port}"
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.cookie = ""
        self.nonces: list[str] = []
        self.times: list[float] = []

    def enter(self) -> None:
        fields = urlencode({"name": self.name})
        reply, _ = self._ask("POST", "/login", fields, {"Content-Type": "application/x-www-form-urlencoded"})
        self.cookie = reply.headers["set-cookie"].split(";")[0]

    def work(self, end: float) -> None:
        while time.monotonic() < end:
            time.sleep(self.chance.uniform(0, 2 * self.pause))
            self.answer()

    def answer(self) -> None:
        """Look at the next item and answer it; the time is that until the answer is acknowledged."""
        _, page = self._ask("GET", "/judge")
        target = re.search(r'id="work" data-target="([0-9a-f]+)"', page)
        seal = re.search(r'data-seal="([0-9a-f]+)"', page)
        if target is None or seal is None:
            raise SystemExit(f"{self.name} has nothing to judge; make the pool larger with --items")
        nonce = uuid4().hex
        act = {"act": "answer", "nonce": nonce, "target": target[1], "question": "right", "value": 1}
        began = time.perf_counter()
        reply, text = self._ask("POST", "/act", json.dumps(act), {"X-Karat": seal[1]})
        self.times.append(time.perf_counter() - began)
        if reply.status != 200:
            raise SystemExit(f"{self.name} is refused: {text}")
        self.nonces.append(nonce)

    def _ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, str]:
        """Ask for a page or send an act; as a browser does, once more if the connection was closed meanwhile."""
        sent = {"Cookie": self.cookie, "Origin": self.origin, **(headers or {})}
        try:
            self.connection.request(method, path, body, sent)
            reply = self.connection.getresponse()
        except ConnectionError:
            self.connection.close()
            self.connection.request(method, path, body, sent)
            reply = self.connection.getresponse()
        return reply, reply.read().decode()
