"""The documentation: every example runs and prints what is shown, and the reference pages leave nothing out."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module

import click
import pytest

from karat.cli import karat
from karat.evaluation.protocol import Bound, Protocol
from karat.evaluation.registry import protocols
from karat.formats import formats
from karat.formats.tools import tools
from karat.protocols.hipe.options import PROFILES
from tests import derived, docs, floorplan
from tests.docs import PAGES, ROOT


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def page_id(page) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_examples(page, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    wrong = list(docs.check(page))

    assert not wrong, "\n\n".join(wrong)
    if lacking := docs.left_out(page):
        lines = ", ".join(f"line {line} needs {name}" for name, line in lacking.items())
        pytest.skip(f"all other examples are as shown, but {lines}, which is not installed")


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_what_an_example_needs_stands_right_above_it(page):
    lines = page.read_text("utf-8").splitlines()
    starts = {block.first - 1 for block in docs.blocks(lines)}
    needs = {index for index, line in enumerate(lines) if line.startswith("<!-- needs ")}
    assert {index + 1 for index in needs} <= starts


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_examples_do_not_call_python_by_a_name_that_many_machines_lack(page):
    for block in docs.blocks(page.read_text("utf-8").splitlines()):
        for command in docs.commands(block) if block.kind == "console" else ():
            assert not re.search(r"\bpython\b(?!3)", command.text), command.text


def test_commands_of_the_readme_by_task(monkeypatch):
    monkeypatch.chdir(ROOT)
    commands = re.findall(r"^\| [a-z ]+ \| `karat (.+)` \|$", text_of("README.md"), re.M)
    session = docs.Session()
    for command in commands:
        assert "karat:" in session.command(f"karat {command}")[-1], command
    assert len(commands) == 6


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=page_id)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert "://" not in target, f"{target}: the documentation names no hosts"
        assert (page.parent / target).exists(), target


def test_anchors_exist():
    for page in PAGES:
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text("utf-8")):
            headings = re.findall(r"^#+ (.+)$", (page.parent / target if target else page).read_text("utf-8"), re.M)
            assert anchor in {slug(heading) for heading in headings}, f"{page.name}: {target}#{anchor}"


def slug(heading: str) -> str:
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def test_navigation_lists_every_page():
    listed = set(re.findall(r"(\S+\.md)$", text_of("mkdocs.yml"), re.M))
    assert listed == {page.relative_to(ROOT / "docs").as_posix() for page in PAGES if (ROOT / "docs") in page.parents}


def test_readme_names_targets_that_exist():
    targets = re.findall(r"^(\w+):", text_of("Makefile"), re.M)
    for name in re.findall(r"^make (\w+)", text_of("README.md") + text_of("CONTRIBUTING.md"), re.M):
        assert name in targets


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its full name, groups included."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for one in command.list_commands(context):
            found = command.get_command(context, one)
            assert found is not None
            yield from leaves(found, f"{name} {one}")


COMMANDS = dict(leaves(karat, "karat"))


@pytest.mark.parametrize("name", COMMANDS)
def test_reference_names_every_option(name):
    sections = re.split(r"^#{2,3} ", text_of("docs/command-line.md"), flags=re.M)
    (section,) = [section for section in sections if section.splitlines()[0].strip("`") == name]
    command = COMMANDS[name]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in parameter.opts:
                assert f"`{option}" in section or f" {option}`" in section, option
        else:
            assert (parameter.metavar or parameter.name).strip("…").upper() in section


@pytest.mark.parametrize("name", protocols())
def test_page_of_a_protocol_names_it_and_its_options(name):
    protocol = protocols()[name]
    page = text_of(f"docs/protocols/{protocol.docs}.md")
    assert f"`{name}`" in page
    for field in fields(protocol.options):
        flag = f"--{field.name.replace('_', '-')}"
        assert f"`{field.metadata['metavar'] if field.metadata['argument'] else flag}" in page, field.name
        for choice in filter(None, field.metadata.get("choices", ())):
            assert f"`{choice}`" in page, choice
    for bound in bound_by_profile(protocol):
        for name in (*bound.regimes(), *bound.counts):
            assert f"`{name}`" in page


def bound_by_profile(protocol: Protocol) -> list[Bound]:
    profiles = (field.metadata["choices"] for field in fields(protocol.options) if field.name == "profile")
    return [protocol.with_options(), *(protocol.with_options(profile=name) for name in next(profiles, ()))]


def test_every_quirk_is_in_a_derived_table():
    pages = "\n".join(page.read_text("utf-8") for page in PAGES)
    tables = "\n".join(re.findall(r"<!-- derived: quirks.*?<!-- derived: end -->", pages, re.S))
    for quirk in (quirk for protocol in protocols().values() for quirk in protocol.quirks):
        assert f"`{quirk.name}`" in tables, quirk.name


def test_hipe_page_names_every_profile():
    page = text_of("docs/protocols/hipe.md")
    for name in PROFILES:
        assert f"`{name}`" in page


@pytest.mark.parametrize("name", formats())
def test_page_of_formats_names_each_with_its_options(name):
    pages = ["docs/tools.md"] if name in tools() else ["docs/formats.md", "docs/exports.md", "docs/language-models.md"]
    sections = [section for page in pages for section in text_of(page).split("\n## ")]
    (section,) = [section for section in sections if f"`{name}`" in section.partition("\n")[0]]
    for field in fields(formats()[name].options):
        assert f"`{field.name}`" in section, field.name
        for choice in filter(None, field.metadata.get("choices", ())):
            assert f"`{choice}`" in section, choice
    for suffix in formats()[name].suffixes:
        assert f"`{suffix}`" in section, suffix


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_derived_parts_are_what_the_code_says(page):
    text = page.read_text("utf-8")
    assert derived.renewed(text) == text, "run python -m tests.docs"


def test_the_picture_of_the_packages_is_drawn_from_the_imports():
    picture = derived.picture(floorplan.plan(floorplan.modules()))
    assert text_of("docs/packages.svg") == picture, "run python -m tests.docs"


def test_the_home_page_shows_every_protocol():
    page = text_of("docs/index.md")
    assert [name for name in protocols() if f"`{name}`" not in page] == []


def concepts_of(after: str) -> list[tuple[str, str]]:
    """Return the concepts of a table of the page for plug-ins, with the module that each comes from."""
    table = text_of("docs/plug-ins.md").partition(after)[2].lstrip().partition("\n\n")[0].splitlines()[2:]
    return [(concept, module.strip("` ")) for _, concept, _, module, _ in (row.split("|") for row in table)]


def test_concepts_are_few_and_those_that_there_are():
    """Whoever writes a protocol needs at most 12 concepts, whoever mirrors a program at most 24."""
    usual, more = (
        concepts_of(f"Whoever {does}")
        for does in ("writes a protocol needs these:", "mirrors a program needs these as well:")
    )
    assert (0 < len(usual) <= 12, len(more) > 0, len(usual) + len(more) <= 24) == (True, True, True)
    words = text_of("docs/plug-ins.md")
    for concept, module in (*usual, *more):
        name = concept.strip("` ")
        if module:
            assert hasattr(import_module(module), name), f"{module} has no {name}"
        else:
            assert len(re.findall(rf"\b{name.lower()}", words.lower())) > 1, name
