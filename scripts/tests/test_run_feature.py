"""What `scripts/run-feature` generates and refuses, where no build is needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from scaffold_checkout import add, checkout, plain, tree

from buildspeed.toolchain import Toolchain
from scaffolding import features, run_feature
from scaffolding.features import write_package

__all__ = ["checkout", "plain"]


def main_file(checkout: Path, name: str) -> str:
    return (checkout / ".build/features/Programs" / name / "main.swift").read_text()


def test_program_has_the_feature_and_the_fakes_of_what_it_uses(checkout: Path) -> None:
    write_package("Profile", checkout)
    assert main_file(checkout, "Profile") == (
        "// Written by scripts/run-feature, which writes it again each time.\n"
        "import FeatureStage\n"
        "import Foundation\n"
        "import HTTPClientTesting\n"
        "import LoginTesting\n"
        "import ProfileImplementation\n"
        "import ProfileTesting\n"
        "\n"
        "let program = FeatureProgram(\n"
        '    "Profile", feature: ProfileModule(), ownFakes: FakeProfileModule(), '
        "otherFakes: [FakeHTTPClientModule(), FakeLoginModule()])\n"
        "exit(await program.run(Array(CommandLine.arguments.dropFirst())))\n"
    )


def test_package_reaches_no_implementation_but_the_features_and_the_terminal(
    checkout: Path, toolchain: Toolchain
) -> None:
    assert add(checkout, "Badges", "--uses", "HTTPClient,Login,Profile") == 0
    folder = write_package("Badges", checkout)
    program = features.read_program("Badges", folder, toolchain)
    implementations = {name for name in program.targets if not name.endswith(("Interface", "Testing"))}
    assert implementations == {"BadgesImplementation", "DisplayImplementation", "RouterServiceImplementation"}
    assert {"App", "HTTPClientEmbedded", "LoginImplementation", "ProfileImplementation"} <= program.whole
    # Interface, Implementation and Testing of six modules, the other implementation, the App.
    assert len(program.whole) == 6 * 3 + 2


def test_package_is_written_again_only_where_it_changed(checkout: Path) -> None:
    folder = write_package("Profile", checkout)
    manifest, before = folder / "Package.swift", (folder / "Package.swift").stat().st_mtime_ns
    write_package("Login", checkout)
    assert manifest.stat().st_mtime_ns == before
    assert add(checkout, "Badges") == 0
    write_package("Login", checkout)
    assert '"RunBadges"' in manifest.read_text()


def test_checkout_is_only_read(checkout: Path) -> None:
    before = tree(checkout)
    write_package("Profile", checkout)
    assert tree(checkout) == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["Profil"], 64, "no module is called 'Profil'. Did you mean 'Profile'?"),
        (["../x"], 64, "no module is called '../x'"),
        ([], 64, "the following arguments are required: MODULE"),
        (["HTTPClient"], 1, "HTTPClient cannot run alone: no type in Modules/HTTPClient/Interface is a Route,"),
        (["HTTPClient"], 1, "These can: Login, Profile.\n"),
    ],
)
def test_module_that_cannot_run_alone_is_told(
    checkout: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    try:
        ended = run_feature.main(arguments, checkout)
    except SystemExit as ending:
        ended = int(ending.code or 0)
    assert ended == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
    assert not (checkout / ".build").exists()


def test_missing_fakes_are_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "Modules/Login/Testing/FakeLoginModule.swift").unlink()
    assert run_feature.main(["Profile"], checkout) == 1
    assert capsys.readouterr().err == (
        "error: Profile cannot run alone: there is no Modules/Login/Testing/FakeLoginModule.swift, whose "
        "FakeLoginModule registers the fakes of Login. These can: none.\n"
    )
