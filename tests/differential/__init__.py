"""Random cases side by side: what a reference program prints, and what Karat does.

The programs are not part of Karat. ``KARAT_REFERENCES`` names a folder that has each of them under the name of its
repository, and ``venv`` with an interpreter that has what they import; ``python -m tests.differential --list`` says
what each needs, and which are there. A comparison whose program is absent is skipped, and says so.
"""
