"""Detecting saves: looking at the sources, and watching them."""

from __future__ import annotations

import os
import queue
from pathlib import Path

import pytest
from made_files import files
from swiftmodules.live import watch
from swiftmodules.live.watch import Change, Watched, watching
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

FILE = Path("Modules/Note/Note.swift")


@pytest.fixture
def sources(tmp_path: Path) -> Watched:
    files(tmp_path, {str(FILE): "one", "Package.swift": "manifest"})
    found = Watched(tmp_path, (Path("Modules"),))
    found.look()
    return found


def write(sources: Watched, text: str, file: Path = FILE) -> Path:
    path = sources.folder / file
    path.write_text(text)
    return path


def test_changes_of_sources_alone_are_reported_only_once(sources: Watched) -> None:
    assert not sources.look()
    write(sources, "two")
    write(sources, "new", Path("Modules/Note/New.swift"))
    write(sources, "other manifest", Path("Package.swift"))
    change = sources.look()
    assert change == Change(frozenset({FILE, Path("Package.swift")}), frozenset({Path("Modules/Note/New.swift")}))
    assert not sources.look()
    (sources.folder / FILE).unlink()
    assert sources.look() == Change(removed=frozenset({FILE}))
    for name in ("Modules/README.md", "Modules/.hidden.swift", "Modules/.build/Made.swift", "Scripts/Other.swift"):
        (sources.folder / name).parent.mkdir(exist_ok=True)
        write(sources, "text", Path(name))
        assert not sources.look()


def test_files_that_cannot_be_read_are_not_there(sources: Watched) -> None:
    folder = (sources.folder / FILE).parent
    (folder / "Loop.swift").symlink_to("Loop.swift")
    (folder / "Gone.swift").symlink_to("nowhere")
    (folder / "Folder.swift").mkdir()
    os.mkfifo(folder / "Pipe.swift")
    assert not sources.look()


def test_code_in_c_and_resources_are_watched_where_the_present_manifest_has_them(
    tmp_path: Path, toolchain: Toolchain
) -> None:
    manifest = """// swift-tools-version: 6.0
import PackageDescription
let program = Target.executableTarget(name: "Run", dependencies: ["C"], resources: [.copy("Data")])
let targets: [Target] = [program, .target(name: "C")]
let package = Package(name: "P", targets: targets)
"""
    code = {"Sources/C/c.c": "int c;\n", "Sources/C/include/c.h": "extern int c;\n", "Sources/Run/main.swift": ""}
    files(tmp_path, {"Package.swift": manifest, "Sources/Run/Data/a.txt": "one", **code})
    found = Watched.of(tmp_path, read_package(tmp_path, toolchain))
    for name in ("Sources/Run/Data/a.txt", "Sources/C/c.c", "Sources/C/include/c.h"):
        write(found, "two", Path(name))
        assert found.look() == Change(frozenset({Path(name)}))
    more = manifest.replace("let package", 'targets.append(.target(name: "New", path: "More"))\nlet package')
    files(tmp_path, {"Package.swift": more.replace("let targets", "var targets"), "More/new.swift": ""})
    assert found.look() == Change(frozenset({Path("Package.swift")}))
    found.follow(read_package(tmp_path, toolchain))
    assert found.look() == Change(added=frozenset({Path("More/new.swift")}))


def test_sources_are_looked_at_where_the_system_watches_no_more_folders(
    sources: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("OS file watch limit reached.")

    monkeypatch.setattr(watch.watchfiles, "watch", refuse)
    monkeypatch.setattr(watch, "_LOOK_MILLISECONDS", 10)
    found: queue.SimpleQueue[bool] = queue.SimpleQueue()
    with watching(sources, lambda: found.put(True)):
        assert found.get(timeout=20) and found.get(timeout=20)


def test_file_written_after_others_belongs_to_their_change(sources: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("Other.swift", "Last.swift")
    for name in names:
        write(sources, "one", FILE.with_name(name))
    sources.look()
    # As when git changes the branch and the machine is busy.
    monkeypatch.setattr(watch.time, "sleep", lambda _: write(sources, "two", FILE.with_name("Last.swift")))
    write(sources, "two")
    write(sources, "two", FILE.with_name("Other.swift"))
    assert sources.settled().modified == {FILE, *map(FILE.with_name, names)}
    # One file alone is not waited for.
    monkeypatch.setattr(watch.time, "sleep", lambda _: pytest.fail("waits"))
    write(sources, "three")
    assert sources.settled().modified == {FILE}


def test_save_is_a_change_where_the_text_is_another_also_with_the_same_time_and_size(sources: Watched) -> None:
    write(sources, "one")
    assert not sources.look()
    path = write(sources, "two")
    sources.look()
    status = path.stat()
    write(sources, "six")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert sources.look() == Change(frozenset({FILE}))


def test_file_that_is_written_and_put_back_while_it_is_compiled_is_a_change(sources: Watched) -> None:
    write(sources, "two")
    assert sources.look()
    sources.forget_written()
    assert not sources.look()
    write(sources, "one")
    write(sources, "two")
    sources.forget_written()
    assert sources.look() == Change(frozenset({FILE}))
    assert not sources.look()
    away = (sources.folder / FILE).rename(sources.folder / "away")
    sources.forget_written()
    away.rename(sources.folder / FILE)
    assert sources.look() == Change(frozenset({FILE}))


@pytest.mark.parametrize(
    ("text", "change"),
    [(None, Change(removed=frozenset({FILE}))), ("one", Change()), ("two", Change(frozenset({FILE})))],
)
def test_file_that_comes_and_goes_is_one_change(
    sources: Watched, monkeypatch: pytest.MonkeyPatch, text: str | None, change: Change
) -> None:
    (sources.folder / FILE).unlink()
    # As an editor that puts another file in its place.
    monkeypatch.setattr(watch.time, "sleep", lambda _: text and write(sources, text))
    assert sources.settled() == change
    new = write(sources, "new", FILE.with_name("New.swift"))
    monkeypatch.setattr(watch.time, "sleep", lambda _: new.unlink(missing_ok=True))
    assert not sources.settled()


def found_by_watch(sources: Watched, file: Path, text: str, seconds: float = watch._LOOK_MILLISECONDS / 2000) -> Change:
    """The change that is found when a file is replaced, as editors do it, far sooner than without an event."""
    found: queue.SimpleQueue[Change] = queue.SimpleQueue()
    sources.look()
    with watching(sources, lambda: found.put(sources.look())):
        # The first report comes when nothing happened for long enough.
        found.get(timeout=20)
        write(sources, text, Path("new.tmp")).replace(sources.folder / file)
        return next(filter(None, (found.get(timeout=seconds) for _ in range(5))))


def test_file_that_is_replaced_is_found_also_behind_a_linked_folder(sources: Watched, tmp_path: Path) -> None:
    assert found_by_watch(sources, FILE, "two") == Change(frozenset({FILE}))
    # The folder with manifests is not watched.
    manifest = Path("Package.swift")
    assert found_by_watch(sources, manifest, "two", seconds=20) == Change(frozenset({manifest}))
    package = tmp_path / "linking"
    package.mkdir()
    (package / "Modules").symlink_to(sources.folder / "Modules")
    assert found_by_watch(Watched(package, sources.roots), FILE, "three") == Change(frozenset({FILE}))
