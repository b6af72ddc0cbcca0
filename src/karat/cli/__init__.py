"""The command line. This module imports only click; each command imports its own modules when it is called."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import click

from karat._version import __version__

COMMANDS = {
    "demo": ("karat.cli.demo:demo", "Write the examples that come with Karat into a folder."),
    "score": ("karat.cli.score:score", "Score systems against gold by a published protocol."),
    "show": ("karat.cli.score:show", "Show the scores of runs saved by karat score --save."),
    "compare": (
        "karat.cli.contests:compare",
        "Test whether one system is better than another, and on which items.",
    ),
    "split": ("karat.cli.shards:split", "Cut a large file into shards, which are scored side by side."),
    "merge": ("karat.cli.shards:merge", "Put the runs of shards together, which karat score --save has kept."),
    "facts": ("karat.cli.shards:facts", "Gather what must be known of all shards before one is scored."),
    "leaderboard": (
        "karat.cli.leaderboard:leaderboard",
        "Rank systems, with intervals of ranks and statistical ties.",
    ),
    "explain": (
        "karat.cli.explain:explain",
        "Show the verdict on every gold and system item, with its reason.",
    ),
    "report": (
        "karat.cli.report:report",
        "Write an HTML page with the scores and every document with gold and systems in it.",
    ),
    "verify": ("karat.cli.verify:verify", "Score a published result again, and check its numbers."),
    "signature": ("karat.cli.verify:signature", "Explain a signature in words."),
    "convert": ("karat.cli.convert:convert", "Convert annotations from one format to another."),
    "validate": ("karat.cli.validate:validate", "List every problem of an annotation file in one pass."),
    "protocols": (
        "karat.cli.lists:protocols",
        "List the protocols, or describe one with its options and quirks.",
    ),
    "formats": ("karat.cli.lists:formats", "List the annotation formats, or describe one with its options."),
    "hipe": (
        "karat.protocols.hipe.drop_in.commands:hipe",
        "HIPE 2020 and 2022: drop-ins for the organisers' programs.",
    ),
    "newsreader": (
        "karat.protocols.newsreader.drop_in.commands:newsreader",
        "NewsReader entity disambiguation: drop-ins for the published programs.",
    ),
    "ehealthkd": (
        "karat.protocols.ehealthkd.drop_in.commands:ehealthkd",
        "eHealth-KD 2019, 2020 and 2021: drop-ins for the organisers' programs.",
    ),
    "conll2012": (
        "karat.protocols.coreference.drop_in.commands:conll2012",
        "CoNLL-2012 coreference: the drop-in for the official scorer.",
    ),
    "conlleval": (
        "karat.protocols.spans.drop_in.commands:conlleval",
        "CoNLL-2000 to 2003 chunks: the drop-in for conlleval.",
    ),
    "wnut17": (
        "karat.protocols.spans.drop_in.commands:wnut17",
        "WNUT-17: drop-ins for the evaluation of emerging entities and their surface forms.",
    ),
    "tacred": (
        "karat.protocols.tacred.drop_in.commands:tacred",
        "TACRED: the drop-in for its scorer of relation labels.",
    ),
    "semeval2010": (
        "karat.protocols.semeval2010.drop_in.commands:semeval2010",
        "SemEval-2010 task 8: drop-ins for the official scorer and the checker of formats.",
    ),
    "docred": (
        "karat.protocols.docred.drop_in.commands:docred",
        "DocRED: the drop-in for its program of evaluation.",
    ),
    "pure": ("karat.protocols.relations.drop_in.commands:pure", "PURE: the drop-in for its run_eval.py."),
    "spert": ("karat.protocols.relations.drop_in.commands:spert", "SpERT: the table that it prints."),
    "coldstart": (
        "karat.protocols.coldstart.drop_in.commands:coldstart",
        "TAC KBP Cold Start 2015: drop-ins for the organisers' programs.",
    ),
    "ontology": (
        "karat.cli.ontology:ontology",
        "Build an ontology from Wikidata or KGTK files, and ask how alike two entities are.",
    ),
    "omin": (
        "karat.protocols.omin.drop_in.commands:omin",
        "OMIn (trusted_ke): drop-ins for the programs about entities, links and coreference.",
    ),
    "judge": ("karat.cli.judge:judge", "Let experts rate what systems extracted: blind, pooled, and with agreement."),
    "completion": ("karat.cli.completion:completion", "Print the completion script for your shell."),
}
"""Every command with the module of its code and its line in the help."""

SECTIONS = {
    "Begin": ("demo", "protocols", "formats"),
    "Score": ("score", "explain", "report", "show"),
    "Compare and publish": ("compare", "leaderboard", "verify", "signature"),
    "Files": ("convert", "validate"),
    "People who judge": ("judge",),
    "Large runs": ("split", "facts", "merge"),
    "The official programs, under the same arguments": (
        *("hipe", "newsreader", "ehealthkd", "omin", "conll2012", "conlleval", "wnut17"),
        *("tacred", "semeval2010", "docred", "pure", "spert", "coldstart"),
    ),
    "Further": ("ontology", "completion"),
}
"""The sections of the help, with their commands."""
EXAMPLES = """\b
Examples:
  karat demo                                              the examples, in a folder
  karat score conll2003 gold.conll system.conll           a score with its signature
  karat explain conll2003 gold.conll system.conll         why: every item in its words
  karat report conll2003 gold.conll a.conll b.conll -o report.html --open

A protocol is a published way to score: karat protocols lists them. GOLD is what is
right, SYSTEM what a system found; both may be files or folders of any format."""


class _ReaderGoneError(Exception):
    """The reader of standard output has closed the pipe (`karat … | head`); this is not an error."""


class LazyGroup(click.Group):
    """A command group that imports a command only when it is called."""

    def __init__(
        self,
        *args: object,
        lazy: dict[str, tuple[str, str]],
        sections: dict[str, tuple[str, ...]] | None = None,
        **kwargs: object,
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.lazy, self.sections = lazy, sections or {"Commands": tuple(lazy)}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of declaration, which is the order of the help."""
        del ctx
        return list(self.lazy)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import and return the command of that name."""
        del ctx
        if name not in self.lazy:
            return None
        module, _, attribute = self.lazy[name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - an error in the table above, not of the user
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        widest = max(map(len, self.lazy))
        for section, names in self.sections.items():
            with formatter.section(section):
                formatter.write_dl([(f"{name:{widest}}", self.lazy[name][1]) for name in names])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, and catch a closed pipe, which click would report as a failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ReaderGoneError from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, or raise an error that suggests a similar one."""
        if args and args[0] not in self.lazy and not args[0].startswith("-"):
            from karat.errors import unknown

            if args[0] == "help":
                ctx.fail(f"ask for help by {' '.join([ctx.command_path, *args[1:]])} --help")
            ctx.fail(str(unknown("command", args[0], self.lazy)))
        return super().resolve_command(ctx, args)


class _Karat(LazyGroup):
    """The command ``karat``; its own flags are accepted anywhere on the line, also after those of a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move its own flags to the front; all words after ``--`` are names."""
        flags = {flag for option in self.params if not option.is_eager for flag in option.opts}
        end = args.index("--") if "--" in args else len(args)
        words = sorted(args[:end], key=lambda word: word not in flags)
        return super().parse_args(ctx, [*words, *args[end:]])


@click.command(
    cls=_Karat,
    lazy=COMMANDS,
    sections=SECTIONS,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 110,
        "color": True,  # else click strips what looks like colour codes from data in a pipe
    },
    epilog=EXAMPLES,
)
@click.version_option(__version__, "-V", "--version", prog_name="karat")
@click.option("--overwrite", is_flag=True, help="Allow an output to overwrite an input file.")
@click.option("--quiet", "--no-progress", is_flag=True, help="Hide progress.")
@click.pass_context
def karat(ctx: click.Context, *, overwrite: bool, quiet: bool) -> None:
    """Evaluate information extraction: official scores with confidence intervals and a verdict for every item."""
    if not quiet and sys.stderr.isatty():
        from karat.cli.progress import showing_progress

        ctx.with_resource(showing_progress(ctx.invoked_subcommand or "karat"))
    if not overwrite:
        from karat.io import remembering_inputs

        ctx.with_resource(remembering_inputs())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line in this process and return its exit status: 0, 1 (a failed gate), 2, 3, 70 or 130."""
    from karat.errors import PluginWarning

    with warnings.catch_warnings():
        warnings.simplefilter("default", PluginWarning)
        shown_otherwise = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
            if issubclass(category, PluginWarning):
                complain(f"warning: {message}")
            else:
                shown_otherwise(message, category, *place)

        warnings.showwarning = show  # type: ignore[assignment]
        status = _run(arguments)
    _deliver_output()
    return status


def _run(arguments: Sequence[str] | None) -> int:
    from karat.errors import KaratError, PluginError

    try:
        status = karat.main(arguments, prog_name="karat", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        if isinstance(error.__cause__, EOFError):  # click would take it for the end of the typed input
            return _crash(error.__cause__)
        complain("interrupted")
        return 130
    except PluginError as error:
        return _fail(str(error), has_place=error.__cause__ is not None)
    except KaratError as error:
        complain(str(error))
        return error.exit_status
    except (_ReaderGoneError, BrokenPipeError):
        return 0
    except MemoryError as error:
        complain(_out_of_memory(error))
        return 3
    except OSError as error:  # a full disk behind standard output, a name beyond what the system takes
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{(error.strerror or str(error)).lower()}")
        return 3
    except Exception as error:  # noqa: BLE001 - the last resort: a user sees a sentence, a developer can ask for more
        return _crash(error)
    return status if isinstance(status, int) else 0


def _crash(error: Exception) -> int:
    from karat.plugins import plug_in_failure

    return _fail(plug_in_failure(error) or f"internal error ({type(error).__name__}: {error})")


def _fail(message: str, *, has_place: bool = True) -> int:
    """Report an error in Karat or in a plug-in, with a traceback if requested, and return the exit status."""
    if os.environ.get("KARAT_TRACEBACK"):
        import traceback

        traceback.print_exc()
    complain(f"{message}; set KARAT_TRACEBACK=1 to see where" if has_place else message)
    return 70


def complain(message: str) -> None:
    """Print a message on one line, with control characters in names from the data made visible."""
    from karat.io.terminal import tell

    tell(f"karat: {message}")


def _out_of_memory(error: MemoryError) -> str:
    """Return a sentence on how much memory was needed, as far as known, and on what helps."""
    import re

    asked = re.search(r"allocate ([0-9.]+ [A-Za-z]+)", str(error))
    needed = f"{asked[1]} more were needed" if asked else "more was needed than this process may have"
    used = f" beyond the {gigabytes:.1f} GiB in use" if (gigabytes := _most_memory()) else ""
    helps = "give it more (see ulimit -v), split the input (see karat split), or leave out --ci and --workers"
    return f"memory ran out: {needed}{used}; {helps}"


def _most_memory() -> float:
    """Return the peak memory of this process in GiB, or 0 if the system does not report it."""
    try:
        resource = importlib.import_module("resource")
    except ImportError:  # not everywhere
        return 0.0
    unit = 1 if sys.platform == "darwin" else 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30)


def _deliver_output() -> None:
    """Flush standard output; if that fails, discard it, so that Python does not try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> int:
    """Run the command line of this process and return its exit status.

    The output is UTF-8 and contains no terminal control sequences from data.
    """
    from karat.io.terminal import guard_streams

    guard_streams()
    return run()
