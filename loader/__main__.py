"""The command `litsette`, also as `python -m loader`.

Apart from `cli`, whose imports take a moment, so that Ctrl-C ends quietly from the start.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line. Exit code 130 where it is interrupted before it has begun."""
    try:
        from loader.cli import cli  # noqa: PLC0415 - what takes the moment
    except KeyboardInterrupt:
        sys.exit(130)
    cli(prog_name="litsette")


if __name__ == "__main__":
    main()
