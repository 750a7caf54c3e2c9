"""Plans the files that adding or removing a module changes, without changing any."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from swiftmodules.swiftpm.toolchain import Toolchain

from repo.scaffold import module_lists, names
from repo.scaffold.changes import Change, RefusedError
from repo.scaffold.module_lists import COMPOSITION, MANIFEST, ListedModule, ModuleList

_TEMPLATES = Path(__file__).with_name("templates")
_SUFFIX = ".template"
# Their presence shows with which options a module was added.
_ROUTE = "Modules/{name}/Interface/Overview.swift"
_SERVICE = "Modules/{name}/Interface/Service.swift"
_GENERATED = re.compile(rb"(<!-- (\w+): begin[^>\n]*-->\n).*?(<!-- \2: end -->)", re.DOTALL)


def plan_adding(
    name: str, uses: Sequence[str], *, route: bool, service: bool, checkout: Path, toolchain: Toolchain
) -> list[Change]:
    """The changes that add a module. Raises `UsageError` or `RefusedError` where it cannot be added."""
    names.check_spelling(name)
    texts = _read_lists(checkout, toolchain)
    listed = module_lists.read_list(texts[MANIFEST], MANIFEST)
    names.check_free(name, listed, checkout)
    # Screens are made of `Display`.
    used = names.check_uses([*uses, "Display"] if route else uses, name, listed)
    files = render(name, used, route=route, service=service, checkout=checkout)
    existing = names.swift_files(checkout, names.PROGRAM)
    names.check_types(name, files, existing, toolchain)
    if route:
        names.check_links(name, existing)
    edited = {
        MANIFEST: listed.adding(name, _entry(name, used)),
        COMPOSITION: module_lists.adding_entry(texts[COMPOSITION], name),
    }
    # The lists come last: until then, nothing refers to the new files.
    result = formatted(dict(sorted(files.items())) | edited, checkout, toolchain)
    before = {path: text.encode() for path, text in texts.items()}
    return [Change(path, before.get(path), text.encode()) for path, text in result.items()]


def plan_removing(name: str, *, force: bool, checkout: Path, toolchain: Toolchain) -> list[Change]:
    """The changes that remove a module.

    Raises `UsageError` where there is none, and `RefusedError` where others need it, or where, without `force`, its
    files are not as `module new` writes them.
    """
    texts = _read_lists(checkout, toolchain)
    listed = module_lists.read_list(texts[MANIFEST], MANIFEST)
    module = names.listed_module(name, listed)
    _refuse_used(module, listed, checkout)
    present = _present(name, checkout)
    if not force:
        _refuse_changed(module, present, checkout, toolchain)
    manifest = listed.removing(module)
    for target in module.targets:
        if f'"{target}"' in manifest:
            raise RefusedError(f"{MANIFEST} names {target} besides the list. Change that first.")
    edited = {MANIFEST: manifest, COMPOSITION: module_lists.removing_entry(texts[COMPOSITION], module)}
    # The lists come first: from then on, nothing refers to the old files.
    result = formatted(edited, checkout, toolchain)
    changes = [Change(path, texts[path].encode(), text.encode()) for path, text in result.items()]
    return changes + [Change(path, content, None) for path, content in present.items()]


def _entry(name: str, uses: Sequence[str]) -> str:
    names = ", ".join(f'"{each}"' for each in uses)
    return f'Module("{name}", uses: [{names}])' if uses else f'Module("{name}")'


def folders(name: str) -> tuple[str, ...]:
    """The folders of a module."""
    return (f"Modules/{name}", f"Tests/{name}Tests")


def render(name: str, uses: Sequence[str], *, route: bool, service: bool, checkout: Path) -> dict[str, str]:
    """The files of a module by their paths in the checkout, not yet formatted.

    The folders of templates are layers: what every module has, what one with a route has, and so on. The implementation
    imports the interface of every module that it uses, and the screen leads to their first screens.
    """
    layers = ["module"]
    layers += ["with-route"] if route else []
    layers += ["with-service"] if service else []
    layers += ["route-and-service" if route and service else "service-only" if service else "route-only"]
    values = {
        "Name": name,
        "title": names.title(name),
        "identifier": names.identifier(name),
        "url": names.url(name),
        # Screens are made of `Display`, and import it anyway.
        "imports": "".join(f"import {each}Interface\n" for each in uses if each != "Display" or not route),
    } | _leading_to(uses, checkout, has_model=service)
    rendered = {}
    for layer in layers:
        folder = _TEMPLATES / layer
        for template in sorted(folder.rglob(f"*{_SUFFIX}")):
            path = template.relative_to(folder).as_posix().removesuffix(_SUFFIX).replace("__Name__", name)
            rendered[path] = Template(template.read_text(encoding="utf-8")).substitute(values)
    return rendered


def _leading_to(uses: Sequence[str], checkout: Path, *, has_model: bool) -> dict[str, str]:
    """The parts of templates that lead to the used modules' first screens, where `module new` wrote these."""
    imports, rows, methods, tests = "", "", "", ""
    for name in uses:
        route = checkout / _ROUTE.format(name=name)
        if not route.is_file() or "public init() {}" not in route.read_text(encoding="utf-8"):
            continue
        title, (first, *rest) = names.title(name), names.words(name)
        open_it = f"try await context.open({name}.Overview())"
        action = f", action: open{name})" if has_model else f") {{ {open_it} }}"
        imports += f"import {name}Interface\n"
        rows += f'\n.row(Display.Row("{title}"{action}),'
        methods += f"/// Opens the first screen of {title}.\nfunc open{name}() async throws {{ {open_it} }}\n\n"
        tests += (
            f"@Test func {first.lower()}{''.join(rest)}_opensItsFirstScreen() async throws {{\n"
            f'try await screen().content().press("{title}")\n'
            f"#expect(recorder.router.opened == [AnyRoute({name}.Overview())])\n}}\n\n"
        )
    return {"openedImports": imports, "rows": rows, "methods": methods, "tests": tests}


def formatted(files: Mapping[str, str], checkout: Path, toolchain: Toolchain) -> dict[str, str]:
    """The same files with Swift laid out by `swift format` and the checkout's rules; other files as they are.

    Raises `RefusedError` with the message of `swift format` where a file is not Swift.
    """
    sources = [path for path in files if path.endswith(".swift")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in sources:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(files[path], encoding="utf-8")
        command: list[str | Path] = [toolchain.swift, "format", "--in-place", "--configuration"]
        command += [checkout / ".swift-format", *sources]
        result = subprocess.run(command, cwd=folder, env=toolchain.environment, capture_output=True, text=True)
        if result.returncode != 0:
            raise RefusedError(
                f"'swift format' cannot read a file that the command would edit:\n{result.stderr.strip()}"
            )
        return {**files, **{path: (folder / path).read_text(encoding="utf-8") for path in sources}}


def _read_lists(checkout: Path, toolchain: Toolchain) -> dict[str, str]:
    """The two files with lists. Only where they are laid out by the rules does an edit change no other line, and can be
    undone exactly."""
    texts = {}
    for path in (MANIFEST, COMPOSITION):
        try:
            texts[path] = (checkout / path).read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            raise RefusedError(f"{path} cannot be read: {error}") from error
    for path, text in formatted(texts, checkout, toolchain).items():
        if text != texts[path]:
            lines = zip(text.splitlines(), texts[path].splitlines(), strict=False)
            line = next((number for number, (new, old) in enumerate(lines, start=1) if new != old), 1)
            raise RefusedError(
                f"{path}:{line} is not formatted as 'swift format' would, so an edit could change more than its own "
                f"lines. Run 'swift format --in-place {path}' first."
            )
    return texts


def _refuse_used(module: ListedModule, listed: ModuleList, checkout: Path) -> None:
    users = [each.name for each in listed.modules if module.name in each.used]
    if users:
        raise RefusedError(
            f"{', '.join(users)} {'uses' if len(users) == 1 else 'use'} {module.name}. Take it out of "
            f"{'its entry' if len(users) == 1 else 'their entries'} in {MANIFEST} first; --force does not help here."
        )
    own = (*(f"{folder}/" for folder in folders(module.name)), COMPOSITION)
    found = [
        f"{path} imports {target}"
        for path, text in names.swift_files(checkout, names.EVERYTHING).items()
        for target in sorted(names.imported(text).intersection(module.targets))
        if not path.startswith(own)
    ]
    if found:
        raise RefusedError(
            f"{module.name} is in use:\n  " + "\n  ".join(found) + "\nChange that first; --force does not help here."
        )


def _refuse_changed(module: ListedModule, present: Mapping[str, bytes], checkout: Path, toolchain: Toolchain) -> None:
    route, service = (pattern.format(name=module.name) in present for pattern in (_ROUTE, _SERVICE))
    files = render(module.name, module.uses, route=route, service=service, checkout=checkout)
    # With neither a route nor a service, nothing of it was written by this command.
    written = formatted(files, checkout, toolchain) if route or service else {}
    found = [f"{path} was added" for path in present if path not in written]
    for path, text in written.items():
        if path not in present:
            found.append(f"{path} was removed")
        elif by_hand(present[path]) != by_hand(text.encode()):
            found.append(f"{path} was changed")
    if found:
        raise RefusedError(
            f"{module.name} is not as 'module new' writes it:\n  " + "\n  ".join(sorted(found)) + "\n"
            "Removing it would lose that. --force removes it anyway."
        )


def by_hand(text: bytes) -> bytes:
    """A text without what stands between markers of generated parts, such as a graph, which other commands write."""
    return _GENERATED.sub(rb"\1\3", text)


def _present(name: str, checkout: Path) -> dict[str, bytes]:
    places = [checkout / folder for folder in folders(name)]
    paths = [path for place in places for path in sorted(place.rglob("*"))]
    links = [path for path in (*places, *paths) if path.is_symlink()]
    if links:
        raise RefusedError(f"{links[0].relative_to(checkout)} is a symbolic link. Remove it first.")
    return {path.relative_to(checkout).as_posix(): path.read_bytes() for path in paths if path.is_file()}
