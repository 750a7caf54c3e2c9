"""Changes of which git, the manifest or the file system say less than usual: each selects too much, and never too
little."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_files import committed, files, git
from made_packages import library
from swiftmodules.cli import main
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.git import Checkout
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.usefixtures("swiftpm_is_asked_once")

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(path: "../Linked"), .package(path: "../ignored/Core"), .package(path: "../../Far")],
    targets: [
        .target(name: "One", resources: [.copy("data")]),
        .target(name: "Two"),
        .target(name: "CLib"),
        .target(name: "Shims"),
        .target(name: "Nearby", dependencies: [.product(name: "Near", package: "Linked")]),
        .target(name: "Useful", dependencies: [.product(name: "Core", package: "Core")]),
        .target(name: "Wide", dependencies: [.product(name: "Far", package: "Far")]),
        .testTarget(name: "OneTests", dependencies: ["One"]),
        .testTarget(name: "TwoTests", dependencies: ["Two"]),
        .testTarget(name: "CLibTests", dependencies: ["CLib"]),
        .testTarget(name: "NearTests", dependencies: ["Nearby"]),
        .testTarget(name: "UsefulTests", dependencies: ["Useful"]),
        .testTarget(name: "WideTests", dependencies: ["Wide"]),
    ]
)
"""
TESTS = {f"{each}Tests" for each in ("One", "Two", "CLib", "Near", "Useful", "Wide")}
SETTING = ("dependencies: []), .test", 'dependencies: [], cSettings: [.define("A")]), .test')


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a package that reaches others: behind a link, in an ignored folder, and outside."""
    around = tmp_path_factory.mktemp("around").resolve()
    files(around, library("Far"))
    repository = around / "the repository"
    app = {f"App/Sources/{each}/{each}.swift": "" for each in ("One", "Two", "Shims", "Nearby", "Useful", "Wide")}
    files(
        repository,
        {
            **app,
            **{f"App/Tests/{each}/Some.swift": "" for each in TESTS},
            **{f"packages/{path}": text for path, text in library("Near").items()},
            **{f"ignored/{path}": text for path, text in library("Core").items()},
            "App/Package.swift": MANIFEST,
            "App/Sources/One/shared.swift": "",
            "App/Sources/One/data/words.txt": "",
            "App/Sources/Shims/header.h": "",
            "App/Sources/CLib/c.c": '#include "../Shims/header.h"\\n',
            "App/Sources/CLib/include/clib.h": "",
            "App/Tests/OneTests/Some.swift": "",
            "App/Examples/Package.swift": "",
            "App/Examples/Some.swift": "",
            "shared/words.txt": "",
            ".gitignore": "ignored/\n.build/\n",
        },
    )
    # A link behind a link, an absolute one, and one to the manifest.
    (repository / "App/Sources/Two/words.txt").symlink_to("../../../middle.txt")
    (repository / "middle.txt").symlink_to("shared/words.txt")
    (repository / "Linked").symlink_to(repository / "packages/Near")
    (repository / "App/Tests/TwoTests/Package.txt").symlink_to("../../Package.swift")
    committed(repository)
    return repository


@pytest.fixture
def repository(original: Path) -> Iterator[Path]:
    """The repository, as it was before and after each test, with the files that git does not know."""
    unknown = [path for name in ("ignored", "../Far") for path in (original / name).rglob("*") if path.is_file()]
    before = {path: (path.read_text(), path.stat().st_mtime_ns) for path in unknown}
    yield original
    (original / ".git/index").unlink()
    git(original, "reset", "--hard")
    git(original, "clean", "-dff")
    for path, (text, moment) in before.items():
        path.write_text(text)
        os.utime(path, ns=(moment, moment))


def replace(path: str, old: str, new: str) -> Callable[[Path], object]:
    def edit(repository: Path) -> None:
        text = (repository / path).read_text()
        assert old in text
        (repository / path).write_text(text.replace(old, new))

    return edit


def append(path: str) -> Callable[[Path], object]:
    return lambda repository: (repository / path).write_text((repository / path).read_text() + "\n")


def found_in(repository: Path, toolchain: Toolchain, revision: str = "HEAD") -> Since:
    folder = repository / "App"
    return since(Architecture(read_package(folder, toolchain)), revision, folder, toolchain)


def assumed(repository: Path) -> None:
    git(repository, "update-index", "--assume-unchanged", "App/Sources/One/One.swift")
    append("App/Sources/One/One.swift")(repository)


def skipped(repository: Path) -> None:
    git(repository, "update-index", "--skip-worktree", "App/Sources/One/One.swift")
    append("App/Sources/One/One.swift")(repository)


def renamed(repository: Path) -> None:
    git(repository, "mv", "App/Sources/One/One.swift", "App/Sources/Two/One.swift")


def replaced_by_folder(repository: Path) -> None:
    (repository / "App/Sources/One/One.swift").unlink()
    files(repository, {"App/Sources/One/One.swift/One.swift": ""})


def replaced_by_link(repository: Path) -> None:
    (repository / "App/Sources/One/One.swift").unlink()
    (repository / "App/Sources/One/One.swift").symlink_to("shared.swift")


def staged_and_taken_back(repository: Path) -> None:
    append("App/Sources/One/One.swift")(repository)
    git(repository, "add", "--all")
    (repository / "App/Sources/One/One.swift").unlink()


def without_target(repository: Path) -> None:
    shutil.rmtree(repository / "App/Sources/Two")
    line = '        .target(name: "Two"),\n'
    replace("App/Package.swift", line, "")(repository)
    replace("App/Package.swift", 'dependencies: ["Two"]', 'dependencies: ["One"]')(repository)


def odd_name(name: bytes) -> Callable[[Path], object]:
    def add(repository: Path) -> None:
        (repository / "App/Sources/One" / os.fsdecode(name)).touch()
        git(repository, "add", "--all")

    return add


# What is changed, and the tests that are selected. With `TESTS`, everything is.
ODD: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "nothing": (lambda repository: None, set()),
    "a file that moves to another target": (renamed, {"OneTests", "TwoTests"}),
    "a mode": (lambda each: (each / "App/Sources/One/One.swift").chmod(0o755), {"OneTests"}),
    "a folder in the place of a file": (replaced_by_folder, {"OneTests"}),
    "a link in the place of a file": (replaced_by_link, {"OneTests"}),
    "a file that is staged and gone": (staged_and_taken_back, {"OneTests"}),
    "a file that git takes for unchanged": (assumed, {"OneTests"}),
    "a file that git skips": (skipped, {"OneTests"}),
    "a name with quotes, spaces and a line break": (odd_name(b'a "b"\n\tc.txt'), {"OneTests"}),
    "a name that is no text": (odd_name(b"\xff.txt"), {"OneTests"}),
    "a file behind two links": (append("shared/words.txt"), {"TwoTests"}),
    "another end of a link": (
        lambda each: ((each / "middle.txt").unlink(), (each / "middle.txt").symlink_to("App/Sources/One/One.swift")),
        {"TwoTests"},
    ),
    "a header in a target in Swift": (append("App/Sources/Shims/header.h"), {"CLibTests"}),
    "a manifest that a test reads": (append("App/Package.swift"), {"TwoTests"}),
    "a target that is gone": (without_target, {"TwoTests"}),
    "a file of a package inside that nothing reaches": (append("App/Examples/Some.swift"), TESTS),
    "a manifest behind an absolute link": (replace("packages/Near/Package.swift", *SETTING), {"NearTests"}),
    "a comment in it": (append("packages/Near/Package.swift"), set()),
    "a source behind an absolute link": (append("packages/Near/Sources/Near/Near.swift"), {"NearTests"}),
    "a test there that has the name of another": (append("packages/Near/Tests/NearTests/Some.swift"), set()),
    "a manifest that git ignores": (replace("ignored/Core/Package.swift", *SETTING), {"UsefulTests"}),
    "a source that git ignores": (append("ignored/Core/Sources/Core/Core.swift"), {"UsefulTests"}),
    "a manifest outside of all repositories": (replace("../Far/Package.swift", *SETTING), {"WideTests"}),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_change_selects_what_may_notice_it(
    kind: str, repository: Path, toolchain: Toolchain, capsys: pytest.CaptureFixture[str]
) -> None:
    edit, selected = ODD[kind]
    edit(repository)
    found = found_in(repository, toolchain)
    assert {*found.tests} == selected, ascii(str(found))
    assert bool(found.everything) == (selected == TESTS)
    # Whatever the names are.
    assert main(["graph", str(repository / "App"), "--since", "HEAD"]) == 0
    assert "tests: " in capsys.readouterr().out or not selected


def test_environment_of_a_hook_names_no_other_repository(original: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert Checkout(original / "App").changed("HEAD") == set()


def test_package_outside_that_was_switched_back_has_changed(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as former:
        for year in (2020, 2021):
            former.setenv("GIT_COMMITTER_DATE", f"{year}-01-01T00:00:00")
            committed(tmp_path, texts={"some.txt": f"{year}"})
    hour_ago = time.time_ns() - 3600 * 10**9
    checkout = Checkout(original / "App")
    assert checkout.changed_outside(hour_ago, tmp_path, []) == set()
    git(tmp_path, "checkout", "HEAD~1")
    assert checkout.changed_outside(hour_ago, tmp_path, []) == {tmp_path / "some.txt"}


def test_links_that_lead_in_a_cycle_give_each_path_its_names_once(tmp_path: Path) -> None:
    files(tmp_path, {"one/some.txt": "", "two/other.txt": ""})
    (tmp_path / "one/link").symlink_to("../two")
    (tmp_path / "two/link").symlink_to("../one")
    committed(tmp_path)
    found = Checkout(tmp_path).aliases(tmp_path.resolve() / "one/some.txt")
    names = ["two/link/some.txt", "one/link/link/some.txt"]
    assert [each.relative_to(tmp_path.resolve()).as_posix() for each in found] == names
