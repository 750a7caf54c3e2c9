"""Adds a module: its files, and its lines in the lists of modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from swiftmodules.errors import ToolError
from swiftmodules.files import write_atomically
from swiftmodules.process import captured
from swiftmodules.swiftpm.toolchain import temporary_folder

from repo.scaffold import lists, names
from repo.scaffold.lists import COMPOSITION, MANIFEST, Checkout

_TEMPLATES = Path(__file__).with_name("templates")
_SUFFIX = ".template"
# A module with a route imports these: its screen is made of `Display`, and `Home` leads to the screen.
_WITH_ROUTE = ("Display", "Home")


def add(name: str, uses: Sequence[str], *, route: bool, service: bool, checkout: Checkout) -> list[str]:
    """Adds a module, and returns the paths that it wrote. Raises an error where it cannot be added; nothing is changed
    then."""
    names.check_spelling(name)
    names.check_known(name, checkout)
    names.check_free(name, checkout)
    used = names.check_uses([*uses, *_WITH_ROUTE] if route else uses, name, checkout)
    files = render(name, used, route=route, service=service)
    names.check_types(name, files, checkout)
    words = ", ".join(f'"{each}"' for each in used)
    entry = f'Module("{name}", uses: [{words}])' if used else f'Module("{name}")'
    composition = lists.adding(checkout.text(COMPOSITION), COMPOSITION, name, f"{name}Module()")
    files[MANIFEST] = lists.adding(checkout.text(MANIFEST), MANIFEST, name, entry)
    # `swift format` puts the import in its place.
    files[COMPOSITION] = f"import {name}Implementation\n{composition}"
    written = formatted(files, checkout)
    # The lists come last: until then, nothing refers to the new files.
    for path, text in written.items():
        write_atomically(checkout.folder / path, text)
    return [*written]


def render(name: str, uses: Sequence[str], *, route: bool, service: bool) -> dict[str, str]:
    """The files of a module by their paths in the checkout, not yet formatted.

    The folders of templates are layers: what a module with a route has, what one with a service has, and so on. The
    implementation imports the interface of every module that it uses.
    """
    layers = ["with-route"] if route else []
    layers += ["with-service"] if service else []
    layers += ["route-and-service" if route and service else "service-only" if service else "route-only"]
    imports = [f"import {each}Interface\n" for each in uses if each not in _WITH_ROUTE or not route]
    values = {
        "Name": name,
        "title": names.title(name),
        "identifier": names.identifier(name),
        "url": names.url(name),
        "imports": "".join(imports),
    }
    rendered = {}
    for layer in layers:
        folder = _TEMPLATES / layer
        for template in sorted(folder.rglob(f"*{_SUFFIX}")):
            path = template.relative_to(folder).as_posix().removesuffix(_SUFFIX).replace("__Name__", name)
            rendered[path] = Template(template.read_text(encoding="utf-8")).substitute(values)
    return rendered


def formatted(files: Mapping[str, str], checkout: Checkout) -> dict[str, str]:
    """The same files with Swift laid out by `swift format` and the checkout's rules; other files as they are."""
    sources = [path for path in files if path.endswith(".swift")]
    with temporary_folder(checkout.toolchain.environment) as name:
        folder = Path(name)
        for path in sources:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(files[path], encoding="utf-8")
        command: list[str | Path] = [checkout.toolchain.swift, "format", "--in-place", "--configuration"]
        command += [checkout.folder / ".swift-format", *sources]
        result = captured(command, checkout.toolchain.environment, folder)
        if result.returncode != 0:
            errors = result.stderr.decode(errors="replace").strip()
            raise ToolError(f"'swift format' cannot read a file that would be edited:\n{errors}")
        return {**files, **{path: (folder / path).read_text(encoding="utf-8") for path in sources}}
