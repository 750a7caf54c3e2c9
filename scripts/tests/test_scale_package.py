"""Packages of copies: their names, who uses whom, and that they are programs that run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Subject as Read

from buildspeed.conventions import modules_of
from buildspeed.edits import DEFAULT_EDITS, Site, place_all
from buildspeed.failures import MeasurementError
from buildspeed.package_graph import Target
from buildspeed.scale.composition import composition_with_copies
from buildspeed.scale.generated_package import PackageGenerator
from buildspeed.scale.neighbours import feature_with_neighbours
from buildspeed.scale.package_layout import SCALE_LAYOUTS, make_scale_layout, package_layout
from buildspeed.scale.renaming import Renaming, names_of
from buildspeed.scale.shapes import SHAPES, uses
from buildspeed.subject import Subject
from buildspeed.toolchain import Toolchain

Make = Callable[[str, int], Subject]


@pytest.fixture(scope="module")
def make(repository_subject: Read, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Makes packages from this repository."""
    original = Subject(repository_subject.package, repository_subject.sources, {})
    generator = PackageGenerator(original, tmp_path_factory.mktemp("copies"), toolchain)
    return lambda shape, size: generator.make(shape, size, seed=1)


def text(subject: Subject, path: str) -> str:
    return subject.sources[Path(path)].text.decode()


def test_copy_has_names_of_its_own(repository_subject: Read) -> None:
    names = names_of(modules_of(repository_subject.package)["Profile"], repository_subject.sources)
    renaming = Renaming("Profile", names, 7)
    before = b'import ProfileInterface\nextension OverviewModel { let u: Profile.User; let profiles = "Profile of x" }'
    assert renaming(before) == (
        b'import Profile7Interface\nextension OverviewModel7 { let u: Profile7.User; let profiles = "Profile7 of x" }'
    )
    assert renaming(b"FakeProfileModule ProfileModule ServerProfiles") == (
        b"FakeProfileModule7 Profile7Module ServerProfiles7"
    )
    assert renaming.path(Path("Modules/Profile/Interface/Profile.swift")) == Path(
        "Modules/Profile7/Interface/Profile.swift"
    )


def test_identifiers_and_urls_of_routes_are_renamed_and_other_words_stay() -> None:
    renaming = Renaming("Profile", ["Profile"], 3)
    before = b'"profile.overview", .url("app://profile/:user"), "Loading the profile", let profile.name, "profile"'
    assert renaming(before) == (
        b'"profile3.overview", .url("app://profile3/:user"), "Loading the profile", let profile.name, "profile"'
    )


def test_no_two_copies_share_a_type_a_target_or_a_file(make: Make) -> None:
    subject = make("star", 3)
    types = [type.name for file in subject.sources.values() for type in file.types if not type.owners]
    # Files may have private types of the same name, such as the options of two programs.
    copied = [name for name in types if name[-1].isdigit()]
    assert len(copied) == len(set(copied)) > 30
    names = [target.name for target in subject.package.targets]
    assert len(names) == len(set(names))
    assert [name for name in names if name.startswith("Profile")] == [
        f"Profile{number}{kind}" for number in (1, 2, 3) for kind in ("Implementation", "Interface", "Testing")
    ]
    sources = [source for target in subject.package.targets for source in target.sources]
    assert len(sources) == len(set(sources)) == len(subject.sources)
    assert not any("Profile" in path.parts for path in sources)


def test_program_lists_every_copy_and_begins_with_the_first(make: Make) -> None:
    subject = make("star", 3)
    composition = text(subject, "App/Composition.swift")
    for number in range(1, 4):
        assert composition.count(f"import Profile{number}Implementation\n") == 1
        assert composition.count(f"        Profile{number}Module(),\n") == 1
        # The two lines are all that the program says of a copy.
        assert composition.count(f"Profile{number}") == 2
    assert "router.start(with: Profile1.Overview())" in text(subject, "App/Launch.swift")
    assert '#"profile1.overview|' in text(subject, "Modules/HTTPClient/Embedded/EmbeddedUser.swift")
    application = next(target for target in subject.package.targets if target.is_executable)
    assert {"Profile1Implementation", "Profile3Implementation"} <= set(application.dependencies)
    assert "ProfileImplementation" not in application.dependencies


def test_copies_of_a_star_use_none_of_one_another_and_those_of_a_chain_the_one_before(make: Make) -> None:
    star, chain = make("star", 3), make("chain", 3)
    assert "Profile2Interface" not in implementation(star, 3).dependencies
    assert "Profile2Interface" in implementation(chain, 3).dependencies
    assert "any Profile2.Service" in text(chain, "Modules/Profile3/Implementation/OverviewFeature.swift")
    assert "Profile2.Overview(user: person)" in text(chain, "Modules/Profile3/Implementation/Neighbours.swift")
    first = text(star, "Modules/Profile1/Implementation/OverviewFeature.swift")
    assert text(chain, "Modules/Profile1/Implementation/OverviewFeature.swift") == first


def implementation(subject: Subject, number: int) -> Target:
    (found,) = [each for each in subject.package.targets if each.name == f"Profile{number}Implementation"]
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 5, 40, 160])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_every_copy_and_no_cycle(shape: str, size: int) -> None:
    graph = uses(shape, size, 1)
    assert sorted(graph) == list(range(1, size + 1))
    assert all(used < number for number, all_used in graph.items() for used in all_used)
    if shape != "star" and size > 1:
        assert any(1 in used for used in graph.values())


def test_layers_use_up_to_three_of_the_layer_below_as_the_seed_says() -> None:
    graph = uses("layered", 20, 1)
    assert graph != uses("layered", 20, 2)
    assert graph == uses("layered", 20, 1)
    assert all(graph[number] == () for number in range(1, 6))
    for number in range(6, 21):
        layer = (number - 1) // 5
        assert len(graph[number]) == 3
        assert {(used - 1) // 5 for used in graph[number]} == {layer - 1}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_default_edit_has_its_place_in_the_first_copy_and_the_client(make: Make, shape: str) -> None:
    subject = make(shape, 3)
    placements, missing = place_all(DEFAULT_EDITS, Site(subject.package, subject.sources), subject.modules)
    assert missing == {}
    assert {module for _, module in placements} == {"HTTPClient", "Profile1", None}


def test_packages_hold_the_same_files_with_a_manifest_for_each_module(make: Make) -> None:
    subject = make("chain", 2)
    layout = package_layout(subject.package, subject.sources)
    assert set(layout.files) == set(make_scale_layout("interface", subject.package, subject.sources).files)
    paths = layout.originals()
    assert paths[Path("Packages/Profile2/Sources/Profile2Interface/Profile.swift")] == Path(
        "Modules/Profile2/Interface/Profile.swift"
    )
    assert paths[Path("Sources/App/main.swift")] == Path("App/main.swift")
    manifest = layout.added[Path("Packages/Profile2/Package.swift")]
    assert '.package(path: "../Profile1")' in manifest
    assert '.product(name: "Profile1Interface", package: "Profile1")' in manifest
    # What the program does not need is compiled as well, as in the other layouts.
    assert '.product(name: "Profile2Testing", package: "Profile2")' in layout.manifest


@pytest.mark.parametrize("name", SCALE_LAYOUTS)
def test_every_layout_names_the_program_that_is_verified(make: Make, name: str) -> None:
    subject = make("star", 1)
    assert make_scale_layout(name, subject.package, subject.sources).program == "App"


def test_changed_original_is_told_and_not_guessed() -> None:
    with pytest.raises(MeasurementError, match=r"OverviewFeature\.swift of the module Profile does not hold"):
        feature_with_neighbours("struct OverviewFeature {}\n", "Profile", [1])
    usual = "import ProfileImplementation\n    ProfileModule(),\n"
    assert composition_with_copies(usual, "Profile", 1) == usual.replace("Profile", "Profile1")
    for changed in ("import ProfileInterface\n", usual + "import ProfileInterface\n", usual + "Profile.routes\n"):
        with pytest.raises(MeasurementError, match=r"Composition\.swift of the App"):
            composition_with_copies(changed, "Profile", 3)


def test_package_without_the_module_is_refused(tiny_subject: Read, toolchain: Toolchain, tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match="there is no module Profile"):
        PackageGenerator(Subject(tiny_subject.package, tiny_subject.sources, {}), tmp_path, toolchain)


def run_program(subject: Subject, name: str, folder: Path, toolchain: Toolchain) -> tuple[str, str]:
    """What `--check` says, and the session of a person who signs in to see a screen of the last copy."""
    make_scale_layout(name, subject.package, subject.sources).write(folder / "package")
    options = ["--package-path", folder / "package", "--scratch-path", folder / "scratch", "--jobs", "2"]
    build = subprocess.run(
        [toolchain.swift, "build", *options], env=toolchain.environment, capture_output=True, text=True
    )
    assert build.returncode == 0, build.stdout
    program = folder / "scratch" / "debug" / "App"
    last = sum(
        target.name.startswith("Profile") and target.name.endswith("Testing") for target in subject.package.targets
    )
    check = subprocess.run([program, "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout
    session = subprocess.run(
        [program, "--open", f"app://profile{last}/bob"], input="ann\nsecret\n", capture_output=True, text=True
    )
    assert session.returncode == 0, session.stderr
    return check.stdout, session.stdout


def test_program_with_copies_in_one_target_runs(make: Make, toolchain: Toolchain, tmp_path: Path) -> None:
    check, session = run_program(make("chain", 2), "monolith", tmp_path, toolchain)
    # Two routes of each copy, and two of Login.
    assert check.startswith("6 routes, ")
    assert check.endswith(" 0 problems\n")
    assert "== Profile1 › Profile2 of bob ==\nBob Builder\n" in session
    assert "Profile1 of bob\n" in session


@pytest.mark.slow
@pytest.mark.parametrize("name", SCALE_LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_program_of_every_shape_runs_in_every_layout(
    make: Make, shape: str, name: str, toolchain: Toolchain, tmp_path: Path
) -> None:
    check, session = run_program(make(shape, 4), name, tmp_path, toolchain)
    assert check.startswith("10 routes, ")
    assert check.endswith(" 0 problems\n")
    assert "== Profile1 › Profile4 of bob ==\nBob Builder\n" in session
    assert ("Profile3 of bob\n" in session) == (shape != "star")
