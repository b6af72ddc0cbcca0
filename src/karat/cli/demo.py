"""``karat demo``: the examples that come with Karat, in a folder, so that the commands of its pages can be tried."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(), default="examples")
def demo(folder: str) -> None:
    """Write the examples into FOLDER (default: examples), and print commands to try with them.

    \b
        karat demo
        karat score hipe2022-nerc-coarse examples/hipe/gold.tsv examples/hipe/system-a.tsv
    """
    from karat.errors import InputError, many
    from karat.io.outputs import write_folder

    if Path(folder).exists():
        raise InputError("exists already; choose another folder:  karat demo FOLDER", path=folder)
    source = examples()
    files = {
        path.relative_to(source).as_posix(): path.read_bytes() for path in sorted(source.rglob("*")) if path.is_file()
    }
    write_folder(folder, files)
    click.echo(f"{folder}: {many(len(files), 'file')}; README.md describes them. Try:")
    for words in (
        "score hipe2022-nerc-coarse {0}/hipe/gold.tsv {0}/hipe/system-a.tsv {0}/hipe/system-b.tsv",
        "explain hipe2022-nerc-coarse {0}/brat/gold {0}/brat/system --outcome incorrect",
        "score relations {0}/relations/gold {0}/relations/system",
        "formats --of {0}/coreference/gold.conll",
    ):
        click.echo(f"  karat {words.format(folder)}")


def examples() -> Path:
    """Return the folder of the examples: in the package, or in the checkout that Karat runs from."""
    import karat
    from karat.errors import InputError

    package = Path(karat.__file__).parent
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / "hipe" / "gold.tsv").is_file():
            return folder
    raise InputError("the examples are missing from this installation; install Karat again from its wheel or source")
