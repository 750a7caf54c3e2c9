"""Generates a package with a program for each feature, in which fakes stand for the other modules.

It has the checkout's own manifest, to which the programs are added, and sees its modules through a link. So it has
no graph of its own that could drift, and the checkout's manifest has nothing for its sake.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed import processes
from buildspeed.failures import BuildFailedError, UsageError
from buildspeed.toolchain import Toolchain
from scaffolding import manifest, names, sources
from scaffolding.failures import RefusedError
from scaffolding.manifest import ListedModule, Manifest

_STAGE = "FeatureStage"
# Shows the screens of the feature that runs, so its implementation is always there.
_DISPLAY = "Display"


@dataclass(frozen=True)
class Program:
    """A built program of one feature."""

    path: Path
    # The checkout's targets that are in it, and all that `swift build` would build.
    targets: frozenset[str]
    whole: frozenset[str]


def write_package(name: str, checkout: Path) -> Path:
    """Writes the package into `.build/features`, with a program for each module that can run alone.

    Raises `UsageError` for an unknown module, and `RefusedError` for one that cannot run alone.
    """
    text = (checkout / manifest.PATH).read_text(encoding="utf-8")
    listed = manifest.read_manifest(text)
    module = listed.module(name)
    if module is None:
        raise UsageError(f"no module is called '{name}'. {names.nearest(name, listed.names)}")
    _refuse_unfit(module, listed, checkout)
    folder = checkout / ".build" / "features"
    fit = [each for each in listed.modules if not _obstacle(each, listed, checkout)]
    _write_package(folder, text, fit, checkout)
    return folder


def build(name: str, folder: Path, toolchain: Toolchain) -> Program:
    """Builds the program of one feature, and of the other modules only interfaces and fakes."""
    _build(folder, _program(name), toolchain)
    return read_program(name, folder, toolchain)


def _refuse_unfit(module: ListedModule, listed: Manifest, checkout: Path) -> None:
    obstacle = _obstacle(module, listed, checkout)
    if obstacle:
        fit = [each.name for each in listed.modules if not _obstacle(each, listed, checkout)]
        raise RefusedError(f"{module.name} cannot run alone: {obstacle} These can: {', '.join(fit) or 'none'}.")


def _obstacle(module: ListedModule, listed: Manifest, checkout: Path) -> str | None:
    """Why a module cannot run alone, or None where it can."""
    interface = sources.swift_files(checkout, [f"Modules/{module.name}/Interface"])
    if not sources.declares_route(interface.values()):
        return f"no type in Modules/{module.name}/Interface is a Route, so it has nothing to open."
    for each in _faked(module):
        file = Path("Modules") / each / "Testing" / f"Fake{each}Module.swift"
        if not (checkout / file).is_file():
            return f"there is no {file}, whose Fake{each}Module registers the fakes of {each}."
    unknown = [each for each in module.uses if listed.module(each) is None]
    return f"it uses {unknown[0]}, which {manifest.PATH} does not list." if unknown else None


def _faked(module: ListedModule) -> list[str]:
    """The modules whose fakes are needed: the feature's own, and those that it uses."""
    return [module.name, *(each for each in module.uses if each != _DISPLAY)]


def _write_package(folder: Path, text: str, modules: Sequence[ListedModule], checkout: Path) -> None:
    _link(folder / "Modules", checkout / "Modules")
    _link(folder / "Stage", Path(__file__).with_name("stage"))
    for module in modules:
        _write(folder / "Programs" / module.name / "main.swift", _main(module))
    _write(folder / "Package.swift", text + _additions(modules))


def _main(module: ListedModule) -> str:
    imports = ["FeatureStage", "Foundation", f"{module.name}Implementation"]
    imports += [f"{each}Testing" for each in _faked(module)]
    others = ", ".join(f"Fake{each}Module()" for each in _faked(module)[1:])
    return (
        "// Written by scripts/run-feature, which writes it again each time.\n"
        + "".join(f"import {each}\n" for each in sorted(imports))
        + f'\nlet program = FeatureProgram(\n    "{module.name}", feature: {module.name}Module(),'
        + f" ownFakes: Fake{module.name}Module(), otherFakes: [{others}])\n"
        + "exit(await program.run(Array(CommandLine.arguments.dropFirst())))\n"
    )


def _additions(modules: Sequence[ListedModule]) -> str:
    """Swift that takes the App and the tests out of the package, and adds the stage and the programs."""
    settings = "swiftSettings: package.targets.first?.swiftSettings"
    stage = [f"{each}{kind}" for each in (_DISPLAY, manifest.ROUTER) for kind in ("Implementation", "Interface")]
    lines = [f'    .target(name: "{_STAGE}", dependencies: names({json.dumps(stage)}), path: "Stage", {settings}),']
    for module in modules:
        needs = [_STAGE, f"{module.name}Implementation", *(f"{each}Testing" for each in _faked(module))]
        lines.append(
            f'    .executableTarget(name: "{_program(module.name)}", dependencies: names({json.dumps(needs)}), '
            f'path: "Programs/{module.name}", {settings}),'
        )
    return (
        "\n// Added by scripts/run-feature, which writes this file again each time.\npackage.products = []\n"
        "package.targets.removeAll { $0.type == .test || $0.type == .executable }\npackage.targets += [\n"
        + "\n".join(lines)
        + "\n]\n"
    )


def _build(folder: Path, program: str, toolchain: Toolchain) -> None:
    log = folder / f"{program}.log"
    arguments: list[str | Path] = [toolchain.swift, "build", "--package-path", folder, "--product", program]
    arguments += ["--scratch-path", folder / "build"]
    finished = processes.run(arguments, toolchain.environment, folder, log)
    if finished.exit_code != 0:
        raise BuildFailedError(f"the feature does not build:\n{log.read_text(errors='replace').strip()}")


def read_program(name: str, folder: Path, toolchain: Toolchain) -> Program:
    """What SwiftPM says of the program of one feature, built or not."""
    arguments: list[str | Path] = [toolchain.swift, "package", "--package-path", folder]
    arguments += ["--scratch-path", folder / "build", "dump-package"]
    dump = json.loads(processes.read(arguments, toolchain.environment, folder))
    needs = {
        target["name"]: [next(iter(each.values()))[0] for each in target["dependencies"]] for target in dump["targets"]
    }
    reached: set[str] = set()
    waiting = [_program(name)]
    while waiting:
        target = waiting.pop()
        if target not in reached:
            reached.add(target)
            waiting += needs[target]
    own = {_STAGE, *(target["name"] for target in dump["targets"] if target["type"] == "executable")}
    path = folder / "build" / "debug" / _program(name)
    return Program(path, frozenset(reached - own), frozenset({*needs, "App"} - own))


def _program(name: str) -> str:
    return f"Run{name}"


def _link(place: Path, target: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink() and place.readlink() == target:
        return
    place.unlink(missing_ok=True)
    place.symlink_to(target)


def _write(place: Path, text: str) -> None:
    """Leaves a file as it is where nothing changes, so that nothing is built again."""
    if place.is_file() and place.read_text(encoding="utf-8") == text:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
