"""Serves the sample's API on this computer: sessions, users and notes, as HTTPClientEmbedded does inside the App.

Without --database, every start is a new server, with the users 'ann' and 'bob', whose password is 'secret', and no
notes. An App that has stored notes of an earlier one asks its user about them.
With it, the server, its profiles and notes are kept, but not sessions: users sign in again after a restart.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from repo.backend.api import Backend
from repo.backend.server import Network, Server
from repo.backend.store import Store, UnusableFileError

LONGEST = 3600  # seconds


class Parser(argparse.ArgumentParser):
    """Exits with 64 (EX_USAGE of sysexits.h), as the App does, instead of argparse's 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(64, f"{self.prog}: {message}\n{self.format_usage()}")


def up_to(most: int, kind: Callable[[str], float], what: str) -> Callable[[str], float]:
    """Reads a number from 0 to the given one."""

    def read(text: str) -> float:
        try:
            if 0 <= (value := kind(text)) <= most:
                return value
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"'{text}' is not a {what} from 0 to {most}")

    return read


def latency(text: str) -> tuple[float, float]:
    """Reads a number of seconds, such as '0.2', or a range, such as '0.1..2'."""
    least, dots, most = text.partition("..")
    seconds = up_to(LONGEST, float, "number of seconds")
    low, high = seconds(least), seconds(most if dots else least)
    if low > high:
        raise argparse.ArgumentTypeError(f"'{text}' starts with the larger number")
    return low, high


def main() -> int:
    parser = Parser(prog="scripts/backend", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    port, share, seed = up_to(65535, int, "port"), up_to(1, float, "share"), up_to(2**32 - 1, int, "number")
    parser.add_argument("--port", type=port, default=8080, help="port to listen on; 0 picks a free one (8080)")
    parser.add_argument(
        "--database", type=Path, metavar="FILE", help="SQLite file to keep users and notes in (in memory)"
    )
    parser.add_argument(
        "--configuration",
        type=Path,
        metavar="FILE",
        help="JSON file of flags and rules, read again for each App that asks; see Modules/FeatureFlags/README.md",
    )
    parser.add_argument(
        "--latency",
        type=latency,
        default=(0, 0),
        metavar="SECONDS[..SECONDS]",
        help="delay before each answer, fixed or drawn from a range (0)",
    )
    parser.add_argument(
        "--failures",
        type=share,
        default=0,
        metavar="SHARE",
        help="share of requests that fail, from 0 to 1 (0): a third get status 503, a third are lost,\n"
        "and a third are carried out, but their answers are lost",
    )
    parser.add_argument("--seed", type=seed, default=0, help="seed that decides which requests fail (0)")
    parser.add_argument("--log", action="store_true", help="write each request's first line to standard error")
    arguments = parser.parse_args()
    network = Network(arguments.latency, arguments.failures, arguments.seed)
    if arguments.configuration and not arguments.configuration.is_file():
        print(f"scripts/backend: there is no file '{arguments.configuration}'", file=sys.stderr)
        return 1
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # Signals that the starting thread blocks are inherited as blocked.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})
        backend = Backend(Store(arguments.database), arguments.configuration)
        with Server(arguments.port, backend, network, arguments.log) as server:
            print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
            server.serve_forever(poll_interval=0.1)
    except UnusableFileError as error:
        print(f"scripts/backend: cannot use the database '{arguments.database}': {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"scripts/backend: cannot listen on port {arguments.port}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
