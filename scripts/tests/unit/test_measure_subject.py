"""The subject of a measurement: the edits of a package, its layouts, and larger packages that are made of it."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import TINY
from made_files import files
from rich.console import Console
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.bench import Bench
from swiftmodules.measure.plan import Plan
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import Variant
from swiftmodules.measure.screen import Screens
from swiftmodules.measure.subject import Reader, possible
from swiftmodules.swiftpm.config import Config, Measure, Shown
from swiftmodules.swiftpm.config import Screens as Configured
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.usefixtures("swiftpm_is_asked_once")
READER = "Store/Implementation/MemoryReader.swift"
PACKAGES = TINY.parent / "packages"
VIEW = ProgressView(Console(quiet=True))


@pytest.fixture
def reader(tiny: Path, toolchain: Toolchain, tmp_path: Path) -> Reader:
    return Reader(tiny, tmp_path / "work", toolchain, Config(), VIEW)


def test_kinds_are_made_in_every_module_and_files_where_they_are(reader: Reader) -> None:
    edits = ("clean", "noop", "body", f"{READER}:touch", "Package.swift", "private-member")
    subject = reader.read(edits, ["Feed"])
    assert subject.keys == [
        ("clean", None),
        ("noop", None),
        ("body", "Feed"),
        ("touch", READER),
        ("manifest-touch", None),
        ("private-member", "Feed"),
    ]
    assert list(subject.modules) == ["Feed", READER]
    (touch,) = [each for each in subject.places if each.edit == "touch"]
    assert (touch.module, touch.description, touch.file) == (READER, f"the time of {READER}", READER)
    assert ("noop", None) in subject.made and ("noop", None) not in subject.placements
    assert subject.facts("Feed").target is None
    assert subject.facts(READER).target == "StoreImplementation"
    without = subject.without({("body", "Feed"): "it does not compile."})
    assert ("body", "Feed") not in without.made
    assert [(each.edit, each.module, each.reason) for each in without.reasons] == [
        ("body", "Feed", "it does not compile.")
    ]


def test_modules_are_those_named_or_configured_or_most_imported(reader: Reader) -> None:
    def modules(config: Measure, usual: int | None, *named: str) -> list[str]:
        folder = reader.folder / f"{config.modules} {usual} {named}"
        chosen = replace(reader, config=Config(measure=config), folder=folder)
        return list(chosen.read(["body"], named, usual).modules)

    assert modules(Measure(), 1) == ["Store"]
    assert modules(Measure(), None) == ["Feed", "Store"]
    assert modules(Measure(modules=("Feed", "Gone")), 1) == ["Feed"]
    assert modules(Measure(modules=("Feed",)), 1, "Store") == ["Store"]
    with pytest.raises(UsageError, match=r"No module is called 'Shop'\. Choose from: Feed, Store"):
        modules(Measure(), 1, "Shop")
    with pytest.raises(UsageError, match=r"none of the edits has a place .* test-body: .* no test target"):
        reader.read(["test-body"])


def test_package_that_no_generated_one_can_hold_is_measured_as_it_is(toolchain: Toolchain, tmp_path: Path) -> None:
    package = shutil.copytree(PACKAGES / "Lathe", tmp_path / "Lathe")
    lathe = Reader(package, tmp_path / "work", toolchain, Config(), VIEW).read(["body"], usual=3)
    layouts, refused = possible(lathe, ("interface", "fused", "monolith"), None, VIEW)
    assert [(name, layout.manifest) for name, layout in layouts.items()] == [("interface", None)]
    reason = "CTurning is in C, C++ or Objective-C."
    assert {(each.layout, each.reason) for each in refused} == {("fused", reason), ("monolith", reason)}
    with pytest.raises(ToolError, match="CTurning is in C"):
        possible(lathe, ("fused",), None, VIEW)


def test_target_that_this_platform_leaves_out_is_named_with_the_reason(toolchain: Toolchain, tmp_path: Path) -> None:
    manifest = """// swift-tools-version: 6.0
    import PackageDescription
    let far = Target.Dependency.target(name: "Far", condition: .when(platforms: [.windows]))
    let targets: [Target] = [.executableTarget(name: "App", dependencies: [far]), .target(name: "Far")]
    let package = Package(name: "Some", targets: targets)
    """
    sources = {"Sources/App/main.swift": "func run() { print() }\n", "Sources/Far/Far.swift": "\n"}
    files(tmp_path / "Some", {"Package.swift": manifest, **sources})
    console = Console(record=True, file=io.StringIO())
    Reader(tmp_path / "Some", tmp_path / "work", toolchain, Config(), ProgressView(console)).read(["body"], ["App"])
    assert "Left out: Far: on this platform, plain 'swift build' leaves it out" in console.export_text()


def test_interface_is_generated_where_others_are_compared_with_it(reader: Reader) -> None:
    subject = reader.read(["body"])
    alone = possible(subject, ("interface",), None, VIEW)[0]["interface"]
    compared = possible(subject, ("interface", "fused"), None, VIEW)[0]["interface"]
    assert (alone.manifest is None, compared.manifest is None) == (True, False)
    # As it was in the run that is resumed, though the others were left out.
    again = possible(subject, ("interface",), False, VIEW)[0]["interface"]
    assert again.manifest == compared.manifest
    assert alone.program == compared.program == "App"
    assert {file.target for file in alone.files.values()} == {file.target for file in compared.files.values()}


@pytest.fixture
def bench(tiny: Path, toolchain: Toolchain, tmp_path: Path) -> Callable[..., Bench]:
    """The bench of a package whose program lists the modules, of which Store can be copied."""
    shutil.copy(TINY.parent / "Listed.swift", tiny / "App/Support.swift")
    config = Config(measure=Measure(modules=("Feed", "Store"), scale_module="Store"))

    def made(**plan: object) -> Bench:
        chosen = {"layouts": ("interface",), "edits": ("noop", "body"), **plan}
        return Bench(tiny, tmp_path / "work", toolchain, config, VIEW, Plan(**chosen))  # type: ignore[arg-type]

    return made


def test_edits_of_a_copied_module_are_made_in_its_first_copy_and_have_its_name(bench: Callable[..., Bench]) -> None:
    subject = bench(copies=(1, 2)).subject(2)
    assert [each.module for each in subject.places] == ["Feed", "Store"]
    assert [each.file for each in subject.places] == [
        "Feed/Implementation/StoredTeller.swift",
        "Store1/Implementation/MemoryReader.swift",
    ]
    assert {"Store1Interface", "Store2Interface"} <= {target.name for target in subject.package.targets}
    with pytest.raises(UsageError, match="the edit 'touch' cannot be made in the copies"):
        bench(copies=(1,), edits=("body", f"{READER}:touch")).subject(1)


def test_steps_are_every_edit_in_every_variant_or_clean_builds_only(
    bench: Callable[..., Bench],
) -> None:
    made = bench(settings=("default", "cache"), edits=("clean", "body"), modules=("Store",))
    assert made.plan.variants == [Variant(), Variant(setting="cache")]
    assert [step.key for step in made.steps(Variant(), control=True)] == [("clean", None), ("body", "Store")]
    assert [step.name for step in made.steps(Variant(setting="cache"))] == ["interface cache clean"]
    made.plan = Plan(layouts=("interface",), edits=made.plan.edits, missing=((("body", "Store"), "it does not"),))
    assert [step.edit for step in made.steps(Variant())] == ["clean"]


SCREENS = Configured("first", (Shown("Store", "MemoryReader.swift", 'return "'),))


def add_title(package: Path) -> None:
    with (package / READER).open("a") as file:
        file.write('private func title() -> String { return "title" }\n')


def test_edits_until_the_screen_change_a_text_on_it_too(reader: Reader) -> None:
    add_title(reader.package)
    screens = Screens(Config(measure=Measure(screens=SCREENS)), reader.package)
    subject = replace(reader, place=screens.place).read(["body", "private-top"], ["Store", "Feed"])
    assert [(each.edit, each.module) for each in subject.places] == [("body", "Store"), ("private-top", "Store")]
    assert [len(each.insertions) for each in subject.placements.values()] == [1, 2]
    assert {each.reason for each in subject.reasons} == {"[measure.screens] has no text of this module."}
    assert {screens.shown(each) for each in subject.placements.values()} == {*SCREENS.shown}
    with pytest.raises(UsageError, match=r"needs the section \[measure\.screens\]"):
        Screens(Config(), reader.package)
    twice = Config(measure=Measure(screens=Configured("first", (Shown("Store", "MemoryReader.swift", "return"),))))
    with pytest.raises(UsageError, match=r"must be in .* exactly once"):
        again = replace(reader, folder=reader.folder / "again", place=Screens(twice, reader.package).place)
        again.read(["body"], ["Store"])


def test_edits_that_change_no_text_on_a_screen_are_left_out(bench: Callable[..., Bench], tiny: Path) -> None:
    add_title(tiny)
    made = bench(until=("screen",), edits=("noop", "clean", "app-body", "body"), modules=("Store",), copies=(0, 1))
    made._config = Config(measure=Measure(scale_module="Store", screens=SCREENS))
    for copies in (0, 1):
        assert [step.key for step in made.steps(Variant(copies=copies))] == [("body", "Store")]
    assert {each.edit for each in made.original.reasons} == {"noop", "clean", "app-body"}
