"""Builds a program for one feature alone, in which fakes stand for the modules that it uses.

The program is in a generated package, which has the checkout's own manifest, to which programs are added, and sees its
modules through a link. So no second graph could drift, and the checkout's manifest needs nothing for it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.config import config_of
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.programs import built, write_changed
from repo.scaffold import names
from repo.scaffold.lists import MANIFEST, ROUTER, Checkout

_STAGE = "FeatureStage"
# Shows the screens of the feature that runs, so its implementation is always there.
_DISPLAY = "Display"
# What the stage has in common with the App: the program's side of a live session.
_OF_THE_APP = ("Live.swift", "Snapshots.swift")
_WRITTEN = "Written by scripts/module run, which writes it again each time."


def write_package(name: str, checkout: Checkout) -> Path:
    """Writes the package into `.build/features`, with a program for each module that can run alone.

    Raises `UsageError` for an unknown module, and `ToolError` for one that cannot run alone.
    """
    checkout.require(name)
    obstacles = {each: _obstacle(each, checkout) for each in checkout.modules}
    fit = [each for each in checkout.modules if not obstacles[each]]
    if obstacles[name]:
        raise ToolError(f"{name} cannot run alone: {obstacles[name]} These can: {', '.join(fit) or 'none'}.")
    folder = checkout.folder / ".build" / "features"
    _link(folder / "Modules", checkout.folder / "Modules")
    # Links to files, because the App's are beside files that are of no use here.
    stage = {each.name: each for each in Path(__file__).with_name("stage").iterdir()}
    stage |= {name: checkout.folder / "App" / name for name in _OF_THE_APP}
    for link in folder.glob(f"{_STAGE}/*"):
        if link.name not in stage:
            link.unlink()
    for file_name, file in stage.items():
        _link(folder / _STAGE / file_name, file)
    for each in fit:
        write_changed(folder / "Programs" / each / "main.swift", _main(each, checkout))
    write_changed(folder / MANIFEST, checkout.text(MANIFEST) + _additions(fit, checkout))
    return folder


def build(name: str, folder: Path, toolchain: Toolchain) -> Path:
    """Builds the program of one feature, and of the other modules only interfaces and fakes."""
    return built(_program(name), folder, folder / "build", toolchain)


def run_live(name: str, folder: Path, checkout: Checkout, arguments: Sequence[str]) -> int:
    """Runs the program of one feature, brings each saved edit into it, and returns its exit code."""
    # Needs libraries of its own.
    from swiftmodules.live.session import Session

    config = config_of(checkout.folder)
    return Session(folder, arguments, checkout.toolchain, config, _program(name)).run()


def _obstacle(module: str, checkout: Checkout) -> str | None:
    interface = checkout.package.target(f"{module}Interface")
    if not names.declares_route(checkout.text(str(path)) for path in (interface.sources if interface else ())):
        return f"no type in Modules/{module}/Interface is a Route, so it has nothing to open."
    for each in _faked(module, checkout):
        file = Path("Modules") / each / "Testing" / f"Fake{each}Module.swift"
        if not (checkout.folder / file).is_file():
            return f"there is no {file}, whose Fake{each}Module registers the fakes of {each}."
    return None


def _faked(module: str, checkout: Checkout) -> list[str]:
    """The modules whose fakes are needed: the feature's own, and each module that it uses."""
    return [module, *(each for each in checkout.uses(module) if each != _DISPLAY)]


def _main(module: str, checkout: Checkout) -> str:
    imports = sorted([*_needs(module, checkout), "Foundation"])
    others = ", ".join(f"Fake{each}Module()" for each in _faked(module, checkout)[1:])
    return (
        f"// {_WRITTEN}\n"
        + "".join(f"import {each}\n" for each in imports)
        + f'\nlet program = FeatureProgram(\n    "{module}", feature: {module}Module(),'
        + f" ownFakes: Fake{module}Module(), otherFakes: [{others}])\n"
        + "exit(await program.run(Array(CommandLine.arguments.dropFirst())))\n"
    )


def _additions(modules: Sequence[str], checkout: Checkout) -> str:
    """Swift that leaves only libraries of the package, and adds the stage and the programs."""

    def target(kind: str, name: str, needs: Sequence[str], path: str) -> str:
        return (
            f'    .{kind}(name: "{name}", dependencies: names({json.dumps(needs)}), path: "{path}", '
            "swiftSettings: package.targets.first?.swiftSettings),\n"
        )

    stage = [f"{each}{kind}" for each in (_DISPLAY, ROUTER) for kind in ("Implementation", "Interface")]
    stage.append(f"{ROUTER}Program")
    programs = [
        target("executableTarget", _program(each), _needs(each, checkout), f"Programs/{each}") for each in modules
    ]
    return (
        f"\n// {_WRITTEN}\npackage.products = []\n"
        "package.targets.removeAll { $0.type != .regular }\npackage.targets += [\n"
        + target("target", _STAGE, stage, _STAGE)
        + "".join(programs)
        + "]\n"
    )


def _needs(module: str, checkout: Checkout) -> list[str]:
    return [_STAGE, f"{module}Implementation", *(f"{each}Testing" for each in _faked(module, checkout))]


def _program(name: str) -> str:
    return f"Run{name}"


def _link(place: Path, target: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink() and place.readlink() == target:
        return
    place.unlink(missing_ok=True)
    place.symlink_to(target)
