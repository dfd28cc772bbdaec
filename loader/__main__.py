"""The command `litsette`, also as `python -m loader`.

Apart from `cli`, whose imports take a moment, so that Ctrl-C ends quietly from the start.
"""

from __future__ import annotations

import sys

from loader import interrupts


def main() -> None:
    """Runs the command line. Exit code 130, and one line, where it is interrupted."""
    interrupts.begin()
    try:
        from loader.cli import cli  # noqa: PLC0415 - what takes the moment
    except KeyboardInterrupt:
        print(interrupts.line(), file=sys.stderr)
        sys.exit(interrupts.EXIT)
    cli(prog_name="litsette")


if __name__ == "__main__":
    main()
