"""Options as the replaced programs take them: abbreviated to a unique prefix, and never twice."""

from __future__ import annotations

import click


class LegacyCommand(click.Command):
    """A drop-in for a published program whose options may be shortened, as docopt allows.

    An option may be abbreviated to any unique prefix and may not be repeated. Options that the published program
    does not have (``own``) are recognised by their full name only, so that they make no old abbreviation
    ambiguous.
    """

    own: tuple[str, ...] = ("--profile", "--help")

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
            if word == "--" or not word.startswith("-") or word == "-":
                expanded.append(word)
                continue
            name, equals, value = word.partition("=") if word.startswith("--") else (word[:2], "", word[2:])
            name = self._full_name(ctx, name, options)
            option = options.get(name)
            if option is None:
                expanded.append(word)
                continue
            if option.name in seen:
                ctx.fail(f"option {name} is given twice")
            seen.add(option.name)
            expanded.append(name + equals + value)
            if not option.is_flag and not equals and not value:
                expanded.extend([following for following in [next(queue, None)] if following is not None])
        return expanded

    def _full_name(self, ctx: click.Context, name: str, options: dict[str, click.Option]) -> str:
        if name in options or not name.startswith("--"):
            return name
        matches = [full for full in options if full.startswith(name) and full not in self.own]
        if len(matches) > 1:
            ctx.fail(f"option {name} is ambiguous: it could be {' or '.join(sorted(matches))}")
        return matches[0] if matches else name
