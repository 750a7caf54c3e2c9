"""The work that no build can avoid after an edit in one file, done by hand with the commands that a build recorded."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.recorder import Command
from swiftmodules.errors import ToolError
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK
from swiftmodules.swiftpm.toolchain import Toolchain

# A job with more files than this gets their names through a file that is gone when it has ended.
NAMES_ON_COMMAND_LINE = ("-Xswiftc", "-driver-filelist-threshold=100000")


def work_by_hand(
    commands: Sequence[Command], file: str, toolchain: Toolchain, package: Path, folder: Path, jobs: int
) -> tuple[dict[str, float], float]:
    """Does again what was unavoidable in a build after an edit in a file (by its original path): compiling the file,
    emitting its module, linking.

    Each step alone and then everything, with compiling and emitting the module side by side where the build may start
    two processes at once. Returns the wall seconds. `folder` takes the scripts and their output.
    """
    compiling = _only(commands, COMPILE, lambda each: file in each.job.files, f"compiled {file}")
    target = compiling.job.target
    emitting = _only(commands, EMIT_MODULE, lambda each: each.job.target == target, f"emitted the module {target}")
    links = [each for each in commands if each.job.kind == LINK]
    if not links:
        raise ToolError(f"the build after an edit in {file} linked nothing, so there is nothing to compare.")
    scripts = {COMPILE: shlex.join(compiling.arguments), EMIT_MODULE: shlex.join(emitting.arguments)}
    # The commands that the driver starts to link, such as the linker. The driver quotes in another way than a shell.
    asked = [[str(toolchain.swiftc), *each.arguments, "-driver-print-jobs"] for each in links]
    printed = [process.read(words, toolchain.environment, package).decode() for words in asked]
    jobs_of_link = [shlex.split(line) for text in printed for line in text.splitlines()]
    scripts[LINK] = "\n".join(shlex.join(words) for words in jobs_of_link if words)
    at_once = "{} &\ncompiling=$!\n{}\nwait $compiling\n{}" if jobs > 1 else "{}\n{}\n{}"
    scripts["everything"] = at_once.format(*scripts.values())
    seconds = {}
    for name, script in scripts.items():
        what = f"the step '{name}' by hand failed, though `swift build` did it"
        path = folder / f"by-hand-{name}.sh"
        seconds[name] = seconds_of_script(f"set -e\n{script}\n", path, what, toolchain, package)
    everything = seconds.pop("everything")
    return seconds, everything


def seconds_of_script(commands: str, script: Path, what: str, toolchain: Toolchain, package: Path) -> float:
    """Runs commands in the folder of a package, and returns the wall seconds. `what` names what failed."""
    script.write_text(commands)
    log = script.with_suffix(".log")
    finished = process.run(["/bin/sh", script], toolchain.environment, package, log)
    if finished.exit_code != 0:
        raise ToolError(f"{what}: {log.read_text(errors='replace')}")
    return finished.seconds


def _only(commands: Sequence[Command], kind: str, is_meant: Callable[[Command], bool], what: str) -> Command:
    found = [each for each in commands if each.job.kind == kind and is_meant(each)]
    if len(found) != 1:
        raise ToolError(f"the build {what} {len(found)} times and not once, so it cannot be done by hand.")
    return found[0]
