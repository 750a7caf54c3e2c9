"""The measurements of runs, with real builds of small packages."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from runs import FIXTURES, LISTED, OPTIONS, compiled, contents, measured, task
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.experiment import floor, matrix, scale, simulate
from swiftmodules.experiment.settings import chosen_settings
from swiftmodules.layouts.generate import LAYOUTS
from swiftmodules.records.files import read_record
from swiftmodules.records.kinds import (
    FloorOptions,
    MatrixOptions,
    MatrixRecord,
    RunOptions,
    RunRecord,
    ScaleOptions,
    SimulateOptions,
    variant,
)
from swiftmodules.records.model import SOUND, UNSOUND, Cell
from swiftmodules.swiftpm.config import Config, Measure, Setting, TargetRule

READER = "Store/Implementation/MemoryReader.swift"
FEED_USERS = {"Feed/Implementation/FeedModule.swift", "Feed/Implementation/StoredTeller.swift"}
STALL, STALL_TESTS = "Sources/Stall/Stall.swift", "Tests/StallTests/StallTests.swift"
STALLS = Config(targets=(TargetRule("interface", ("{module}Interface",)), TargetRule("implementation", ("{module}",))))


def copied(folder: Path, *names: str) -> Path:
    """Fixtures beside one another, in a path with a space and letters beyond ASCII."""
    for name in names:
        shutil.copytree(FIXTURES / name, folder / "die Pakete – größer" / Path(name).name)
    return folder / "die Pakete – größer" / Path(names[0]).name


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """One round of every default edit of one module in all layouts."""
    package = copied(tmp_path_factory.mktemp("run"), "Tiny")
    before = contents(package)
    record = measured(package, replace(OPTIONS, modules=("Store",)))
    assert contents(package) == before
    assert [path.name for path in (package.parent / "scratch").iterdir()] == ["lock"]
    assert [path.name for path in (package.parent / "output").iterdir()] == ["results.json"]
    assert read_record(package.parent / "output") == record
    return record


@pytest.mark.parametrize("layout", [*LAYOUTS, "control"])
def test_builds_compile_what_the_layout_makes_necessary(tiny: RunRecord, layout: str) -> None:
    assert compiled(tiny, layout, "noop", None) == set()
    assert compiled(tiny, layout, "body") == {READER}
    assert compiled(tiny, layout, "app-body", None) == {"App/Support.swift"}
    assert compiled(tiny, layout, "interface-extension-member") > FEED_USERS
    for edit in ("private-top", "public-top"):
        # Users are reached where they import the implementation.
        if layout != "monolith":
            assert compiled(tiny, layout, edit) & FEED_USERS == (FEED_USERS if layout == "fused" else set())


def test_samples_have_times_links_memory_and_conditions(tiny: RunRecord) -> None:
    assert len(tiny.samples) == 4 * 6
    for each in tiny.samples:
        assert each.seconds > 0.05 and each.cpu_seconds > 0.05
        assert each.links == (0 if each.edit == "noop" else 1)
        # The least that `swift build` has, and the most that this machine has.
        assert 30e6 < (each.memory_bytes or 0) < tiny.machine.memory_bytes
        assert each.conditions is not None and (each.conditions.other_cpu_seconds or 0) >= 0
        assert each.is_noisy in (True, False)
    assert (tiny.options.control, tiny.options.jobs, tiny.incomplete) == ("interface", 2, None)
    assert set(tiny.clean_builds) == {*LAYOUTS, "control"}
    assert tiny.modules["Store"].importing_files > 0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_rebuild_of_each_layout_is_timed_job_by_job(tiny: RunRecord, layout: str) -> None:
    rebuild = tiny.rebuilds[layout]
    assert (rebuild.edit, rebuild.module) == ("private-top", "Store")
    files = {file for job in rebuild.jobs if job.kind == "compile" for file in job.files}
    assert files == compiled(tiny, layout, "private-top")
    assert [job.target for job in rebuild.jobs if job.kind == "link"] == ["App"]
    assert all(0 < job.began < job.finished < rebuild.seconds for job in rebuild.jobs)


def test_failing_build_stops_with_the_compilers_message_and_the_original_place(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    file = package / READER
    file.write_text(file.read_text().replace("return Store.Entry", "return Shop.Entry"))
    with pytest.raises(BuildFailedError) as raised:
        measured(package, replace(OPTIONS, layouts=("fused",), modules=("Store",)))
    assert "the build of the layout 'fused' failed:" in str(raised.value)
    assert f"{READER}:13:16: error: cannot find 'Shop' in scope" in str(raised.value)
    assert [path.name for path in (package.parent / "scratch").iterdir()] == ["lock"]
    assert not (package.parent / "output").exists()


def test_names_that_clash_in_one_target_are_reported_with_both_files(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    (package / "Feed/Implementation/More.swift").write_text("struct MemoryReader {}\n")
    with pytest.raises(ToolError, match=r"More\.swift and .*MemoryReader\.swift.* declare a type MemoryReader"):
        measured(package, replace(OPTIONS, layouts=("monolith",), modules=("Store",)))


@pytest.mark.slow
def test_package_with_resources_programs_products_tests_and_a_local_package(tmp_path: Path) -> None:
    market = copied(tmp_path, "packages/Market", "packages/Spices")
    before = contents(market)
    edits = (STALL, f"{STALL}:public-top", STALL_TESTS)
    record = measured(market, replace(OPTIONS, edits=edits), config=STALLS)
    assert contents(market) == before
    assert record.options.layouts == ("interface", "fused")
    assert record.refused_layouts == {"monolith": "one target cannot hold several programs, which Scale, Till are."}
    assert (record.is_copy, record.with_tests) == (True, True)
    facts = record.modules[STALL]
    assert (facts.importing_files, facts.importing_modules, facts.target) == (1, 1, "Stall")
    for layout in ("interface", "fused", "control"):
        assert compiled(record, layout, "body", STALL) == {STALL}
        # With what SwiftPM writes to find the tests.
        tested = compiled(record, layout, "body", STALL_TESTS)
        assert {file for file in tested if "(generated)" not in file} == {STALL_TESTS}
        assert "Sources/Till/main.swift" in compiled(record, layout, "public-top", STALL)
    assert record.missing == {f"public-top {STALL_TESTS}": "it was not asked for"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Lathe", "Press"])
def test_package_with_c_plugins_and_macros_is_measured_as_it_is(tmp_path: Path, name: str) -> None:
    package = copied(tmp_path, f"packages/{name}")
    record = measured(package)
    file = f"Sources/{name}/{name}.swift"
    assert (record.options.layouts, set(record.refused_layouts)) == (("interface",), {"fused", "monolith"})
    assert compiled(record, "interface", "body", name) == {file}
    assert compiled(record, "interface", "noop", None) == set()
    shutil.rmtree(package.parent / "output")
    found = matrix.measure(MatrixOptions(edits=("body",)), task(package))
    (cell,) = [each for each in found.cells if each.module == name]
    assert (set(cell.compiled), cell.smallest, cell.compiled[file]) == ({file}, (file,), "edited")


@pytest.mark.slow
def test_layout_that_does_not_compile_is_left_out_with_the_compilers_first_error(tmp_path: Path) -> None:
    twins = copied(tmp_path, "packages/Twins")
    edits = ("Sources/NamesImplementation/Names.swift",)
    record = measured(twins, replace(OPTIONS, layouts=("interface", "fused"), edits=edits))
    assert record.options.layouts == ("interface",)
    (reason,) = record.refused_layouts.values()
    assert reason.startswith("it was generated, and does not build: Sources/NamesImplementation/Names.swift:10:14: ")
    assert reason.endswith("error: invalid redeclaration of 'tidy'")


@pytest.mark.slow
def test_edit_that_does_not_compile_ends_the_run_where_requested_and_is_left_out_otherwise(
    tmp_path: Path,
) -> None:
    ring = copied(tmp_path, "packages/Ring")
    # What edits of the top level would add.
    taken = "\n".join(f"func edit{number}() -> Int {{ {number} }}" for number in range(1, 60))
    (ring / "Sources/AnvilImplementation/Taken.swift").write_text(f"{taken}\n")
    options = replace(OPTIONS, layouts=("interface",), edits=("Sources/AnvilImplementation/Taken.swift:public-top",))
    with pytest.raises(
        BuildFailedError, match=r"after the edit 'public-top'[^:]*:(.|\n)*invalid redeclaration of 'edit"
    ):
        measured(ring, options)
    record = measured(ring, replace(OPTIONS, layouts=("interface",)))
    assert "it does not compile: " in record.missing["public-top Anvil"]
    assert "body Anvil" in record.placements


@pytest.mark.slow
def test_package_that_does_not_build_or_cannot_be_reached_is_reported(tmp_path: Path) -> None:
    market = copied(tmp_path, "packages/Market", "packages/Spices", "packages/Ring")
    file = market.parent / "Spices/Sources/Spices/Spice.swift"
    file.write_text(file.read_text() + "let broken: Int = nothing\n")
    with pytest.raises(BuildFailedError) as raised:
        measured(market, replace(OPTIONS, layouts=("interface",)))
    assert f"{market} does not build, so it cannot be measured." in str(raised.value)
    assert "../Spices/Sources/Spices/Spice.swift:11:19: error: cannot find 'nothing' in scope" in str(raised.value)
    manifest = market.parent / "Ring/Package.swift"
    # No server listens there.
    needed = '    dependencies: [.package(url: "http://127.0.0.1:9/Far.git", from: "1.0.0")],\n    targets: ['
    manifest.write_text(manifest.read_text().replace("    targets: [", needed, 1))
    with pytest.raises(ToolError, match=r"http://127\.0\.0\.1:9/Far\.git"):
        measured(manifest.parent)


@pytest.mark.slow
def test_edits_of_structs_and_single_expressions_compile(tmp_path: Path) -> None:
    package = copied(tmp_path, "Smallest")
    (package / "Note/Implementation/ShortNote.swift").write_text(
        'struct Plain {\n    let words: [String]\n    func first() -> String { words.first ?? "" }\n'
        "    func second() -> Int { if words.isEmpty { 0 } else { 1 } }\n}\n"
    )
    record = measured(package, replace(OPTIONS, layouts=("interface",), edits=("body", "comment", "private-member")))
    assert record.missing == {}
    assert {sample.files for sample in record.samples} == {1}


@pytest.mark.slow
def test_matrix_shows_what_is_compiled_and_why(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    edits = ("noop", "new-file", "private-top", "signature")
    found = matrix.measure(MatrixOptions(layouts=("fused",), edits=edits, modules=("Store",)), task(package))
    cells = {each.edit: each for each in found.cells}
    assert (cells["noop"].compiled, cells["noop"].linked, cells["noop"].smallest) == ({}, (), ())
    assert cells["private-top"].compiled[READER] == "edited"
    assert cells["private-top"].compiled["App/Support.swift"].startswith("interface of the module StoreFused → ")
    assert (cells["private-top"].linked, cells["private-top"].smallest) == (("App",), (READER,))
    assert cells["new-file"].compiled["Store/Implementation/NewFile.swift"] == "added"
    assert cells["signature"].smallest == ("App/Support.swift", "Store/Implementation/StoreModule.swift")


@pytest.mark.slow
def test_same_code_gives_the_same_matrix_in_another_place_and_order(tmp_path: Path) -> None:
    """With tests, for which there are builds of their own, and with the edits in another order."""
    tests = "Tests/ReaderTests.swift"
    edits = ("private-top", "interface-requirement", "test-body")
    found = []
    for place, order in (("one", edits), ("other", edits[::-1])):
        package = copied(tmp_path / place, "Tiny")
        manifest = package / "Package.swift"
        target = '.testTarget(name: "StoreTests", dependencies: ["StoreImplementation"], path: "Tests"),'
        manifest.write_text(manifest.read_text().replace("    targets: [\n", f"    targets: [\n        {target}\n"))
        (package / tests).parent.mkdir()
        (package / tests).write_text(
            "import Testing\n\n@testable import StoreImplementation\n\n@Suite struct ReaderTests {\n"
            "    @Test func reads() {\n        let reader = MemoryReader(texts: [:])\n"
            '        #expect(reader.entry(named: "a") == nil)\n    }\n}\n'
        )
        record = matrix.measure(MatrixOptions(layouts=("interface",), edits=order), task(package))
        assert isinstance(read_record(package.parent / "output"), MatrixRecord)
        found.append({each.cell: each for each in record.cells})
    assert found[0] == found[1]
    assert len(found[0]) == 5
    tested = found[0][Cell("interface", "test-body", "Store")]
    assert [file for file in tested.compiled if not file.startswith("(generated) ")] == [tests]
    assert tested.smallest == (tests,)
    assert not any(tests in each.compiled for key, each in found[0].items() if key.edit != "test-body")


@pytest.mark.parametrize(
    ("layout", "names_all", "result"),
    [
        ("interface", False, UNSOUND),
        pytest.param("monolith", False, SOUND, marks=pytest.mark.slow),
        pytest.param("interface", True, SOUND, marks=pytest.mark.slow),
    ],
)
def test_property_added_two_targets_away_is_unsound_unless_the_manifest_names_what_is_reached(
    tmp_path: Path, layout: str, names_all: bool, result: str
) -> None:
    """The chain of swift-package-manager#10502. Where the first case is sound, it seems to be corrected: say so in the
    section on wrong builds of docs/BuildSpeed.md, and turn this test around."""
    chain = copied(tmp_path, "Chain")
    manifest = chain / "Package.swift"
    if names_all:
        named = 'dependencies: ["Prices", "Products"]'
        manifest.write_text(manifest.read_text().replace('dependencies: ["Products"]', named))
    before = contents(chain)
    edit = "interface-stored-property"
    options = MatrixOptions(layouts=(layout,), edits=(edit,), modules=("Prices",))
    record = matrix.measure(options, task(chain), verify=True)
    assert record.verification is not None
    (verdict,) = record.verification.verdicts
    assert (verdict.cell, verdict.result) == (Cell(layout, edit, "Prices"), result)
    # The incremental build crashes, or prints something else; the clean one does neither.
    assert all(reason.startswith("after the edit, `Shop`") for reason in verdict.reasons[:1])
    missing = {"Shop": ("Prices",)} if layout == "interface" and not names_all else {}
    assert record.gaps == {layout: missing}
    assert contents(chain) == before


@pytest.mark.slow
def test_run_verifies_each_cell_once(tmp_path: Path) -> None:
    chain = copied(tmp_path, "Chain")
    options = RunOptions(
        layouts=("interface",), modules=("Prices",), edits=("noop", "interface-stored-property"), rounds=1, jobs=2
    )
    record = measured(chain, options, unverified=None)
    assert record.verification is not None
    assert [each.result for each in record.verification.verdicts] == [SOUND, UNSOUND]


@pytest.mark.slow
def test_floor_is_below_every_build(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    before = contents(package)
    settings = tuple(each for each in ("default", "lld", "cache") if each in chosen_settings((), Config()))
    options = FloorOptions(settings=settings, module="Store", rounds=1, clean_rounds=2, jobs=2)
    found = floor.measure(options, task(package))
    assert contents(package) == before
    built = {*settings, "control"} - {"cache"}
    assert sorted(each.layout for each in found.edit_samples) == sorted(built)
    for each in found.edit_samples:
        assert each.compiled == (READER,)
        assert 0 < (each.by_hand_seconds or 0) < each.seconds
        assert each.phases is not None and sum(each.phases.values()) == pytest.approx(each.seconds)
        assert each.phases["link"] > 0 and each.phases["compile"] > 0
    kept = [(each.round, each.kept_results) for each in found.clean_samples if each.layout == "cache"]
    assert kept == [(1, False), (2, True)]
    assert set(found.timelines) == built


@pytest.mark.slow
def test_settings_are_tried_in_layouts_and_those_that_break_are_left_out(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    with (package / "App/main.swift").open("a") as file:
        file.write('#if ODD\nprint("odd")\n#endif\n')
    odd = Setting("odd", "another program", compiler=("-DODD",))
    options = FloorOptions(
        settings=("default", "skip-bodies", "swiftbuild", "dynamic", "odd"),
        layouts=("interface", "fused"),
        edits=("body", "private-top"),
        module="Store",
        rounds=1,
        clean_rounds=1,
        jobs=2,
    )
    found = floor.measure(options, task(package, config=Config(measure=Measure(settings=(odd,))), unverified=None))
    edits = [f"{edit} Store" for edit in options.edits]
    skipped = {"skip-bodies", "skip-bodies in fused"}
    changed = {f"odd{layout} {edit}" for layout in ("", " in fused") for edit in edits}
    assert set(found.broken) == skipped | changed
    assert all("do not support emitting IR" in found.broken[name] for name in skipped)
    assert all("'odd'" in found.broken[name] for name in changed)
    built = {
        variant(name, layout) for name in ("default", "swiftbuild", "dynamic", "control") for layout in options.layouts
    }
    assert {each.cell for each in found.edit_samples} == {Cell(n, e, "Store") for n in built for e in options.edits}
    assert all(READER in (each.compiled or ()) for each in found.edit_samples)
    assert {each.layout for each in found.samples if each.failed} == skipped
    by_hand = {each.cell for each in found.edit_samples if each.by_hand_seconds}
    assert by_hand == {Cell(name, "body", "Store") for name in ("default", "dynamic", "control")}
    # Two libraries and the program that loads them.
    links = {each.layout: each.links for each in found.edit_samples if each.edit == "body"}
    assert (links["default"], links["dynamic"]) == (1, 2)


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    """A package whose program lists the modules, of which one can be copied."""
    package = copied(tmp_path, "Tiny")
    (package / "App/Support.swift").write_text(LISTED)
    return package


SCALED = Config(measure=Measure(modules=("Feed",), scale_module="Store"))


@pytest.mark.slow
def test_sizes_are_measured_until_the_budget_ends(listing: Path) -> None:
    options = ScaleOptions(
        sizes=(2, 1, 9000), layouts=("interface", "packages"), edits=("noop", "body"), rounds=2, jobs=2, seed=1
    )
    found = scale.measure(options, task(listing, config=SCALED, unverified=None))
    assert [(each.size, each.control) for each in found.sizes] == [(1, "interface"), (2, None)]
    assert [each.size for each in found.skipped] == [9000]
    assert found.options.modules == ("Feed", "Store1")
    assert [each.size for each in found.samples] == [1] * 18 + [2] * 12
    assert {each.compiled for each in found.samples if each.edit == "body"} == {1}
    smallest, larger = (each.verification for each in found.sizes)
    assert smallest is not None and {each.result for each in smallest.verdicts} == {SOUND}
    assert larger is not None and larger.left_out == "each cell is verified at the smallest size."


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(), (1, 2)])
def test_simulation_has_the_costs_and_the_real_builds_of_every_edit(listing: Path, sizes: tuple[int, ...]) -> None:
    options = SimulateOptions(layouts=("interface",), edits=("body",), rounds=1, jobs=(1, 2), seed=1)
    found = simulate.measure(options, task(listing, config=SCALED), sizes)
    expected = tuple(f"{size} copies" for size in sizes) or ("Tiny",)
    assert tuple(each.package for each in found.layouts) == found.options.packages == expected
    for layout in found.layouts:
        assert {command.target for command in layout.graph if command.kind == "link"} == {"App"}
        assert set(layout.file_costs.files) and min(layout.file_costs.files.values()) >= 0
        clean, *edited = layout.builds
        assert (clean.edit, len(clean.costs), {jobs: len(each) for jobs, each in clean.checks.items()}) == (
            None,
            1,
            {1: 1, 2: 1},
        )
        assert {each.module for each in edited} == ({"Feed", "Store1"} if sizes else {"Feed"})
        assert all(len(each.costs) == 2 and each.timeline for each in edited)
    assert all(each.alone > 0 and each.together > 0 for each in found.contention)
