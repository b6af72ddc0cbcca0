"""Packages import each other in one direction, and none knows what it must not."""

from __future__ import annotations

import pytest

from tests import floorplan


@pytest.fixture(scope="module")
def plan() -> floorplan.Plan:
    return floorplan.plan(floorplan.modules())


def test_packages_have_no_cycle(plan: floorplan.Plan) -> None:
    assert floorplan.cycle(plan) == []


def test_no_room_knows_what_it_must_not() -> None:
    assert floorplan.faults(floorplan.modules()) == []


def test_every_package_is_on_the_map(plan: floorplan.Plan) -> None:
    page = (floorplan.SOURCE.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    rooms = {name.removesuffix(".drop_in") for name in plan}
    assert [room for room in sorted(rooms) if f"`{room}" not in page] == []


def test_nobody_else_writes_files() -> None:
    """A format hands over documents and texts; whoever opens files on their own forgets what outputs know."""
    assert set(floorplan.modules_that_write()) == set(floorplan.WRITERS)
    assert not any(name.startswith("karat.formats") for name in floorplan.WRITERS)


@pytest.mark.parametrize("text", ["open(path, 'w')", "path.write_text('x')", "path.open(mode='ab')", "path.mkdir()"])
def test_a_writer_with_a_pen_of_its_own_is_seen(text: str) -> None:
    assert len(floorplan.changes(text)) == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("from karat.protocols.hipe.judge import judge", "knows none of them"),
        ("def late():\n    from karat.protocols import hipe", "knows none of them"),
    ],
)
def test_a_reader_that_imports_a_protocol_is_seen(text: str, fault: str) -> None:
    assert fault in " ".join(floorplan.faults(_with("formats.stray", text)))


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("protocols.hipe.stray", "import karat.formats", "never meet"),
        ("protocols.hipe.stray", "from karat.evaluation.corpora import load", "only a drop-in"),
        ("protocols.hipe.stray", "from karat.protocols.hipe.drop_in import rank", "its own evaluation's"),
        ("protocols.omin.drop_in.stray", "from karat.protocols.hipe.drop_in import rank", "its own evaluation's"),
    ],
)
def test_a_protocol_that_leaves_its_room_is_seen(name: str, text: str, fault: str) -> None:
    assert fault in " ".join(floorplan.faults(_with(name, text)))


LATE = "def late():\n    import karat.evaluation.corpora"


def test_a_cycle_is_seen() -> None:
    assert {"formats", "evaluation"} <= set(floorplan.cycle(floorplan.plan(_with("formats.stray", LATE))))


def test_types_are_not_run() -> None:
    text = "if TYPE_CHECKING:\n    from karat.protocols.hipe.judge import judge"
    assert floorplan.faults(_with("formats.stray", text)) == []


def _with(name: str, text: str) -> list[floorplan.Module]:
    """Return all modules and one more."""
    modules = floorplan.modules()
    known = {module.name for module in modules}
    return [*modules, floorplan.Module(f"karat.{name}", floorplan.imported(text, known))]
