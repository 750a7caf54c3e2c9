"""The claims of docs/Compare.md about compilers: they refuse the marked lines of each scheme, and accept the others.

The compiler itself compares its errors with the `expected-error` comments (`-verify`), so a line that comes to compile,
and one that no longer does, both fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import ran
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
    "TypedRoutes": 7,
}


@pytest.fixture(scope="module")
def modules(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled module that schemes import."""
    folder = tmp_path_factory.mktemp("modules")
    name = "RouterServiceInterface"
    sources = (REPOSITORY / "Modules/RouterService/Interface").rglob("*.swift")
    options = [*OPTIONS, *STRICT, "-package-name", "sample", "-emit-module", "-module-name", name]
    ran(toolchain, "swiftc", *options, "-o", folder / f"{name}.swiftmodule", *sources)
    return folder


@pytest.mark.parametrize("name", REFUSED)
def test_compiler_refuses_the_marked_lines_and_no_others(name: str, modules: Path, toolchain: Toolchain) -> None:
    options = ["-typecheck", "-verify", "-verify-ignore-unrelated", *OPTIONS, "-I", modules]
    ran(toolchain, "swiftc", "-frontend", *options, SCHEMES / f"{name}.swift")


def test_every_scheme_is_verified_with_its_marks() -> None:
    marks = {path.stem: path.read_text().count("expected-error") for path in SCHEMES.glob("*.swift")}
    assert marks == REFUSED
