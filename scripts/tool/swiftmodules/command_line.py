"""A command line: its package, the words that repeat it, its findings in a workflow, and its end with an exit code."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Literal

from cyclopts import App, CycloptsError

from swiftmodules.errors import MissingToolError, ToolError, UsageError
from swiftmodules.options import PACKAGE_VARIABLE, MeasureChoices

# The command that the user types to call the tool, where that is a launcher (`scripts/measure`).
PROGRAM_VARIABLE = "SWIFTMODULES_PROGRAM"
_MANIFEST = "Package.swift"
# The libraries of the extras, and what these are for.
_EXTRAS = {"jinja2": "measure", "psutil": "measure", "watchfiles": "live"}


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


def annotate(kind: Literal["error", "warning", "notice"], message: str, file: Path | None = None) -> None:
    """Prints an annotation on standard error, which the runner reads too, where a workflow of GitHub runs."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return
    place = ""
    if file is not None:
        path = os.path.relpath(file, os.environ.get("GITHUB_WORKSPACE") or Path.cwd())
        place = f" file={_escaped(path).replace(':', '%3A').replace(',', '%2C')},line=1"
    print(f"::{kind}{place}::{_escaped(message)}", file=sys.stderr)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def package_folder(chosen: Path | None) -> Path:
    """The folder of the package: as chosen, from the environment, or with the nearest manifest above."""
    if chosen is None and os.environ.get(PACKAGE_VARIABLE):
        chosen = Path(os.environ[PACKAGE_VARIABLE])
    if chosen is None:
        here = Path.cwd()
        found = next((folder for folder in (here, *here.parents) if (folder / _MANIFEST).is_file()), None)
        if found is None:
            raise UsageError(f"Neither {here} nor a folder above it has a {_MANIFEST}. Name the folder of a package.")
        return found
    # `--help` needs nothing of SwiftPM.
    from swiftmodules.swiftpm.description import package_folder as existing

    return existing(chosen)


def program(command: str) -> str:
    """Returns the words that the user types before the options of a command."""
    called, _, name = command.partition(" ")
    return " ".join(filter(None, [os.environ.get(PROGRAM_VARIABLE) or f"swiftmodules {called}", name]))


def repeating(package: Path | None, choices: MeasureChoices, **made: object) -> str:
    """The command line that repeats a measurement: its options that differ from the default, where `made` has the
    values that the run chose itself."""
    words = [*program("measure").split(" "), *([str(package)] if package else [])]
    for each in fields(choices):
        value = made.get(each.name, getattr(choices, each.name))
        if value == each.default:
            continue
        option = f"--{'no-' if value is False else ''}{each.name.replace('_', '-')}"
        if isinstance(value, tuple):
            value = ",".join(map(str, value))
        words += [option] if isinstance(value, bool) else [option, str(value)]
    return shlex.join(words)
