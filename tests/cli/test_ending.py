"""How commands end that cannot go on: interrupted, or out of memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import BAD, ENVIRONMENT, GOLD

from karat.cli import run

INTERRUPTS = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"


@pytest.mark.parametrize("module", ["click", "gc", "msgspec", "karat.formats.base"])
def test_an_interrupt_while_modules_are_loaded_shows_no_traceback(module: str, tmp_path: Path) -> None:
    """Modules that interrupt us while they are imported stand for somebody who is quick."""
    (tmp_path / "gold.tsv").write_text(GOLD)
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            import os, signal\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        f"if {module!r} != 'gc':\n"
        "    sys.meta_path.insert(0, Finder())\n"
        "else:\n"
        "    import gc, os, signal\n"
        "    gc.set_threshold = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
    )
    environment = ENVIRONMENT | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"}
    command = [sys.executable, "-m", "karat", "convert", "gold.tsv", "out.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "karat: interrupted")
    assert not (tmp_path / "out.jsonl").exists()


def test_the_program_is_the_one_that_is_tested() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert 'karat = "karat.__main__:program"' in project


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_workers_leave_the_answer_to_an_interrupt_to_their_maker(tmp_path: Path) -> None:
    lines = "".join(f"# document_id = {number}\nBern\tB-loc\tQ70\t_\n" for number in range(60_000))
    (tmp_path / "gold.tsv").write_text("TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n" + lines)
    (tmp_path / "copy.tsv").write_bytes((tmp_path / "gold.tsv").read_bytes())
    words = ["score", "hipe2022-nerc-coarse", "gold.tsv", "gold.tsv", "copy.tsv", "--workers", "2"]
    command = [sys.executable, "-m", "karat", *words]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None and children.exists() and len(children.read_text().split()) < 2:
        time.sleep(0.005)
    time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.decode().strip()) == (130, b"", "karat: interrupted")


OTHERS = """
import atexit, threading, time
from pathlib import Path

class Kept:
    def __del__(self, taken_apart=Path("taken-apart")):
        taken_apart.touch()

def think():
    time.sleep(0.3)
    Path("thought").touch()

kept = Kept()
atexit.register(Path("ended").touch)
threading.Thread(target=think).start()
"""
"""What may run in our process before we do: profilers, measures of coverage, whatever an installation brings."""


def ended(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder whose ``sitecustomize.py`` comes first, and return how it ended."""
    environment = ENVIRONMENT | {"PYTHONPATH": f"{folder}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_process_ends_when_all_others_are_done_and_takes_nothing_apart(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(OTHERS)
    left = []
    for words in (["-c", "pass"], ["-m", "karat", "--version"]):
        assert ended(tmp_path, *words).returncode == 0
        left.append({path.name for path in tmp_path.iterdir() if path.is_file()} - {"sitecustomize.py"})
        for name in left[-1]:
            (tmp_path / name).unlink()
    assert left == [{"ended", "thought", "taken-apart"}, {"ended", "thought"}]


FAULTY = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "karat.cli.lists":
            raise RuntimeError("torn")
sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "score hipe2022-nerc-coarse gold.tsv gold.tsv"),
        (1, "score hipe2022-nerc-coarse gold.tsv bad.tsv --fail-under f1=1"),
        (2, "scare"),
        (3, "score hipe2022-nerc-coarse gold.tsv absent.tsv"),
        (70, "formats"),
    ],
)
def test_the_process_ends_with_the_status_of_the_command(status: int, words: str, tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text(GOLD)
    (tmp_path / "bad.tsv").write_text(BAD)
    (tmp_path / "sitecustomize.py").write_text(FAULTY)
    done = ended(tmp_path, "-m", "karat", *words.split())
    assert done.returncode == status
    assert bool(done.stdout) == (status in (0, 1))
    assert bool(done.stderr) == (status != 0)


def test_all_that_was_printed_is_delivered(tmp_path: Path) -> None:
    rows = "".join(f"# document_id = {number}\nBern\tB-loc\tQ70\t_\n" for number in range(3000))
    (tmp_path / "gold.tsv").write_text("TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n" + rows)
    words = ("-m", "karat", "convert", "gold.tsv", "-", "--to", "jsonl")
    lines = ended(tmp_path, *words).stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [str(number) for number in range(3000)]


CALLER = """
import runpy, sys

sys.argv = ["karat", "--version"]
try:
    runpy.run_module("karat", run_name="__main__", alter_sys=True)
except SystemExit:
    print("and on")
sys.exit(5)
"""


def test_a_program_that_calls_ours_ends_as_it_likes(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    done = ended(tmp_path, "caller.py")
    assert (done.returncode, done.stdout.splitlines()[1:]) == (5, ["and on"])


def test_a_script_that_goes_on_behind_ours_has_a_status_of_its_own(tmp_path: Path) -> None:
    lines = (
        "import sys",
        "from karat.__main__ import main",
        "try:",
        "    main()",
        "except SystemExit:",
        "    sys.exit(5)",
    )
    (tmp_path / "script.py").write_text("\n".join(lines))
    assert ended(tmp_path, "script.py", "--version").returncode == 5


def test_the_installed_program_ends_as_ours_does(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(OTHERS)
    (tmp_path / "karat").write_text("import sys\nfrom karat.__main__ import program\nsys.exit(program())\n")
    assert ended(tmp_path, "karat", "scare").returncode == 2
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == {
        *("karat", "sitecustomize.py"),
        *("ended", "thought"),
    }


def test_a_profiler_around_the_program_has_the_last_word(tmp_path: Path) -> None:
    done = ended(tmp_path, "-m", "cProfile", "-o", "profile", "-m", "karat", "--version")
    assert done.stdout.startswith("karat, version ")
    assert (tmp_path / "profile").stat().st_size > 0


LIMITED = """
import resource, sys
from karat.cli import run
import karat.formats.brat.declaration, karat.formats.jsonl, karat.io.outputs, karat.annotations.selection
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 40_000_000, used + 40_000_000))
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the memory in use")
def test_memory_that_runs_out_is_a_sentence(tmp_path: Path) -> None:
    with (tmp_path / "big.jsonl").open("w") as stream:
        for number in range(12):
            stream.write(json.dumps({"id": f"d{number}", "text": "Ada " * 2_000_000}) + "\n")
    command = [sys.executable, "-c", LIMITED, "convert", "big.jsonl", "out", "--to", "brat"]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("karat: memory ran out: more was needed than this process may have beyond the ")
    assert done.stderr.endswith("split the input (see karat split), or leave out --ci and --workers\n")
    assert [path.name for path in tmp_path.iterdir()] == ["big.jsonl"]


def test_how_much_memory_was_needed_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def asks(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 7.45 GiB for an array with shape (1000000000,) and data type int64")

    monkeypatch.setattr("karat.cli.karat.main", asks)
    assert run(["score"]) == 3
    assert "karat: memory ran out: 7.45 GiB more were needed beyond the " in capsys.readouterr().err


def test_an_interrupted_run_of_cold_start_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    examples = Path(__file__).parents[2] / "examples" / "coldstart"
    monkeypatch.setattr("karat.protocols.coldstart.drop_in.slots.validate.PROGRAM", interrupt)
    words = ["coldstart", "run", str(examples / "kb.tac"), "--queries", str(examples / "queries.xml")]
    assert run([*words, "--docs", str(examples / "docs.txt"), "-o", str(tmp_path / "results")]) == 130
    assert "4/4 validate-sf" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
