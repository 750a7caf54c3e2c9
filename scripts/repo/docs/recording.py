"""The records that documents show, measured at one commit, in a clone of what is committed.

A record that is complete at this commit is not measured again, and an interrupted history is resumed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.measure.record import RESULTS
from swiftmodules.process import started
from swiftmodules.swiftpm.toolchain import read

from repo.docs.record_parts import RECORDS

FILE = RECORDS / "records.toml"


def record_all(repository: Path) -> int:
    """Measures what records.toml names, and replaces the records in docs/results when all are complete.

    Raises ToolError where a measurement fails; what was measured until then is kept.
    """
    commands: Mapping[str, str] = tomllib.loads((repository / FILE).read_text(encoding="utf-8"))
    commit = read(["git", "rev-parse", "HEAD"], os.environ, repository).decode().strip()
    folder = repository / ".build/records" / commit
    clone = folder / "checkout"
    if not clone.exists():
        read(["git", "clone", "--quiet", "--no-hardlinks", repository, clone], os.environ, repository)
    for name, arguments in commands.items():
        _record(clone, folder / name, shlex.split(arguments))
    for name in commands:
        shutil.copytree(folder / name, repository / RECORDS / name, dirs_exist_ok=True)
        print(f"wrote {RECORDS / name}")
    return 0


def _record(clone: Path, output: Path, arguments: list[str]) -> None:
    if (output / RESULTS).is_file():
        return
    with started([clone / "scripts/measure", *arguments, "--output", output], None, None) as measuring:
        status = measuring.wait()
    if status != 0:
        raise ToolError(
            f"scripts/measure {shlex.join(arguments)} ended with {status}; its message is above. Correct that, and "
            "run scripts/docs --record again: what is complete is kept."
        )
