"""The Swift toolchain in use, and the environment that every one of its commands runs in."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from swiftmodules.errors import MissingToolError, ToolError
from swiftmodules.files import cache_folder, remove_folder
from swiftmodules.interrupts import deferred
from swiftmodules.process import captured

# Set by installers and Xcode to choose a toolchain or its libraries; without them `swift` may not start. The last
# one is SwiftPM's for tests, whose builds share the compiled modules of the toolchain.
_KEPT_VARIABLES = (
    *("HOME", "TMPDIR", "DEVELOPER_DIR", "SDKROOT", "TOOLCHAINS", "LD_LIBRARY_PATH"),
    "SWIFTPM_TESTS_MODULECACHE",
)
_INSTALL = "https://www.swift.org/install"


@dataclass(frozen=True)
class Toolchain:
    """The folder of the real programs, past any launcher such as `swiftly` or `xcrun`."""

    bin: Path
    version: str
    # The variables of the user's environment that the commands keep.
    kept: tuple[tuple[str, str], ...] = ()

    @classmethod
    def find(cls, environment: Mapping[str, str] = os.environ, variables: Iterable[str] = ()) -> Toolchain:
        """The toolchain of the `swiftc` in PATH.

        `variables` names more variables that the environment keeps, because a package's manifest reads them.
        """
        found = shutil.which("swiftc", path=environment.get("PATH"))
        if found is None:
            raise MissingToolError(f"No Swift toolchain: 'swiftc' is not in PATH. Install one from {_INSTALL}.")
        target = json.loads(read([found, "-print-target-info"], environment, Path.cwd()))
        # …/usr/lib/swift, whose neighbour is …/usr/bin.
        programs = Path(target["paths"]["runtimeResourcePath"]).parent.parent / "bin"
        if sys.platform == "darwin" and "SDKROOT" not in environment:
            # The launcher in PATH sets it for the real programs, which find no standard library without.
            command = ["xcrun", "--sdk", "macosx", "--show-sdk-path"]
            environment = {**environment, "SDKROOT": read(command, environment, Path.cwd()).decode().strip()}
        names = dict.fromkeys([*_KEPT_VARIABLES, *variables])
        kept = tuple((name, environment[name]) for name in names if name in environment)
        return cls(programs, target["compilerVersion"], kept)

    def keeping(self, **variables: str) -> Toolchain:
        """The same, whose commands see these variables."""
        return replace(self, kept=tuple({**dict(self.kept), **variables}.items()))

    @property
    def swift(self) -> Path:
        return self.bin / "swift"

    @property
    def swiftc(self) -> Path:
        return self.bin / "swiftc"

    @property
    def environment(self) -> dict[str, str]:
        """The same few variables for every command, because SwiftPM plans again when one changes."""
        fixed = {"PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        return dict(self.kept) | fixed


@cache
def native_engine(toolchain: Toolchain) -> tuple[str, ...]:
    """The options for the native build system of SwiftPM, whose plans and folders are read here; none where SwiftPM
    offers no choice."""
    usage = read([toolchain.swift, "build", "--help"], toolchain.environment, Path.cwd())
    return ("--build-system", "native") if b"--build-system" in usage and b"native" in usage else ()


def read(arguments: Sequence[str | Path], environment: Mapping[str, str], folder: Path, given: bytes = b"") -> bytes:
    """The standard output of a short program, as `output` returns it.

    The locks and temporary files that SwiftPM and the compiler leave behind go with the folder for them.
    """
    with temporary_folder(environment) as temporary:
        return output(arguments, {**environment, "TMPDIR": temporary}, folder, given)


def output(arguments: Sequence[str | Path], environment: Mapping[str, str], folder: Path, given: bytes = b"") -> bytes:
    """The standard output of a short program. Raises `ToolError` with its errors where it fails."""
    done = captured(arguments, environment, folder, given)
    if done.returncode != 0:
        command, errors = " ".join(map(str, arguments)), done.stderr.decode(errors="replace").strip()
        raise ToolError(f"'{command}' failed with exit code {done.returncode}:\n{errors}")
    return done.stdout


def compiled(source: Path, toolchain: Toolchain, *options: str | Path) -> Path:
    """A program of this tool, compiled where this toolchain has not done that before, and kept in the cache."""
    key = hashlib.sha256(f"{toolchain.bin}\n{toolchain.version}\n".encode() + source.read_bytes()).hexdigest()[:16]
    program = cache_folder() / source.stem / key / source.stem
    if not program.exists():
        unfinished = program.with_name(f"{program.name}-{os.getpid()}")
        try:
            program.parent.mkdir(parents=True, exist_ok=True)
            command = [toolchain.swiftc, source, *options, "-o", unfinished]
            read(command, toolchain.environment, program.parent)
            unfinished.replace(program)
        except OSError as error:
            raise ToolError(
                f"cannot write {program}: {error.strerror}. SWIFTMODULES_CACHE may name another folder."
            ) from error
    return program


@contextmanager
def temporary_folder(environment: Mapping[str, str]) -> Iterator[str]:
    """A folder in `TMPDIR`, which in a run is one that is removed with it, or when the next begins."""
    place, folder = environment.get("TMPDIR", ""), None
    try:
        with deferred():
            folder = tempfile.mkdtemp(prefix="swiftmodules-", dir=place if os.access(place, os.W_OK) else None)
        yield folder
    finally:
        if folder is not None:
            remove_folder(folder)
