"""Detecting saves: looking at the sources, and watching them."""

from __future__ import annotations

import os
import queue
from pathlib import Path

import pytest
from made_files import files
from swiftmodules.live import watch
from swiftmodules.live.watch import Change, Sources, Watch

FILE = Path("Modules/Note/Note.swift")


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    files(tmp_path, {str(FILE): "one", "Package.swift": "manifest"})
    found = Sources(tmp_path, (Path("Modules"),))
    found.look()
    return found


def write(sources: Sources, text: str, file: Path = FILE) -> Path:
    path = sources.folder / file
    path.write_text(text)
    return path


def test_changes_of_sources_alone_are_reported_only_once(sources: Sources) -> None:
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
        assert not sources.look({write(sources, "text", Path(name))})
    assert not sources.look()


def test_files_that_are_saved_together_are_one_change_whichever_is_reported_first(sources: Sources) -> None:
    new = write(sources, "new", Path("Modules/Note/New.swift"))
    write(sources, "two")
    assert sources.settled({new}) == Change(frozenset({FILE}), frozenset({Path("Modules/Note/New.swift")}))
    new.rename(new.with_name("Newer.swift"))
    renamed = sources.settled({new.with_name("Newer.swift")})
    assert (renamed.added, renamed.removed) == ({Path("Modules/Note/Newer.swift")}, {Path("Modules/Note/New.swift")})
    assert not sources.look()


def test_file_written_after_others_belongs_to_their_change(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    other, last = (write(sources, "one", FILE.with_name(name)) for name in ("Other.swift", "Last.swift"))
    sources.look()
    # As when git changes the branch and the machine is busy.
    monkeypatch.setattr(watch.time, "sleep", lambda _: write(sources, "two", FILE.with_name("Last.swift")))
    saved = {write(sources, "two"), write(sources, "two", FILE.with_name("Other.swift"))}
    assert sources.settled(saved).modified == {FILE, *(FILE.with_name(path.name) for path in (other, last))}
    # One file alone is not waited for.
    monkeypatch.setattr(watch.time, "sleep", lambda _: pytest.fail("waits"))
    assert sources.settled({write(sources, "three")}).modified == {FILE}


def test_save_is_a_change_where_the_text_is_another_also_with_the_same_time_and_size(sources: Sources) -> None:
    assert not sources.look({write(sources, "one")})
    path = write(sources, "two")
    sources.look()
    status = path.stat()
    write(sources, "six")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert not sources.look()
    assert sources.look({path}) == Change(frozenset({FILE}))


def test_file_that_comes_and_goes_is_one_change() -> None:
    new = frozenset({FILE})
    assert not Change(added=new).followed_by(Change(removed=new))
    assert Change(removed=new).followed_by(Change(added=new)) == Change(modified=new)
    assert Change(modified=new).followed_by(Change(removed=new)) == Change(removed=new)
    assert Change(added=new).followed_by(Change(modified=new)) == Change(added=new)


@pytest.mark.parametrize("file", [FILE, Path("Package.swift")])
def test_watch_reports_a_save_that_replaces_the_file(sources: Sources, file: Path) -> None:
    reported: queue.SimpleQueue[frozenset[Path]] = queue.SimpleQueue()
    with Watch(sources, reported.put):
        # The first report comes when the watch is set, or nothing happened for long enough.
        reported.get(timeout=20)
        new = write(sources, "as editors save", Path("new.tmp"))
        new.replace(sources.folder / file)
        while (sources.folder / file) not in reported.get(timeout=20):
            pass
    assert sources.look() == Change(frozenset({file}))


def test_saves_behind_a_linked_folder_have_the_path_of_the_link(sources: Sources, tmp_path: Path) -> None:
    package = tmp_path / "linking"
    package.mkdir()
    (package / "Modules").symlink_to(sources.folder / "Modules")
    linking = Sources(package, sources.roots)
    linking.look()
    reported: queue.SimpleQueue[frozenset[Path]] = queue.SimpleQueue()
    with Watch(linking, reported.put):
        reported.get(timeout=20)
        write(sources, "two")
        while package / FILE not in reported.get(timeout=20):
            pass
    assert linking.look() == Change(frozenset({FILE}))
