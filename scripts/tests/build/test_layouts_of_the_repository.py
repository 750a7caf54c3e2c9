"""Whether the code of this repository can be measured in every layout."""

from __future__ import annotations

import subprocess
from pathlib import Path

from repo_checkout import REPOSITORY
from swiftmodules.layouts.generate import LAYOUTS, make_layout, without_tests
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.modules import Naming, find_modules
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.syntax import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain


def test_no_two_modules_have_names_that_clash_in_one_target(tmp_path: Path, toolchain: Toolchain) -> None:
    package, config = without_tests(read_package(REPOSITORY, toolchain)), read_config(config_file(REPOSITORY))
    sources = read_sources(REPOSITORY, package, toolchain, cache=cache_folder())
    modules = find_modules(package, Naming.of(config.targets))
    layouts = {name: make_layout(name, package, sources, modules) for name in LAYOUTS}
    layouts["monolith"].write(tmp_path / "package")
    features = [word for name in config.code.features for word in ("-enable-upcoming-feature", name)]
    command = [toolchain.swiftc, "-typecheck", "-module-name", "App", "-swift-version", "6", *features]
    done = subprocess.run(
        [*command, *sorted(tmp_path.rglob("package/Sources/**/*.swift"))],
        env=toolchain.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
