"""The server: `python -m ttr_env.llm.openenv --port 8000`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ttr_env.errors import install_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C; the exit status."""
    options = parse(arguments)
    try:
        import uvicorn

        from ttr_env.llm.openenv import Offer, make_app
    except ModuleNotFoundError as error:
        print(
            f"the server needs {error.name}, which comes with an extra: {install_command('openenv')}", file=sys.stderr
        )
        return 2
    offer = Offer(tuple(options.maps), tuple(options.opponents))
    uvicorn.run(make_app(offer, options.sessions), host=options.host, port=options.port)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="python -m ttr_env.llm.openenv", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: this machine alone)")
    parser.add_argument("--port", type=int, default=8000, help="(default: 8000)")
    parser.add_argument("--sessions", type=int, default=64, help="games at once (default: 64)")
    parser.add_argument("--maps", nargs="+", default=[], metavar="FOLDER", help="maps of your own to offer as well")
    parser.add_argument("--opponents", nargs="+", default=[], metavar="AGENT", help="agents to offer as well")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
