"""The end of every command of a command line: its exit code, and errors as lines on standard error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from swiftmodules.annotations import annotate
from swiftmodules.errors import MissingToolError, ToolError, UsageError

# The libraries of the extras, and what these are for.
_EXTRAS = {"distributed": "cluster", "jinja2": "measure", "psutil": "measure", "watchfiles": "live"}


def run_app(app: App, arguments: Sequence[str]) -> int:
    """Runs a command of a command line, and returns its exit code. Errors become lines on standard error."""
    try:
        code: int | None = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
        return code or 0
    except CycloptsError as error:
        command = " ".join([app.name[0], *(error.command_chain or ())])
        print(f"error: {error}\nSee '{command} --help'.", file=sys.stderr)
        return UsageError.exit_code
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get(error.name or "")
        if extra is None:
            raise
        print(
            f"error: This command needs the Python library '{error.name}', which is not installed. "
            f"Install it with the others of the command: pip install 'swiftmodules[{extra}]'.",
            file=sys.stderr,
        )
        return MissingToolError.exit_code
    except BrokenPipeError:
        # The reader of the output has closed it. What Python still flushes when it ends must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except (ToolError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        annotate("error", str(error))
        return error.exit_code if isinstance(error, ToolError) else ToolError.exit_code
