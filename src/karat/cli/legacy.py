"""Options as the published programs take them: abbreviated to a unique prefix, and never repeated."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import click


def profile_option(
    help: str,  # noqa: A002 - as click calls it
    profiles: Sequence[str] = ("published", "corrected"),
) -> Callable[[Any], Any]:
    """Return the option ``--profile``, which selects the revision of a program; the default is the first."""
    return click.option("--profile", type=click.Choice(profiles), default=profiles[0], show_default=True, help=help)


class LegacyCommand(click.Command):
    """A drop-in for a published program whose options may be shortened, as docopt allows.

    An option may be abbreviated to any unique prefix and may not be repeated. Options that the published program
    does not have (``own``) are recognised by their full name only, so that they make no old abbreviation
    ambiguous.
    """

    own: tuple[str, ...] = ("--profile",)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Expand the abbreviations, refuse repetitions, then parse as usual."""
        return super().parse_args(ctx, self._expand(ctx, args))

    def _expand(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = {
            name: parameter
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
            for name in parameter.opts
        }
        expanded: list[str] = []
        seen: set[str | None] = set()
        queue = iter(args)
        for word in queue:
            if not word.startswith("-") or word in ("-", "--"):
                expanded.append(word)
                continue
            for name, value in self._split(ctx, word, options):
                option = options.get(name)
                if option is not None and option.name in seen:
                    ctx.fail(f"option {name} is given twice")
                seen.add(option.name if option else None)
                expanded.append(name if value is None else f"{name}{'=' if name.startswith('--') else ''}{value}")
                if option is not None and not option.is_flag and value is None:
                    expanded += [following for following in [next(queue, None)] if following is not None]
        return expanded

    def _split(
        self, ctx: click.Context, word: str, options: dict[str, click.Option]
    ) -> Iterator[tuple[str, str | None]]:
        """Yield the options in a word with their values: one long one, or several short ones as in ``-gn3``."""
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            yield full_name(ctx, name, options, own=self.own), value if equals else None
            return
        rest = word[1:]
        while rest:
            name, rest = f"-{rest[0]}", rest[1:]
            option = options.get(name)
            if option is None or not option.is_flag:
                yield name, rest or None
                return
            yield name, None


def full_name(ctx: click.Context, name: str, options: Mapping[str, click.Option], *, own: Collection[str] = ()) -> str:
    """Return the long option that a word names or abbreviates, of which ``own`` may not be abbreviated."""
    if name in options or not name.startswith("--"):
        return name
    matches = [full for full in options if full.startswith(name) and full not in own]
    if len(matches) > 1:
        ctx.fail(f"option {name} is ambiguous: it could be {' or '.join(sorted(matches))}")
    return matches[0] if matches else name
