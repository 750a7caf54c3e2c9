"""Runs along the axes, with real builds of small packages."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from runs import CHOICES, FIXTURES, compiled, contents, measured
from swiftmodules.edits.catalogue import EDITS
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.measure.record import BY_HAND, SOUND, UNSOUND, Cell, Record, Variant
from swiftmodules.measure.store import read_record
from swiftmodules.options import MeasureChoices
from swiftmodules.swiftpm.config import Config, Measure, Setting, TargetRule

READER = "Store/Implementation/MemoryReader.swift"
FEED_USERS = {"Feed/Implementation/FeedModule.swift", "Feed/Implementation/StoredTeller.swift"}
STALL, STALL_TESTS = "Sources/Stall/Stall.swift", "Tests/StallTests/StallTests.swift"
STALLS = Config(targets=(TargetRule("interface", ("{module}Interface",)), TargetRule("implementation", ("{module}",))))
COUNTS = MeasureChoices(rounds=0, layouts=("interface",), modules=("Store",))


def copied(folder: Path, *names: str) -> Path:
    """Fixtures beside one another, in a path with a space and letters beyond ASCII."""
    for name in names:
        shutil.copytree(FIXTURES / name, folder / "die Pakete – größer" / Path(name).name)
    return folder / "die Pakete – größer" / Path(names[0]).name


def cell(layout: str, edit: str, module: str | None = "Store") -> Cell:
    return Cell(layout=layout, edit=edit, module=module)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """One round of three edits in two layouts."""
    package = copied(tmp_path_factory.mktemp("run"), "Tiny")
    before = contents(package)
    edits = ("noop", "body", "private-top")
    record = measured(package, replace(CHOICES, layouts=("interface", "fused"), modules=("Store",), edits=edits))
    assert contents(package) == before
    assert [path.name for path in (package.parent / "scratch").iterdir()] == ["lock"]
    assert [path.name for path in (package.parent / "output").iterdir()] == ["results.json"]
    assert read_record(package.parent / "output") == record
    return record


def test_samples_have_times_links_phases_and_conditions(tiny: Record) -> None:
    assert len(tiny.samples) == 3 * 3
    for each in tiny.samples:
        assert (each.seconds or 0) > 0.05 and (each.cpu_seconds or 0) > 0.05
        assert each.links == (0 if each.edit == "noop" else 1)
        assert sum(each.phases.values()) == pytest.approx(each.seconds)
        assert (each.phases["compile"] > 0) == (each.edit != "noop")
        assert (each.settling_seconds is None) == (each.edit == "noop")
        assert each.conditions is not None and (each.conditions.other_cpu_seconds or 0) >= 0
        assert each.is_noisy in (True, False)
    assert (tiny.control, tiny.jobs, tiny.incomplete) == ((Variant(layout="interface"),), 2, None)
    assert tiny.modules["Store"].importing_files > 0


def test_builds_compile_what_the_layout_makes_necessary(tiny: Record) -> None:
    for layout, control in (("interface", False), ("interface", True), ("fused", False)):
        assert compiled(tiny, cell(layout, "noop", None), control) == set()
        assert compiled(tiny, cell(layout, "body"), control) == {READER}
        # Users are reached where they import the implementation.
        users = FEED_USERS if layout == "fused" else set()
        assert compiled(tiny, cell(layout, "private-top"), control) & FEED_USERS == users


def test_failing_build_stops_with_the_compilers_message_and_the_original_place(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    file = package / READER
    file.write_text(file.read_text().replace("return Store.Entry", "return Shop.Entry"))
    with pytest.raises(BuildFailedError) as raised:
        measured(package, replace(CHOICES, layouts=("fused",), modules=("Store",)))
    assert "the build of the layout 'fused' failed:" in str(raised.value)
    assert f"{READER}:13:16: error: cannot find 'Shop' in scope" in str(raised.value)
    assert [path.name for path in (package.parent / "scratch").iterdir()] == ["lock"]
    assert not (package.parent / "output").exists()
    (package / "Feed/Implementation/More.swift").write_text("struct MemoryReader {}\n")
    with pytest.raises(ToolError, match=r"More\.swift and .*MemoryReader\.swift.* declare a type MemoryReader"):
        measured(package, replace(CHOICES, layouts=("monolith",), modules=("Store",)))


@pytest.mark.slow
def test_package_with_resources_programs_products_tests_and_a_local_package(tmp_path: Path) -> None:
    market = copied(tmp_path, "packages/Market", "packages/Spices")
    before = contents(market)
    edits = (STALL, f"{STALL}:public-top", STALL_TESTS)
    record = measured(market, replace(CHOICES, edits=edits), config=STALLS)
    assert contents(market) == before
    assert record.values("layout") == ("interface", "fused")
    assert [(each.layout, each.reason) for each in record.refused] == [
        ("monolith", "one target cannot hold several programs, which Scale, Till are.")
    ]
    assert (record.is_copy, record.with_tests) == (True, True)
    facts = record.modules[STALL]
    assert (facts.importing_files, facts.importing_modules, facts.target) == (1, 1, "Stall")
    for layout, control in (("interface", False), ("fused", False), ("interface", True)):
        assert compiled(record, cell(layout, "body", STALL), control) == {STALL}
        # With what SwiftPM writes to find the tests.
        tested = compiled(record, cell(layout, "body", STALL_TESTS), control)
        assert {file for file in tested if "(generated)" not in file} == {STALL_TESTS}
        assert "Sources/Till/main.swift" in compiled(record, cell(layout, "public-top", STALL), control)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Lathe", "Press"])
def test_package_with_c_plugins_and_macros_is_measured_as_it_is(tmp_path: Path, name: str) -> None:
    package, file = copied(tmp_path, f"packages/{name}"), f"Sources/{name}/{name}.swift"
    record = measured(package, replace(CHOICES, edits=("noop", "body", "public-top")))
    assert record.values("layout") == ("interface",)
    assert {each.layout for each in record.refused} == {"fused", "monolith"}
    assert compiled(record, cell("interface", "body", name)) == {file}
    assert compiled(record, cell("interface", "noop", None)) == set()
    shutil.rmtree(package.parent / "output")
    (sample,) = measured(package, MeasureChoices(rounds=0, edits=("body",), modules=(name,))).samples
    assert (sample.compiled, sample.smallest) == ({file: "edited"}, (file,))


@pytest.mark.slow
def test_layout_that_does_not_compile_is_left_out_with_the_compilers_first_error(tmp_path: Path) -> None:
    twins = copied(tmp_path, "packages/Twins")
    edits = ("Sources/NamesImplementation/Names.swift",)
    record = measured(twins, replace(CHOICES, layouts=("interface", "fused"), edits=edits))
    assert {each.layout for each in record.samples} == {"interface"}
    (refusal,) = record.refused
    place = "it was generated, and does not build: Sources/NamesImplementation/Names.swift:10:14: "
    assert refusal.layout == "fused" and refusal.reason.startswith(place)
    assert refusal.reason.endswith("error: invalid redeclaration of 'tidy'")


@pytest.mark.slow
def test_edit_that_does_not_compile_ends_the_run_where_requested_and_is_left_out_otherwise(
    tmp_path: Path,
) -> None:
    ring = copied(tmp_path, "packages/Ring")
    # What edits of the top level would add.
    taken = "\n".join(f"func edit{number}() -> Int {{ {number} }}" for number in range(1, 60))
    (ring / "Sources/AnvilImplementation/Taken.swift").write_text(f"{taken}\n")
    choices = replace(CHOICES, layouts=("interface",), edits=("Sources/AnvilImplementation/Taken.swift:public-top",))
    with pytest.raises(
        BuildFailedError, match=r"after the edit 'public-top'[^:]*:(.|\n)*invalid redeclaration of 'edit"
    ):
        measured(ring, choices)
    record = measured(ring, replace(CHOICES, layouts=("interface",), modules=("Anvil",)))
    (missing,) = [each for each in record.missing if (each.edit, each.module) == ("public-top", "Anvil")]
    assert missing.reason.startswith("it does not compile: ")
    assert ("body", "Anvil") in {(each.edit, each.module) for each in record.placements}


@pytest.mark.slow
def test_package_that_does_not_build_or_cannot_be_reached_is_reported(tmp_path: Path) -> None:
    market = copied(tmp_path, "packages/Market", "packages/Spices", "packages/Ring")
    file = market.parent / "Spices/Sources/Spices/Spice.swift"
    file.write_text(file.read_text() + "let broken: Int = nothing\n")
    with pytest.raises(BuildFailedError) as raised:
        measured(market, replace(CHOICES, layouts=("interface",)))
    assert f"{market} does not build, so it cannot be measured." in str(raised.value)
    assert "../Spices/Sources/Spices/Spice.swift:11:19: error: cannot find 'nothing' in scope" in str(raised.value)
    manifest = market.parent / "Ring/Package.swift"
    # No server listens there.
    needed = '    dependencies: [.package(url: "http://127.0.0.1:9/Far.git", from: "1.0.0")],\n    targets: ['
    manifest.write_text(manifest.read_text().replace("    targets: [", needed, 1))
    with pytest.raises(
        ToolError, match=r"http://127\.0\.0\.1:9/Far\.git cannot be fetched\. Run 'swift build' in the package once"
    ):
        measured(manifest.parent)


@pytest.mark.slow
def test_edits_of_structs_and_single_expressions_compile(tmp_path: Path) -> None:
    package = copied(tmp_path, "Smallest")
    (package / "Note/Implementation/ShortNote.swift").write_text(
        'struct Plain {\n    let words: [String]\n    func first() -> String { words.first ?? "" }\n'
        "    func second() -> Int { if words.isEmpty { 0 } else { 1 } }\n}\n"
    )
    record = measured(package, replace(CHOICES, layouts=("interface",), edits=("body", "comment", "private-member")))
    assert record.missing == ()
    assert {sample.files for sample in record.samples} == {1}


@pytest.mark.slow
def test_run_without_times_shows_what_every_edit_compiles_and_why(tmp_path: Path) -> None:
    """But for those of tests; a build that does not compile an edited or restored file would end it."""
    edits = tuple(name for name, each in EDITS.items() if name != "clean" and not each.needs_tests)
    found = measured(copied(tmp_path, "Tiny"), replace(COUNTS, layouts=("fused",), edits=edits))
    assert {*edits} - {*found.values("edit")} == {each.edit for each in found.missing} == {"interface-route-field"}
    samples = {each.edit: each for each in found.samples}
    noop, added, top = samples["noop"], samples["new-file"].compiled, samples["private-top"].compiled
    assert isinstance(added, dict) and isinstance(top, dict)
    assert (noop.compiled, noop.linked, noop.smallest, noop.seconds) == ({}, (), (), None)
    assert top[READER] == "edited"
    assert top["App/Support.swift"].startswith("interface of the module StoreFused → ")
    assert (samples["private-top"].linked, samples["private-top"].smallest) == (("App",), (READER,))
    assert added["Store/Implementation/NewFile.swift"] == "added"
    assert "Store/Interface/Reading.swift" in (samples["interface-requirement"].smallest or ())
    assert (found.machine, found.seconds, found.contents, found.verification) == (None, None, None, None)


@pytest.mark.slow
def test_same_code_gives_the_same_counts_in_another_place_and_order(tmp_path: Path) -> None:
    """With tests, for which there are builds of their own, and with the edits in another order."""
    tests = "Tests/ReaderTests.swift"
    edits = ("interface-requirement", "test-body")
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
        samples = measured(package, replace(COUNTS, edits=order)).samples
        found.append({each.cell: (each.compiled, each.smallest, each.linked) for each in samples})
    assert found[0] == found[1]
    assert len(found[0]) == len(edits)
    files, smallest, _ = found[0][cell("interface", "test-body")]
    assert isinstance(files, dict)
    assert [file for file in files if not file.startswith("(generated) ")] == [tests]
    assert smallest == (tests,)
    others = [each for key, (each, *_) in found[0].items() if key.edit != "test-body"]
    assert not any(isinstance(each, dict) and tests in each for each in others)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layout", "names_all", "result"),
    [("interface", False, UNSOUND), ("monolith", False, SOUND), ("interface", True, SOUND)],
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
    record = measured(chain, replace(COUNTS, layouts=(layout,), edits=(edit,), modules=("Prices",), verify=True))
    assert record.verification is not None
    (verdict,) = record.verification.verdicts
    assert (verdict.cell, verdict.result) == (cell(layout, edit, "Prices"), result)
    # The incremental build crashes, or prints something else; the clean one does neither.
    assert all(reason.startswith("after the edit, `Shop`") for reason in verdict.reasons[:1])
    missing = {"Shop": ("Prices",)} if layout == "interface" and not names_all else {}
    assert record.gaps == ({layout: missing} if missing else {})
    assert contents(chain) == before


@pytest.mark.slow
def test_work_by_hand_is_less_than_every_build_and_settings_choose_their_linker(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    before = contents(package)
    settings = ("default", "lld", "cache")
    found = measured(
        package,
        MeasureChoices(
            layouts=("interface",),
            settings=settings,
            edits=("clean", "body", "private-top"),
            modules=("Store",),
            until=("built", "by-hand"),
            rounds=1,
            jobs=2,
        ),
    )
    assert contents(package) == before and found.refused == ()
    assert {each.setting for each in found.samples if each.edit == "body"} == {"default", "lld"}
    built = {(each.round, each.position): each for each in found.samples if each.until == "built"}
    by_hand = [each for each in found.samples if each.until == BY_HAND]
    # Where one file is compiled.
    assert {each.edit for each in by_hand} == {"body"} and len(by_hand) == 3
    for each in by_hand:
        assert 0 < (each.seconds or 0) < (built[each.round, each.position].seconds or 0)
        assert set(each.phases) == {"compile", "emit-module", "link"}
    clean = [each for each in found.samples if each.edit == "clean"]
    assert {(each.setting, each.control) for each in clean} == {(name, False) for name in settings} | {
        ("default", True)
    }
    assert all((each.product_bytes or 0) > 0 and each.compiled is None for each in clean)
    assert found.settings["cache"].keeps_results
    assert found.verification is not None and found.verification.left_out is not None


@pytest.mark.slow
def test_settings_that_break_are_left_out_and_those_that_make_another_program_are_unsound(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    with (package / "App/main.swift").open("a") as file:
        file.write('#if ODD\nprint("odd")\n#endif\n')
    odd = Setting("odd", "another program", compiler=("-DODD",))
    choices = replace(
        CHOICES,
        settings=("default", "skip-bodies", "swiftbuild", "odd"),
        layouts=("interface",),
        edits=("body",),
        modules=("Store",),
        verify=True,
    )
    found = measured(package, choices, config=Config(measure=Measure(settings=(odd,))))
    reasons = {(each.setting, each.edit): each.reason for each in found.refused}
    assert reasons.keys() == {("skip-bodies", None)}, reasons
    assert "do not support emitting IR" in reasons["skip-bodies", None]
    assert {each.setting for each in found.samples} == {"default", "swiftbuild", "odd"}
    assert all(isinstance(each.compiled, dict) and READER in each.compiled for each in found.samples)
    assert found.verification is not None
    verdicts = {each.cell.setting: each for each in found.verification.verdicts}
    assert {name: each.result for name, each in verdicts.items()} == {
        "default": SOUND,
        "swiftbuild": SOUND,
        "odd": UNSOUND,
    }
    assert "'odd'" in verdicts["odd"].reasons[0]
