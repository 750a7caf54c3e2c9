"""Makes a package of any size from a package with modules: copies of one module in the place of the original."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from buildspeed.conventions import ModuleTargets, application_of, modules_of
from buildspeed.failures import MeasurementError
from buildspeed.package_graph import Package, Target
from buildspeed.scale.composition import COMPOSITION, composition_with_copies
from buildspeed.scale.neighbours import FEATURE, NEIGHBOURS, feature_with_neighbours, neighbours_file
from buildspeed.scale.renaming import Renaming, names_of
from buildspeed.scale.shapes import Uses, uses
from buildspeed.subject import Subject
from buildspeed.swift_source import SourceFile, parse_file
from buildspeed.toolchain import Toolchain

# The module that is copied, and the client that all copies use.
MODULE, CLIENT = "Profile", "HTTPClient"
# The copy in which edits are made; the others use it, where there is a graph.
EDITED_COPY = f"{MODULE}1"


class PackageGenerator:
    """Makes the packages of one run. What was parsed once is not parsed again at the next size."""

    def __init__(self, original: Subject, folder: Path, toolchain: Toolchain) -> None:
        self._package = original.package
        self._sources = original.sources
        self._folder = folder
        self._toolchain = toolchain
        self._parsed: dict[tuple[Path, bytes], SourceFile] = {
            (path, file.text): file for path, file in original.sources.items()
        }
        self._module = _module(original.package, MODULE)
        _module(original.package, CLIENT)
        application = application_of(original.package)
        if application is None:
            raise MeasurementError("copies need a program that lists them: a package with exactly one executable.")
        self._application = application
        self._names = names_of(self._module, original.sources)

    def make(self, shape: str, size: int, seed: int) -> Subject:
        """A package with so many copies, and the modules in which edits are made."""
        renamings = {number: Renaming(MODULE, self._names, number) for number in range(1, size + 1)}
        graph = uses(shape, size, seed)
        targets: list[Target] = []
        texts: dict[Path, bytes] = {}
        for target in self._package.targets:
            if target.name in self._module.names:
                for number, renaming in renamings.items():
                    targets.append(self._copy(target, number, renaming, graph, texts))
            else:
                targets.append(self._outside(target, renamings, texts))
        package = replace(self._package, targets=tuple(sorted(targets, key=lambda each: each.name)), tests=())
        known = modules_of(package)
        return Subject(package, self._parse(package, texts), {name: known[name] for name in (CLIENT, EDITED_COPY)})

    def _copy(self, target: Target, number: int, renaming: Renaming, graph: Uses, texts: dict[Path, bytes]) -> Target:
        """A target of the module as a target of a copy; adds its files to `texts`."""
        used = graph[number] if target.name == self._module.implementation.name else ()
        for source in target.sources:
            text = renaming(self._sources[source].text)
            if used and source.name == FEATURE:
                text = feature_with_neighbours(text.decode(), MODULE, used).encode()
            texts[renaming.path(source)] = text
        sources = [renaming.path(source) for source in target.sources]
        if used:
            path = renaming.path(target.folder) / NEIGHBOURS
            texts[path] = neighbours_file(MODULE, number, used).encode()
            sources.append(path)
        return replace(
            target,
            name=renaming.target(target.name),
            folder=renaming.path(target.folder),
            sources=tuple(sorted(sources)),
            dependencies=(
                *(name for each in target.dependencies for name in self._dependencies(each, [renaming])),
                *(f"{MODULE}{each}Interface" for each in used),
            ),
        )

    def _outside(self, target: Target, renamings: Mapping[int, Renaming], texts: dict[Path, bytes]) -> Target:
        """A target that is not copied. What names the module means the first copy then, but for the program, which
        lists all."""
        for source in target.sources:
            text = self._sources[source].text
            if target.name == self._application.name and source.name == COMPOSITION:
                texts[source] = composition_with_copies(text.decode(), MODULE, len(renamings)).encode()
            else:
                texts[source] = renamings[1](text)
        dependencies = [name for each in target.dependencies for name in self._dependencies(each, renamings.values())]
        return replace(target, dependencies=tuple(dependencies))

    def _dependencies(self, name: str, copies: Iterable[Renaming]) -> list[str]:
        return [renaming.target(name) for renaming in copies] if name in self._module.names else [name]

    def _parse(self, package: Package, texts: Mapping[Path, bytes]) -> dict[Path, SourceFile]:
        options = {path: package.parser_options(target) for target in package.targets for path in target.sources}
        unknown = [path for path, text in texts.items() if (path, text) not in self._parsed]
        for path in unknown:
            (self._folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self._folder / path).write_bytes(texts[path])

        def parse(path: Path) -> SourceFile:
            return parse_file(self._folder, path, options[path], self._toolchain)

        executor = ThreadPoolExecutor(max_workers=os.cpu_count())
        try:
            for file in executor.map(parse, unknown):
                self._parsed[(file.path, file.text)] = file
        finally:
            executor.shutdown(cancel_futures=True)
        return {path: self._parsed[(path, text)] for path, text in texts.items()}


def _module(package: Package, name: str) -> ModuleTargets:
    module = modules_of(package).get(name)
    if module is None:
        raise MeasurementError(f"there is no module {name}, which the packages of `scripts/measure scale` grow from.")
    return module
