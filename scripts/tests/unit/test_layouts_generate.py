"""Generating the layouts of a package, and applying edits to them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest
from conftest import Parse
from made_files import files, written
from made_packages import changed_target
from repo_checkout import REPOSITORY
from swiftmodules.errors import ToolError
from swiftmodules.layouts.generate import (
    LAYOUTS,
    flags_of,
    make_layout,
    without_flags,
    without_tests,
)
from swiftmodules.layouts.imports import import_replacements, qualification_replacements
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import Renaming, names_of, replicate, with_copies
from swiftmodules.measure.subject import Subject
from swiftmodules.steps.placement import rewrite
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.facts import Facts
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import read_files
from swiftmodules.swiftpm.target import Resource, Target
from swiftmodules.swiftpm.toolchain import Toolchain

RENAMED = {"AInterface": "AFused", "AImplementation": "AFused", "BInterface": "BFused", "BImplementation": "BFused"}
LLD = {"tool": "linker", "kind": {"unsafeFlags": {"_0": ["-use-ld=lld"]}}, "condition": {"platformNames": ["linux"]}}


def layout(subject: Subject, name: str, package: Package | None = None) -> Layout:
    return make_layout(name, package or subject.package, subject.sources)


def text(layout: Layout, original: str) -> str:
    return layout.files[Path(original)].content().decode()


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_holds_every_file_once_and_names_the_program(tiny_subject: Subject, name: str) -> None:
    generated = layout(tiny_subject, name)
    assert set(generated.files) == set(tiny_subject.sources)
    assert len({file.path for file in generated.files.values()}) == len(generated.files)
    assert (generated.program, generated.package.tests) == ("App", ())
    if name == "interface":
        assert all(file.content() == tiny_subject.sources[path].text for path, file in generated.files.items())


def test_layouts_import_their_modules_and_rename_files_of_the_same_name(tiny_subject: Subject) -> None:
    fused = layout(tiny_subject, "fused")
    imports = "import FeedFused\nimport FeedFused\nimport StoreFused\nimport StoreFused\n\nfunc"
    assert text(fused, "App/Support.swift").startswith(imports)
    assert text(fused, "Store/Testing/FakeReader.swift").startswith("public import StoreFused\n")
    assert text(fused, "Store/Implementation/MemoryReader.swift").startswith("\n\n/// „Täglich“")
    assert set(fused.package.by_name) == {"App", "FeedFused", "StoreFused", "StoreTesting"}
    assert fused.package.dependencies_of("App") == ("FeedFused", "StoreFused")
    monolith = layout(tiny_subject, "monolith")
    assert all(b"import " not in file.content() for file in monolith.files.values())
    paths = {path.as_posix(): original.as_posix() for path, original in monolith.originals.items()}
    assert paths["Sources/App/App/App_Support.swift"] == "App/Support.swift"
    assert paths["Sources/App/FeedImplementation/FeedImplementation_Support.swift"] == (
        "Feed/Implementation/Support.swift"
    )
    assert "Sources/App/App/main.swift" in paths


def unsafe(tool: str, *flags: str) -> dict[str, object]:
    return {"tool": tool, "kind": {"unsafeFlags": {"_0": list(flags)}}}


def test_flags_that_are_compared_are_left_out_of_the_manifest_and_nothing_else(tiny_subject: Subject) -> None:
    other = {"tool": "linker", "kind": {"linkedLibrary": {"_0": "z"}}}
    given = (LLD, other, unsafe("swift", "-gnone", "-D", "A"), unsafe("linker", "-Xlinker", "-z"))
    package = changed_target(tiny_subject.package, "App", settings=given)
    for compared, found, left in (
        (["-use-ld=gold"], ("-use-ld=lld",), given[1:]),
        (["-gline-tables-only"], ("-gnone",), (LLD, other, unsafe("swift", "-D", "A"), given[3])),
        (["-whole-module-optimization"], (), given),
    ):
        assert flags_of(package, compared) == found
        stripped = without_flags(package, found)
        assert [target.settings for target in stripped.targets if target.name == "App"] == [left]
        assert [e for e in stripped.targets if e.name != "App"] == [e for e in package.targets if e.name != "App"]


@pytest.mark.parametrize("name", ["fused", "monolith"])
def test_manifests_keep_settings_and_modes(
    tiny_subject: Subject, toolchain: Toolchain, tmp_path: Path, name: str
) -> None:
    original = tiny_subject.package
    linked = changed_target(original, "App", settings=(*original.targets[0].settings, LLD))
    written(layout(tiny_subject, name, linked), tmp_path / "package")
    generated = read_package(tmp_path / "package", toolchain)
    for kept in ("toolsVersion", "platforms", "swiftLanguageVersions"):
        assert generated.facts.fields[kept] == original.facts.fields[kept]
    settings = [setting for target in generated.targets for setting in target.settings]
    assert settings.count(LLD) == 1
    common = original.targets[0].settings
    assert all(target.settings[: len(common)] == common for target in generated.targets)


def test_tests_stay_targets_of_their_own_and_import_what_is_merged(tiny_subject: Subject, parse: Parse) -> None:
    file = parse("import StoreInterface\nimport Testing\n\n@testable import StoreImplementation\n", "Tests.swift")
    tests = Target("StoreTests", "test", Path(), (file.path,), ("StoreImplementation", "StoreInterface"))
    package = msgspec.structs.replace(tiny_subject.package, targets=(*tiny_subject.package.targets, tests))
    generated = make_layout("fused", package, dict(tiny_subject.sources) | {file.path: file})
    assert generated.package.tests
    assert '.testTarget(\n            name: "StoreTests"' in (generated.manifest or "")
    assert text(generated, "Tests.swift") == "import StoreFused\nimport Testing\n\n@testable import StoreFused\n"
    assert not layout(tiny_subject, "fused", without_tests(package)).package.tests


# A layout, a target or all of them ("") or the package (None), what is changed there, and the reason.
REFUSED: list[tuple[str, str | None, dict[str, object], str]] = [
    ("fused", "FeedInterface", {"settings": ()}, "only FeedImplementation has"),
    ("interface", "", {"settings": ({"tool": "c", "kind": {"a": {"_0": "b"}}},)}, "has the setting"),
    ("interface", "App", {"resources": (Resource(Path("a"), {}),)}, "App has resources"),
    ("monolith", None, {"facts": Facts(dependencies={"a": {"fileSystem": []}})}, "depends on other packages"),
    ("monolith", None, {"others": (Target("C", "clang", Path("C")),)}, r"C is in C, C\+\+ or Objective-C"),
]


def test_package_that_a_layout_cannot_hold_is_refused(tiny_subject: Subject) -> None:
    package = tiny_subject.package
    for name, target, fields, reason in REFUSED:
        change = msgspec.structs.replace if target is None else partial(changed_target, name=target)
        other = change(package, **fields)
        with pytest.raises(ToolError, match=reason):
            layout(tiny_subject, name, other)


# Code in a merged module, and the same with the imports of the layout.
IMPORTS = {
    "@preconcurrency public import AInterface // why\nimport struct AInterface.Thing\n": (
        "@preconcurrency public import AFused // why\nimport struct AFused.Thing\n"
    ),
    "public import BInterface\nimport Other\nlet a = 1\n": "\nimport Other\nlet a = 1\n",
    "import BInterface; import Other\n": " import Other\n",
    "import AInterface\n#if DEBUG\nimport BInterface\n#endif\n": "import AFused\n#if DEBUG\n\n#endif\n",
}


def test_imports_and_qualified_names_follow_merged_modules(parse: Parse) -> None:
    for number, (code, expected) in enumerate(IMPORTS.items()):
        file = parse(code, f"File{number}.swift")
        assert rewrite(file.text, import_replacements(file, "BFused", RENAMED)).decode() == expected
    file = parse("import struct AInterface.Thing\nlet a: AInterface.Thing? = nil\nlet b = MyAInterface.c(AInterface)\n")
    found = rewrite(file.text, qualification_replacements(file, RENAMED)).decode()
    assert found == file.text.decode().replace(": AInterface.", ": AFused.")


def test_copy_has_its_own_names_and_lists_name_each_copy(
    tiny_subject: Subject, toolchain: Toolchain, tmp_path: Path
) -> None:
    renaming = Renaming("Store", names_of(tiny_subject.package.modules["Store"], tiny_subject.sources), 7)
    before = b'import StoreInterface\nextension MemoryReader { let s: Store.Entry; let stores = "Store of x" }'
    assert renaming(before) == (
        b'import Store7Interface\nextension MemoryReader7 { let s: Store7.Entry; let stores = "Store7 of x" }'
    )
    assert renaming.path(Path("Store/Interface/Store.swift")) == Path("Store7/Interface/Store.swift")
    assert Renaming("Store", ["Store"], 3)(
        b'"store.list", .url("app://store/:user"), "Loading the store", "store"'
    ) == (b'"store3.list", .url("app://store3/:user"), "Loading the store", "store"')
    renamings = [Renaming("Store", ["StoreModule"], number) for number in (1, 2)]
    with pytest.raises(ToolError, match=r"App/List\.swift:2 names the module that is copied"):
        with_copies(b"\nStoreModule.start()\n", Path("App/List.swift"), ["StoreModule"], renamings)
    with pytest.raises(ToolError, match=r"no module 'Profile'.*'scale_module'.*Feed, Store"):
        replicate(tiny_subject.package, tiny_subject.sources, "Profile", 1, tmp_path, toolchain)


def test_app_with_copies_registers_its_own_services_once() -> None:
    path, names = Path("App/Composition.swift"), ["ProfileModule"]
    renamings = [Renaming("Profile", names, number) for number in (1, 2)]
    composition = with_copies((REPOSITORY / path).read_bytes(), path, names, renamings)
    assert (composition.count(b"AppModule("), composition.count(b" Profile2Module()")) == (1, 1)


def test_no_two_copies_share_a_type_a_target_or_a_file(
    tiny_subject: Subject, toolchain: Toolchain, tmp_path: Path
) -> None:
    path = Path("App/Support.swift")
    # The program lists the modules.
    files(tmp_path, {str(path): "import StoreImplementation\n\nlet all: [Any] = [\n    StoreModule(),  // ours\n]\n"})
    known = dict(tiny_subject.sources) | read_files(tmp_path, [path], toolchain)
    package, sources = replicate(tiny_subject.package, known, "Store", 3, tmp_path, toolchain)
    types = [each.name for file in sources.values() for each in file.declarations if each.is_type]
    copied = [name for name in types if name[-1].isdigit()]
    assert len(copied) == len(set(copied)) > 3
    names = [target.name for target in package.targets]
    assert [name for name in names if name.startswith("Store")] == [
        f"Store{number}{kind}" for number in (1, 2, 3) for kind in ("Implementation", "Interface", "Testing")
    ]
    paths = [path for target in package.targets for path in target.sources]
    assert len(paths) == len(set(paths)) == len(sources)
    application = next(target for target in package.targets if target.is_executable)
    assert {"Store1Implementation", "Store3Implementation"} <= set(application.dependencies)
    assert "StoreImplementation" not in application.dependencies
    support = sources[Path("App/Support.swift")].text
    assert [support.count(b"import Store%dImplementation\n" % number) for number in (1, 2, 3)] == [1, 1, 1]
    assert [support.count(b"    Store%dModule(),  // ours\n" % number) for number in (1, 2, 3)] == [1, 1, 1]
