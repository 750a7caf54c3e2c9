"""Reads generated text as links, JSON documents and URLs, and looks for traps, hangs and wrong results.

The program is built of RouterService and the sources in `fuzzing`, and is given text that is nearly a link, a JSON
document or a URL. A finding is a trap, an input that takes more than 5 seconds, an error of the wrong kind, or a route
that is different after it was written and read back.
"""

from __future__ import annotations

import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from swiftmodules.errors import MissingToolError
from swiftmodules.swiftpm.toolchain import Toolchain

SOURCES, PROGRAM = Path("scripts/repo/fuzzing"), ("Attempt.swift", "Generator.swift", "BoundedRun.swift")
_EXAMPLES = SOURCES / "examples.txt"
_FEATURES = (
    *("ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility"),
    "NonisolatedNonsendingByDefault",
)
# As the alarm of BoundedRun.swift ends the program: an input took too long.
_ALARM = -14
_USAGE = 64


def fuzz(repository: Path, toolchain: Toolchain, *, inputs: int, seed: int | None, only: int | None) -> int:
    """Gives the program generated inputs, or `only` one of them, and returns the exit code of the command."""
    seed = secrets.randbits(32) if seed is None else seed
    with _built(repository, toolchain, *PROGRAM) as program:
        progress = program.with_name("progress")
        progress.touch()
        print(f"Seed {seed}", flush=True)
        count = inputs if only is None else 1
        command: list[str | Path] = [program, str(seed), str(only or 0), str(count), progress, _EXAMPLES]
        status = subprocess.run(command, cwd=repository, stdin=subprocess.DEVNULL, check=False).returncode
        if status in (0, _USAGE):
            return status
        at = int.from_bytes(progress.read_bytes()[:8], sys.byteorder)
    # With status 1, the program has reported what it found.
    if status == _ALARM:
        print(f"scripts/fuzz: input {at} of seed {seed} took more than 5 seconds", file=sys.stderr)
    elif status != 1:
        print(f"scripts/fuzz: input {at} of seed {seed} ended the program with status {status}", file=sys.stderr)
    print(f"Repeat it with: scripts/fuzz --seed {seed} --input {at}", file=sys.stderr)
    return 1


def fuzz_with_libfuzzer(repository: Path, toolchain: Toolchain, *, seconds: int) -> int:
    """Lets libFuzzer make inputs, with the address sanitizer, and returns the exit code of the command."""
    sources = ("Attempt.swift", "LibFuzzer.swift")
    with _built(repository, toolchain, *sources, options=["-sanitize=fuzzer,address"]) as program:
        kept, examples = repository / ".build/fuzz", program.with_name("examples")
        for each in (kept / "corpus", kept / "findings", examples):
            each.mkdir(exist_ok=True)
        # libFuzzer needs a file for each example.
        for number, line in enumerate((repository / _EXAMPLES).read_bytes().splitlines(keepends=True)):
            (examples / f"{number:03}").write_bytes(line)
        print(f"libFuzzer with the address sanitizer, {seconds} seconds:", flush=True)
        limits = [f"-max_total_time={seconds}", "-timeout=5", "-rss_limit_mb=4096", "-max_len=4096"]
        command: list[str | Path] = [program, *limits, "-print_final_stats=1", f"-artifact_prefix={kept}/findings/"]
        status = subprocess.run([*command, kept / "corpus", examples], stdin=subprocess.DEVNULL, check=False).returncode
    if status:
        print("scripts/fuzz: a finding; libFuzzer names the file above", file=sys.stderr)
    return 1 if status else 0


@contextmanager
def _built(repository: Path, toolchain: Toolchain, *sources: str, options: Sequence[str] = ()) -> Iterator[Path]:
    """A program of the router and some sources in release, with the given options for all.

    It is in a folder of its own, so that two runs at the same time do not disturb each other's builds. The libraries
    are passed as files, because only then does the compiler on Linux find what they link in turn.
    """
    (repository / ".build/fuzz").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="run.", dir=repository / ".build/fuzz") as name:
        folder = Path(name)
        common: list[str | Path] = ["-O", "-wmo", "-swift-version", "6", "-parse-as-library", *options, "-I", folder]
        for feature in _FEATURES:
            common += ["-enable-upcoming-feature", feature]
        library = ["-emit-module", "-emit-library", "-static"]
        libraries: list[Path] = []
        for target in ("Interface", "Program", "Implementation"):
            module = f"RouterService{target}"
            words = [*common, *library, "-emit-module-path", folder / f"{module}.swiftmodule", "-module-name", module]
            code = sorted((repository / "Modules/RouterService" / target).rglob("*.swift"))
            libraries.insert(0, folder / f"lib{module}.a")
            _compile(words, code, libraries[0], toolchain)
        files = [*(repository / SOURCES / source for source in sources), *libraries]
        _compile([*common, "-module-name", "Fuzzing"], files, folder / "fuzzing", toolchain)
        yield folder / "fuzzing"


def _compile(options: Sequence[str | Path], files: Sequence[Path], output: Path, toolchain: Toolchain) -> None:
    command: list[str | Path] = [toolchain.swiftc, *options, "-o", output, *files]
    if subprocess.run(command, env=toolchain.environment, check=False).returncode != 0:
        raise MissingToolError("the program could not be built; the compiler's messages are above.")
