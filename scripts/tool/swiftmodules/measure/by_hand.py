"""The work that no build can avoid after an edit in one file, done by hand with the commands that a build recorded."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.recorder import COMPILE, EMIT_MODULE, LINK, Command
from swiftmodules.builds.workspace import Workspace
from swiftmodules.errors import ToolError

# A job with more files than this gets their names through a file that is gone when it has ended.
NAMES_ON_COMMAND_LINE = ("-Xswiftc", "-driver-filelist-threshold=100000")
_KINDS = (COMPILE, EMIT_MODULE, LINK)


def work_by_hand(commands: Sequence[Command], workspace: Workspace, jobs: int) -> tuple[dict[str, float], float]:
    """Does again what was unavoidable in a build after an edit in one file: compiling the file, emitting its module,
    linking.

    Each step alone and then everything, with compiling and emitting the module side by side where the build may start
    two processes at once. Returns the wall seconds; nothing where the build did more, or not all of this.
    """
    compiling, emitting, links = ([each for each in commands if each.job.kind == kind] for kind in _KINDS)
    if (len(compiling), len(emitting)) != (1, 1) or len(compiling[0].job.files) != 1 or not links:
        return {}, 0.0
    scripts = {COMPILE: shlex.join(compiling[0].arguments), EMIT_MODULE: shlex.join(emitting[0].arguments)}
    # The commands that the driver starts to link, such as the linker. The driver quotes in another way than a shell.
    asked = [[str(workspace.toolchain.swiftc), *each.arguments, "-driver-print-jobs"] for each in links]
    printed = [process.read(words, workspace.toolchain.environment, workspace.package).decode() for words in asked]
    jobs_of_link = [shlex.split(line) for text in printed for line in text.splitlines()]
    scripts[LINK] = "\n".join(shlex.join(words) for words in jobs_of_link if words)
    at_once = "{} &\ncompiling=$!\n{}\nwait $compiling\n{}" if jobs > 1 else "{}\n{}\n{}"
    scripts["everything"] = at_once.format(*scripts.values())
    seconds = {name: _seconds(name, f"set -e\n{script}\n", workspace) for name, script in scripts.items()}
    everything = seconds.pop("everything")
    return seconds, everything


def _seconds(name: str, commands: str, workspace: Workspace) -> float:
    """Runs commands in the folder of the package, and returns the wall seconds."""
    script: Path = workspace.scratch.with_name(f"by-hand-{name}.sh")
    script.write_text(commands)
    log = script.with_suffix(".log")
    finished = process.run(["/bin/sh", script], workspace.toolchain.environment, workspace.package, log)
    if finished.exit_code != 0:
        message = log.read_text(errors="replace")
        raise ToolError(f"the step '{name}' by hand failed, though `swift build` did it: {message}")
    return finished.seconds
