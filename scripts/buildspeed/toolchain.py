"""The Swift toolchain in use and the environment that every build runs in."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from buildspeed import processes
from buildspeed.failures import MissingToolchainError

# Set by installers and Xcode to choose a toolchain or its libraries; without them `swift` may not start.
_KEPT_VARIABLES = ("HOME", "TMPDIR", "DEVELOPER_DIR", "SDKROOT", "TOOLCHAINS", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Toolchain:
    """The folder of the real programs, past any launcher such as `swiftly` or `xcrun`."""

    bin: Path
    version: str
    # Names of more variables that the environment keeps, because a package's manifest reads them.
    variables: tuple[str, ...] = ()

    @property
    def swift(self) -> Path:
        return self.bin / "swift"

    @property
    def swiftc(self) -> Path:
        return self.bin / "swiftc"

    @property
    def environment(self) -> dict[str, str]:
        """The same few variables for every command, because SwiftPM plans anew when one changes."""
        kept = {name: os.environ[name] for name in (*_KEPT_VARIABLES, *self.variables) if name in os.environ}
        return kept | {
            "PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
        }

    def require(self) -> None:
        """Raises an error where the programs are not there (any more)."""
        if not self.swift.exists() or not self.swiftc.exists():
            raise MissingToolchainError(
                f"the Swift toolchain has no 'swift' and 'swiftc' in {self.bin}. Put it back, or install one from "
                "https://www.swift.org/install."
            )


def find_toolchain() -> Toolchain:
    """The toolchain of the `swiftc` in PATH."""
    found = shutil.which("swiftc")
    if found is None:
        raise MissingToolchainError(
            "no Swift toolchain: 'swiftc' is not in PATH. Install one from https://www.swift.org/install."
        )
    target = json.loads(processes.read([found, "-print-target-info"], os.environ, Path.cwd()))
    # …/usr/lib/swift, whose neighbour is …/usr/bin.
    resources = Path(target["paths"]["runtimeResourcePath"])
    programs = resources.parent.parent / "bin"
    toolchain = Toolchain(programs, target["compilerVersion"])
    toolchain.require()
    return toolchain
