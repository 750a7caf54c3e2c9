"""Decides which files `new-module` and `remove-module` change, without changing any."""

from __future__ import annotations

import re
from pathlib import Path

from buildspeed.failures import UsageError
from buildspeed.toolchain import Toolchain
from scaffolding import composition, manifest, names, sources, templates
from scaffolding.changes import Change
from scaffolding.failures import RefusedError
from scaffolding.formatting import formatted
from scaffolding.manifest import Manifest

# By their presence the options with which a module was made are known again.
_ROUTE = "Modules/{name}/Interface/Overview.swift"
_SERVICE = "Modules/{name}/Interface/Service.swift"

_GENERATED = re.compile(rb"(<!-- (\w+): begin[^>\n]*-->\n).*?(<!-- \2: end -->)", re.DOTALL)


def adding(
    name: str, uses: tuple[str, ...], *, route: bool, service: bool, checkout: Path, toolchain: Toolchain
) -> list[Change]:
    """The changes that add a module. Raises `UsageError` or `RefusedError` where it cannot be added."""
    names.check_spelling(name)
    texts = _lists(checkout)
    listed = manifest.read_manifest(texts[manifest.PATH])
    names.check_free(name, listed, checkout)
    # Screens are made of `Display`.
    used = names.uses([*uses, "Display"] if route else uses, name, listed)
    files = templates.render(name, route=route, service=service)
    existing = sources.swift_files(checkout, sources.PROGRAM)
    names.check_types(name, files, existing, toolchain)
    if route:
        names.check_links(name, existing)
    _refuse_unformatted(texts, checkout, toolchain)
    edited = {
        manifest.PATH: listed.adding(name, used),
        composition.PATH: composition.adding(texts[composition.PATH], name),
    }
    # The lists come last: until then, nothing refers to the new files.
    result = formatted(dict(sorted(files.items())) | edited, checkout, toolchain)
    return [_change(path, texts.get(path), text) for path, text in result.items()]


def removing(name: str, *, force: bool, checkout: Path, toolchain: Toolchain) -> list[Change]:
    """The changes that remove a module.

    Raises `UsageError` where there is none, and `RefusedError` where others need it, or where, without `force`, its
    files are not as `new-module` writes them.
    """
    texts = _lists(checkout)
    listed = manifest.read_manifest(texts[manifest.PATH])
    module = listed.module(name)
    if module is None:
        raise UsageError(f"no module is called '{name}'. {names.nearest(name, listed.names)}")
    _refuse_used(module, listed, checkout)
    present = _present(name, checkout)
    if not force:
        _refuse_changed(name, present, checkout, toolchain)
    _refuse_unformatted(texts, checkout, toolchain)
    edited = {
        manifest.PATH: listed.removing(module),
        composition.PATH: composition.removing(texts[composition.PATH], name, module.targets),
    }
    # The lists come first: from then on, nothing refers to the old files.
    result = formatted(edited, checkout, toolchain)
    changes = [_change(path, texts[path], text) for path, text in result.items()]
    return changes + [Change(path, content, None) for path, content in present.items()]


def _lists(checkout: Path) -> dict[str, str]:
    texts = {}
    for path in (manifest.PATH, composition.PATH):
        try:
            texts[path] = (checkout / path).read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            raise RefusedError(f"{path} cannot be read: {error}") from error
    return texts


def _refuse_unformatted(texts: dict[str, str], checkout: Path, toolchain: Toolchain) -> None:
    """Only in files that are laid out by the rules does an edit change no other line, and can be undone exactly."""
    for path, text in formatted(texts, checkout, toolchain).items():
        if text != texts[path]:
            lines = zip(text.splitlines(), texts[path].splitlines(), strict=False)
            line = next((number for number, (new, old) in enumerate(lines, start=1) if new != old), 1)
            raise RefusedError(
                f"{path}:{line} is laid out in another way than 'swift format' does it, so that an edit could change "
                f"more than its own lines. Run 'swift format --in-place {path}' first."
            )


def _refuse_used(module: manifest.ListedModule, listed: Manifest, checkout: Path) -> None:
    users = listed.users(module.name)
    if users:
        raise RefusedError(
            f"{', '.join(users)} {'uses' if len(users) == 1 else 'use'} {module.name}. Take it out of 'uses' in "
            f"{manifest.PATH} first; --force does not help here."
        )
    own = (*(f"{folder}/" for folder in folders(module.name)), composition.PATH)
    everything = sources.swift_files(checkout, sources.EVERYTHING)
    others = {path: text for path, text in everything.items() if not path.startswith(own)}
    found = [f"{path} imports {target}" for path, target in sources.importers(others, module.targets)]
    if found:
        raise RefusedError(
            f"{module.name} is in use:\n  " + "\n  ".join(found) + "\nChange that first; --force does not help here."
        )


def _refuse_changed(name: str, present: dict[str, bytes], checkout: Path, toolchain: Toolchain) -> None:
    route, service = (pattern.format(name=name) in present for pattern in (_ROUTE, _SERVICE))
    written: dict[str, str] = {}
    if route or service:
        files = templates.render(name, route=route, service=service)
        written = formatted(files, checkout, toolchain)
    found = [f"{path} was added" for path in present if path not in written]
    found += [f"{path} was removed" for path in written if path not in present]
    for path, text in written.items():
        if path in present and by_hand(present[path]) != by_hand(text.encode()):
            found.append(f"{path} was changed")
    if found:
        raise RefusedError(
            f"{name} is not as new-module writes it:\n  " + "\n  ".join(sorted(found)) + "\n"
            "Removing it would lose that. --force removes it all the same."
        )


def by_hand(text: bytes) -> bytes:
    """A text without what stands between markers of generated parts, such as a graph, which other commands write."""
    return _GENERATED.sub(rb"\1\3", text)


def folders(name: str) -> tuple[str, ...]:
    """The folders of a module."""
    return (f"Modules/{name}", f"Tests/{name}Tests")


def _present(name: str, checkout: Path) -> dict[str, bytes]:
    places = [checkout / folder for folder in folders(name)]
    paths = [path for place in places for path in sorted(place.rglob("*"))]
    links = [path for path in (*places, *paths) if path.is_symlink()]
    if links:
        raise RefusedError(f"{links[0].relative_to(checkout)} is a symbolic link. Remove it first.")
    return {path.relative_to(checkout).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def _change(path: str, before: str | None, after: str) -> Change:
    return Change(path, None if before is None else before.encode(), after.encode())
