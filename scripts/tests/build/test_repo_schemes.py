"""The claims of docs/Compare.md about compilers: they refuse the marked lines of each scheme, and accept the others.

The compiler itself compares its errors with the `expected-error` comments (`-verify`), so a line that comes to compile,
and one that no longer does, both fail.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY
from swiftmodules.swiftpm.toolchain import Toolchain

SCHEMES = REPOSITORY / "scripts/repo/schemes"
OPTIONS = ["-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-parse-as-library"]
STRICT = ("-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility")
REFUSED = {
    "CompileTimeContainer": 1,
    "MissingRegistration": 0,
    "NamedTargets": 0,
    "ProtocolRouter": 2,
    "TypedRoutes": 8,
}


@pytest.fixture(scope="module")
def modules(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled module that schemes import."""
    folder = tmp_path_factory.mktemp("modules")
    name = "RouterServiceInterface"
    sources = (REPOSITORY / "Modules/RouterService/Interface").rglob("*.swift")
    command = [toolchain.swiftc, *OPTIONS, *STRICT, "-package-name", "sample", "-emit-module", "-module-name", name]
    command += ["-o", folder / f"{name}.swiftmodule", *sources]
    subprocess.run(command, env=toolchain.environment, check=True)
    return folder


def verify(file: Path, modules: Path, toolchain: Toolchain) -> subprocess.CompletedProcess[str]:
    command = [
        toolchain.swiftc,
        "-frontend",
        "-typecheck",
        "-verify",
        "-verify-ignore-unrelated",
        *OPTIONS,
        "-I",
        modules,
        file,
    ]
    return subprocess.run(command, env=toolchain.environment, capture_output=True, text=True)


@pytest.mark.parametrize("name", REFUSED)
def test_compiler_refuses_the_marked_lines_and_no_others(
    name: str, modules: Path, toolchain: Toolchain, tmp_path: Path
) -> None:
    text = (SCHEMES / f"{name}.swift").read_text()
    result = verify(SCHEMES / f"{name}.swift", modules, toolchain)
    assert result.returncode == 0, result.stderr
    assert text.count("expected-error") == REFUSED[name]
    copy = tmp_path / f"{name}.swift"
    copy.write_text(text.replace("expected-error", "surprise"))
    unmarked = verify(copy, modules, toolchain)
    assert ("unexpected error produced" in unmarked.stderr) == bool(REFUSED[name])


def test_every_scheme_is_verified() -> None:
    assert sorted(REFUSED) == sorted(path.stem for path in SCHEMES.glob("*.swift"))
