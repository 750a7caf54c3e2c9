"""The steps of a run: the edits of a package and its commits, the layouts, the settings, and larger packages."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from made_files import FIXTURES, committed, files, ran
from made_packages import library
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.plan import NOW, Plan
from swiftmodules.measure.record import Cell, Variant
from swiftmodules.measure.states import Edits, History
from swiftmodules.measure.subject import Origin, read_subject
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.steps.edit import EDITS
from swiftmodules.swiftpm.config import Config, Measure, Setting, read_config
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

VIEW = ProgressView(lambda text: None)


@pytest.fixture
def edits(tiny: Path, toolchain: Toolchain, tmp_path: Path) -> Callable[..., Edits]:
    """The edits of a small package, or of another one."""
    numbers = iter(range(100))

    def made(config: Measure | None = None, package: Path = tiny, **plan: object) -> Edits:
        chosen = MeasureChoices(**{"layouts": ("interface",), "edits": ("body",), **plan})  # type: ignore[arg-type]
        known = Config(measure=config or Measure())
        origin = Origin(package, tmp_path / f"work-{next(numbers)}", toolchain, known, VIEW)
        return Edits(Plan.of(chosen, known), origin)

    return made


def test_edits_are_made_in_every_module(edits: Callable[..., Edits]) -> None:
    made = edits(edits=("body", "private-top"), modules=("Feed", "Store"))
    first = [(each.layout, *each.row) for each in made.warm_up(Variant(layout="fused"))]
    assert first == [("fused", "body", "Feed"), ("fused", "private-top", "Store")]
    assert made.rows == [("body", "Feed"), ("body", "Store"), ("private-top", "Feed"), ("private-top", "Store")]
    place = made.facts()["placements"][-1]
    assert place.description == "a private function at the end of Store/Implementation/MemoryReader.swift"


def test_modules_are_those_named_or_configured_or_most_imported(edits: Callable[..., Edits]) -> None:
    def modules(config: Measure, *named: str, **plan: object) -> list[str | None]:
        return [name for _, name in edits(config, modules=named, **plan).rows]

    assert modules(Measure(), quick=True) == ["Store"]
    assert modules(Measure(), rounds=0) == ["Feed", "Store"]
    assert modules(Measure(modules=("Feed", "Gone"))) == ["Feed"]
    assert modules(Measure(modules=("Feed",)), "Store") == ["Store"]
    with pytest.raises(UsageError, match=r"No module is called 'Shop'\. Choose from: Feed, Store"):
        modules(Measure(), "Shop")
    with pytest.raises(UsageError, match=r"no edit fits the chosen modules.* interface: App"):
        edits(edits=("interface",), modules=("App",))


def test_edits_of_a_copied_module_are_made_in_its_first_copy_and_have_its_name(
    edits: Callable[..., Edits], tiny: Path
) -> None:
    # A program that lists the modules.
    shutil.copy(FIXTURES / "Listed.swift", tiny / "App/Support.swift")
    config = Measure(modules=("Feed", "Store"), scale_module="Store")
    made = edits(config, copies=2)
    assert [name for _, name in made.rows] == ["Feed", "Store"]
    assert {"Store1Interface", "Store2Interface"} <= {each.name for each in made.at(NOW).package.targets}
    (path,) = made.after(Cell(edit="body", module="Store"), with_tests=False).edited
    assert path.as_posix() == "Sources/Store1Implementation/Store1Implementation/MemoryReader.swift"
    with pytest.raises(UsageError, match="With copies, only modules with an interface can be edited, not App"):
        edits(config, copies=1, edits=("private-top",), modules=("App",))


def test_layout_that_cannot_have_the_tests_is_counted_without_them(edits: Callable[..., Edits], tiny: Path) -> None:
    target = '.testTarget(name: "StoreTests", dependencies: ["StoreImplementation"], path: "Tests"),'
    manifest = tiny / "Package.swift"
    manifest.write_text(manifest.read_text().replace("    targets: [\n", f"    targets: [\n        {target}\n"))
    files(tiny, {"Tests/SomeTests.swift": "#if canImport(StoreInterface)\n#endif\n"})
    made = edits(layouts=("interface", "fused"))
    cells = (Cell(layout=layout, edit="body", module="Store") for layout in ("interface", "fused"))
    assert [made.rebuilt(each).of_tests for each in cells] == [1, None]


LEFT_OUT = """// swift-tools-version: 6.0
import PackageDescription
let elsewhere = TargetDependencyCondition.when(platforms: [.windows])
let package = Package(
    name: "Some",
    targets: [
        .executableTarget(name: "App", dependencies: [
            .target(name: "Far", condition: elsewhere), .target(name: "Near", condition: elsewhere), "Lone",
        ]),
        .target(name: "Far", dependencies: ["Base"]), .target(name: "Base"), .target(name: "Near"),
        .target(name: "Lone", dependencies: ["Near"]), .testTarget(name: "FarTests", dependencies: ["Far"]),
    ])
"""


def left_out(folder: Path) -> Path:
    names = ("App/main", "Far/a", "Base/a", "Near/a", "Lone/a")
    sources = {f"Sources/{name}.swift": "\n" for name in names} | {"Tests/FarTests/a.swift": "\n"}
    files(folder / "Some", {"Package.swift": LEFT_OUT, **sources})
    return folder / "Some"


def test_target_that_only_another_platform_needs_is_left_out_with_the_reason(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    shown: list[str] = []
    origin = Origin(left_out(tmp_path), tmp_path / "work", toolchain, Config(), ProgressView(shown.append))
    built = {each.name for each in read_subject(origin).package.code}
    assert built == {"App", "Base", "Near", "Lone"}
    reason = "on this platform, plain 'swift build' leaves it out: App depends on it on windows only."
    assert f"Left out: Far: {reason}" in shown


@pytest.mark.slow
def test_target_that_is_left_out_is_not_built(toolchain: Toolchain, tmp_path: Path) -> None:
    package = left_out(tmp_path)
    built = {each.name for each in read_package(package, toolchain).code}
    output = ran(toolchain, "swift", "build", "--package-path", package)
    assert set(re.findall(r"Compiling (\w+)", output)) == built


PLUGIN = """import PackagePlugin
@main struct Gen: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) -> [Command] { [] }
}
"""


def test_settings_are_compared_without_the_choice_of_the_manifest_or_not_at_all(
    edits: Callable[..., Edits], tiny: Path
) -> None:
    manifest = tiny / "Package.swift"
    start, _, rest = manifest.read_text().partition('            path: "App"')
    manifest.write_text(f'{start}            path: "App", linkerSettings: [.unsafeFlags(["-use-ld=gold"])]{rest}')
    text = manifest.read_text()
    for settings, compared in ((("default", "lld"), True), (("default", "one-job"), False), (("default",), False)):
        layouts, refused = edits(settings=settings).possible()
        made = layouts["interface"].manifest
        assert not refused
        # The copy keeps the manifest of the package.
        assert (made is not None and "-use-ld" not in made) if compared else made is None, settings
    # No manifest can be generated for a plugin.
    plugin = '.plugin(name: "Gen", capability: .buildTool()),\n        .executableTarget('
    text = text.replace("package.targets {", "package.targets where target.type != .plugin {")
    manifest.write_text(text.replace(".executableTarget(", plugin))
    files(tiny, {"Plugins/Gen/Gen.swift": PLUGIN})
    assert edits(settings=("default", "one-job")).possible()[0]["interface"].manifest is None
    with pytest.raises(ToolError, match=r"Gen is a plugin\. The settings compare '-use-ld=gold', which"):
        edits(settings=("default", "lld")).possible()


def test_words_hold_all_that_a_setting_adds() -> None:
    setting = Setting("all", "everything", ("--quiet",), ("-O",))
    assert setting.words == ("--quiet", "-Xswiftc", "-O")


def test_first_setting_changes_nothing_and_every_other_has_a_source() -> None:
    first, *others = Plan.of(MeasureChoices(settings=("all",)), Config()).ways.values()
    assert first.words == ()
    for setting in others:
        assert setting.words and setting.source.startswith("https://"), setting.name


def test_settings_of_a_package_come_after_the_others(tmp_path: Path) -> None:
    text = '[[measure.settings]]\nname = "thin"\nmeaning = "what we try"\noptions = ["--jobs", "4"]\n'
    (file,) = files(tmp_path, {"swiftmodules.toml": text})
    config = read_config(file)
    plan = Plan.of(MeasureChoices(settings=("all",), edits=("all",)), config)
    assert plan.settings[0] == "default" and plan.settings[-1] == "thin" and plan.edits == tuple(EDITS)
    assert plan.ways["thin"].words == ("--jobs", "4") and plan.layouts == ("interface",)
    assert Plan.of(MeasureChoices(settings=("thin",)), config).layouts == ("interface", "fused", "monolith")
    assert Plan.of(MeasureChoices(settings=("thin", "default")), config).settings == ("thin", "default")
    with pytest.raises(UsageError, match=r"No setting is called 'fat'\. Choose from: default, .*, thin\."):
        Plan.of(MeasureChoices(settings=("default", "fat")), config)


def history(package: Path, toolchain: Toolchain, count: int = 10) -> History:
    work = package.parent.parent / "work"
    work.mkdir()
    plan = Plan.of(MeasureChoices(layouts=("interface", "fused"), edits=(f"history:{count}",)), Config())
    return History(plan, Origin(package, work, toolchain, Config(), VIEW))


def test_history_has_commits_that_change_targets_headers_too_and_of_local_packages_beside_a_package_in_a_subfolder(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    top = tmp_path / "top"
    first = {**library("Some", "Beside"), **library("Beside"), "README.md": "\n"}
    in_c = '.target(name: "CPart"), .target(name: "Some", dependencies: ["CPart", '
    first["Some/Package.swift"] = first["Some/Package.swift"].replace('.target(name: "Some", dependencies: [', in_c)
    first |= {
        "Some/Sources/Some/Some.swift": "import Beside\npublic func some() -> Int { beside }\n",
        "Some/Sources/CPart/include/CPart.h": "#define ONE 1\n",
        "Some/Sources/CPart/part.c": "\n",
        "Beside/Sources/Beside/Beside.swift": "public let beside = 1\n",
    }
    top.mkdir()
    committed(top, "first", first)
    committed(top, "a header\v1", {"Some/Sources/CPart/include/CPart.h": "#define ONE 2\n"})
    committed(top, "beside", {"Beside/Sources/Beside/Beside.swift": "public let beside = 2\n"})
    committed(top, "read me", {"README.md": "more\n"})
    committed(top, "a test", {"Some/Tests/SomeTests/Some.swift": "let some = 1\n"})
    snippet = "Some/docs/Snippet.swift"
    body = "import Beside\npublic func some() -> Int { beside + 1 }\n"
    committed(top, "a body", {"Some/Sources/Some/Some.swift": body, snippet: "let one = 1\n"})
    committed(top, "a snippet", {snippet: "let two = 2\n"})
    made = history(top / "Some", toolchain, 4)
    commits = made.facts()["commits"]
    assert [each.subject for each in commits] == ["a header\v1", "beside", "a test", "a body"]
    _, (fused,) = made.possible()
    assert fused.reason.startswith("the package has no pairs of targets that are named as an interface and its implem")


def test_history_without_a_step_says_why(toolchain: Toolchain, tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    committed(top, "first", library("Beside"))
    with pytest.raises(UsageError, match="No commit of Beside with one parent changes sources or the manifest"):
        history(top / "Beside", toolchain)
