"""Packages of all kinds for tests: a copy of the fixtures, read as `scripts/measure package` reads them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from conftest import Subject

from buildspeed.layouts import Layout, make_layout
from buildspeed.local_packages import PackageCopy, copy_with_local_packages
from buildspeed.naming import CONVENTION, Naming
from buildspeed.package_graph import read_package
from buildspeed.swift_source import parse_package
from buildspeed.toolchain import Toolchain

FIXTURES = Path(__file__).with_name("fixtures") / "packages"
# Of Market.
STALLS = Naming("{module}Interface", "{module}")


@dataclass(frozen=True)
class OtherPackage:
    """A fixture, its private copy, and what was read of that."""

    subject: Subject
    copy: PackageCopy

    def layout(self, name: str, naming: Naming = CONVENTION) -> Layout:
        package = replace(self.subject.package, naming=naming)
        return make_layout(name, package, self.subject.sources, self.copy)


def copied_fixtures(folder: Path) -> Path:
    return shutil.copytree(FIXTURES, folder / "the packages")


def read_other_package(name: str, folder: Path, toolchain: Toolchain) -> OtherPackage:
    package = copied_fixtures(folder) / name
    copy = copy_with_local_packages(package, folder / "original", toolchain, folder / "scratch")
    read = read_package(copy.folder, toolchain, folder / "scratch", with_tests=True)
    return OtherPackage(Subject(read, parse_package(copy.folder, read, toolchain)), copy)
