"""Where the edits go in a small package, and in code made for one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TINY, Parse, Read
from swiftmodules.edits.catalogue import (
    EDITS,
    FILE_EDITS,
    WantedEdit,
    most_imported,
    needs_tests,
    path_in_package,
    place,
    place_all,
    place_in_file,
    wanted_edit,
)
from swiftmodules.edits.placement import ChangedDeclaration, NoPlaceError, Placement
from swiftmodules.edits.site import Site
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package, Target
from swiftmodules.swiftpm.syntax import SourceFile
from swiftmodules.swiftpm.text import rewrite

READER = Path("Store/Implementation/MemoryReader.swift")


def placed(read: Read, edit: str, module: str | None) -> Placement:
    return place(edit, Site(read.package, read.sources, read.modules[module] if module else None))


def edited(site: Site | Read, placement: Placement) -> str:
    assert placement.file is not None
    return rewrite(site.sources[placement.file].text, (each.numbered(7) for each in placement.insertions)).decode()


def one_module(parse: Parse, interface: str, implementation: str) -> Site:
    api, code = parse(interface, "API.swift"), parse(implementation, "Code.swift")
    targets = (target("XInterface", api), target("XImplementation", code))
    module = Module("X", targets[0], (targets[1],))
    return Site(Package("P", "6.0", targets=targets), {file.path: file for file in (api, code)}, module)


def target(name: str, file: SourceFile) -> Target:
    return Target(name, "library", Path(), (file.path,))


def result(parse: Parse, edit: str, interface: str, implementation: str) -> str:
    """The file with the edit, in a module of two files."""
    site = one_module(parse, interface, implementation)
    return edited(site, place(edit, site))


@pytest.mark.parametrize(
    ("edit", "file", "description", "text"),
    [
        (
            "body",
            READER,
            "a statement in `MemoryReader.entry`",
            'Store.Entry? {\n        _ = "edit 7"\n\n        guard',
        ),
        ("comment", READER, "a comment in `MemoryReader.entry`", "Store.Entry? {\n        // Edit 7.\n\n        guard"),
        ("private-top", READER, "a private function at", "}\n\nprivate func edit7() -> Int { 7 }\n"),
        ("internal-top", READER, "an internal function at", "}\n\nfunc edit7() -> Int { 7 }\n"),
        ("public-top", READER, "a public function at", "}\n\npublic func edit7() -> Int { 7 }\n"),
        ("private-member", READER, "in the class `MemoryReader`", "\n    private func edit7() -> Int { 7 }\n}\n"),
        (
            "interface-extension-member",
            Path("Store/Interface/Reading.swift"),
            "a public struct at the end of the `extension Store` block",
            "    }\n\n    public struct Edit7 {}\n}\n",
        ),
    ],
)
def test_edit_of_a_module_has_its_place(tiny_read: Read, edit: str, file: Path, description: str, text: str) -> None:
    placement = placed(tiny_read, edit, "Store")
    assert placement.file == placement.rewritten == placement.compiled(after_undoing=True) == file
    assert description in placement.description
    assert text in edited(tiny_read, placement)


def test_new_file_goes_beside_the_edited_one(tiny_read: Read) -> None:
    placement = placed(tiny_read, "new-file", "Store")
    assert placement.file == READER
    assert placement.compiled(after_undoing=False) == READER.with_name("NewFile.swift") == placement.rewritten
    assert placement.compiled(after_undoing=True) is None


def test_touch_rewrites_nothing(tiny_read: Read) -> None:
    assert placed(tiny_read, "touch", "Store").rewritten is None
    manifest = placed(tiny_read, "manifest-touch", None)
    assert (manifest.rewritten, manifest.compiled(after_undoing=False)) == (None, None)


def test_app_goes_to_a_function_of_the_executable(tiny_read: Read) -> None:
    assert placed(tiny_read, "app-body", None).description == "a statement in `makeTeller` in App/Support.swift"


def test_app_without_functions_is_edited_at_the_top_of_main(parse: Parse) -> None:
    main = parse("#!/usr/bin/env swift\nprint(1)\n", "main.swift")
    application = Target("App", "executable", Path(), (main.path,))
    site = Site(Package("P", "6.0", targets=(application,)), {main.path: main})
    assert edited(site, place("app-body", site)) == '#!/usr/bin/env swift\n_ = "edit 7"\nprint(1)\n'


def test_test_goes_to_a_function_of_the_modules_tests(parse: Parse) -> None:
    site = one_module(parse, "", "")
    with pytest.raises(NoPlaceError, match="no test target XTests"):
        place("test-body", site)
    file = parse("func first() { print() }\n", "Tests.swift")
    tests = Target("XTests", "test", Path(), (file.path,))
    package = Package("P", "6.0", targets=(*site.package.targets, tests))
    found = place("test-body", Site(package, dict(site.sources) | {file.path: file}, site.module))
    assert found.description == "a statement in `first` in Tests.swift"


def test_stored_property_is_a_constant_with_a_value_in_a_type_that_is_not_decoded(parse: Parse) -> None:
    code = (
        "struct Answer: Swift.Decodable { let a: Int; let b: Int }\nstruct Small { let a: Int }\nenum Kind { case a }\n"
    )
    assert "let a: Int \n    let edit7 = 7\n}\nenum" in result(parse, "stored-property", "", code)


_BLOCKS = (
    "public enum Space {}\n"
    "extension Space { public struct Large { public let length: Int }; public struct Other {} }\n"
    "extension Space { public struct Small { public let width: Int } }\n"
)


@pytest.mark.parametrize(
    ("edit", "interface", "implementation", "expected"),
    [
        (
            "interface-extension-member",
            _BLOCKS,
            "import XInterface\nlet small: Space.Small? = nil // Large\n",
            "width: Int } \n    public struct Edit7 {}\n}\n",
        ),
        (
            "interface-extension-member",
            "public protocol P {}\nextension P { public func f() {} }\n",
            "import XInterface\nf()\n",
            "public func f() {} \n    public func edit7() -> Int { 7 }\n}\n",
        ),
        ("interface-top", "public protocol P {}", "", "public protocol P {}\n\npublic struct Edit7 {}\n"),
        (
            "interface-requirement",
            "public enum N {}\nextension N { public protocol P { func f() } }\n",
            "",
            "public enum N {}\nextension N { public protocol P { func f() \n    func edit7() -> Int\n} }\n"
            "\nextension N.P {\n    public func edit7() -> Int { 7 }\n}\n",
        ),
        (
            "interface-requirement",
            "public protocol P {}\nextension P { }\n",
            "",
            "public protocol P {\n    func edit7() -> Int\n}\n"
            "extension P { \n    public func edit7() -> Int { 7 }\n}\n",
        ),
        (
            "interface-stored-property",
            "public struct Often { let a: Int }\npublic struct Large { let a: Int; let b: Int }\n",
            "import XInterface\nfunc f(_: Often) {}",
            "public struct Often { let a: Int \n    let edit7 = 7\n}\n",
        ),
    ],
)
def test_edit_of_an_interface_has_its_place(
    parse: Parse, edit: str, interface: str, implementation: str, expected: str
) -> None:
    assert expected in result(parse, edit, interface, implementation)


@pytest.mark.parametrize(
    ("edit", "interface", "implementation", "reason"),
    [
        ("interface-extension-member", "public protocol P {}", "", "no `extension` block"),
        ("interface-stored-property", "public struct S: Codable {}", "", "would be coded otherwise"),
        ("interface-requirement", "protocol P {}", "", "no public protocol"),
        ("interface-top", "public func f() {}", "", "declares no type"),
    ],
)
def test_interface_without_a_place_has_a_reason(
    parse: Parse, edit: str, interface: str, implementation: str, reason: str
) -> None:
    with pytest.raises(NoPlaceError, match=reason):
        place(edit, one_module(parse, interface, implementation))


def test_module_entry_is_edited_where_there_is_nothing_else(parse: Parse) -> None:
    site = one_module(parse, "", "public struct Entry { public func register() { print() } }")
    assert "`Entry.register`" in place("body", site).description


def test_module_without_a_body_has_no_place_for_a_statement(parse: Parse) -> None:
    with pytest.raises(NoPlaceError, match="XImplementation has no function"):
        place("body", one_module(parse, "", "public struct Entry { public func register() {} }"))


def test_single_expression_is_returned_after_the_statement(parse: Parse) -> None:
    code = "struct S {\n    func f(a: Int) -> Int { max(a, 1) }\n}\n"
    assert "Int { \n" not in code
    assert result(parse, "body", "", code) == (
        'struct S {\n    func f(a: Int) -> Int {\n        _ = "edit 7"\n return max(a, 1) }\n}\n'
    )
    assert "// Edit 7.\n max(a, 1)" in result(parse, "comment", "", code)


def test_module_of_structs_has_a_place_for_a_private_member(parse: Parse) -> None:
    assert "}\n" in result(parse, "private-member", "", "struct S { let a = 1 }\n")
    site = one_module(parse, "", "struct S { let a = 1; let b = 2 }\nfinal class C {}\n")
    assert "in the class `C`" in place("private-member", site).description


def test_code_in_conditions_is_not_edited(parse: Parse) -> None:
    conditional = "struct Large { func f() { print() }; func g() { print() } }"
    code = f"struct Small {{ func f() {{ print() }} }}\n#if DEBUG\n{conditional}\n#endif\n"
    site = one_module(parse, "", code)
    assert "`Small.f`" in place("body", site).description
    assert "`Small`" in place("stored-property", site).description


@pytest.mark.parametrize(
    ("edit", "file", "line", "name", "has_members"),
    [
        ("stored-property", "Store/Implementation/MemoryReader.swift", 4, "MemoryReader", True),
        ("interface-requirement", "Store/Interface/Reading.swift", 17, "Reader", True),
    ],
)
def test_edit_names_the_declaration_that_it_changes(
    tiny_read: Read, edit: str, file: str, line: int, name: str, has_members: bool
) -> None:
    assert placed(tiny_read, edit, "Store").declaration == ChangedDeclaration(Path(file), line, name, has_members)


def test_edit_without_a_place_is_missing_with_the_reason(tiny_read: Read) -> None:
    placements, missing = place_all(EDITS, Site(tiny_read.package, tiny_read.sources), tiny_read.modules)
    assert "no test target StoreTests" in missing["test-body", "Store"]
    assert all(key not in placements for key in missing)
    assert {edit for edit, _ in (*placements, *missing)} == set(EDITS) - {"noop", "clean"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("body", WantedEdit("body")),
        ("A/B.swift", WantedEdit("body", "A/B.swift")),
        ("Package.swift", WantedEdit("manifest-touch", "Package.swift")),
        ("A:B/C.swift:touch", WantedEdit("touch", "A:B/C.swift")),
    ],
)
def test_edit_is_a_kind_a_file_or_both(text: str, expected: WantedEdit) -> None:
    assert wanted_edit(text) == expected
    assert wanted_edit(str(expected)) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bdy", "There is no edit 'bdy'. Choose from: clean, noop, touch"),
        ("A.swift:bdy", "the edit 'bdy' does not exist"),
        ("A.swift:app-body", "the edit 'app-body' chooses its file itself"),
    ],
)
def test_edit_that_cannot_be_made_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        wanted_edit(text)


def test_file_is_found_from_the_package_and_from_the_working_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert path_in_package(str(READER), TINY) == READER
    monkeypatch.chdir(TINY / "Store")
    assert path_in_package("Implementation/MemoryReader.swift", TINY) == READER
    with pytest.raises(UsageError, match=r"has no file ../conftest\.py"):
        path_in_package("../conftest.py", TINY)


def test_edit_is_made_in_that_very_file(tiny_read: Read) -> None:
    site = Site(tiny_read.package, tiny_read.sources)
    # A module-wide edit would choose the reader.
    for path in (READER, Path("Store/Implementation/StoreModule.swift")):
        placement = place_in_file(path, "touch", site)
        assert (placement.module, placement.compiled(after_undoing=False)) == (path.as_posix(), path)
    for edit in ("touch", "private-top", "public-top", "new-file"):
        assert place_in_file(Path("Store/Interface/Store.swift"), edit, site).module == "Store/Interface/Store.swift"


def test_body_of_a_main_file_is_its_top_level_code(tiny_read: Read) -> None:
    placement = place_in_file(Path("App/main.swift"), "body", Site(tiny_read.package, tiny_read.sources))
    assert (placement.edit, placement.module) == ("body", "App/main.swift")
    assert placement.description == "a statement at the top of App/main.swift"


@pytest.mark.parametrize(
    ("path", "edit", "reason"),
    [
        ("App/main.swift", "public-top", "nothing imports App"),
        ("App/Support.swift", "interface-top", "nothing imports App"),
        ("README.md", "body", "is not a Swift file"),
        ("Plugins/Plugin.swift", "body", "in none of the package's Swift targets"),
        ("Package.swift", "body", "the edit 'manifest-touch', and no other, can be made in Package.swift only."),
        ("Store/Interface/Store.swift", "stored-property", "has no place in"),
    ],
)
def test_edit_that_is_impossible_in_a_file_is_rejected(tiny_read: Read, path: str, edit: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        place_in_file(Path(path), edit, Site(tiny_read.package, tiny_read.sources))


def test_file_of_tests_takes_edits_of_bodies_only(parse: Parse, tmp_path: Path) -> None:
    file = parse("public struct S { public func first() { print() } }\n", "Tests.swift")
    package = Package("P", "6.0", targets=(Target("XTests", "test", Path(), (file.path,)),))
    site = Site(package, {file.path: file})
    assert place_in_file(file.path, "body", site).module == "Tests.swift"
    with pytest.raises(UsageError, match="nothing imports XTests"):
        place_in_file(file.path, "public-top", site)
    assert needs_tests([WantedEdit("body", "Tests.swift")], package, tmp_path)
    assert needs_tests([WantedEdit("test-body")], package, tmp_path)
    assert not needs_tests([WantedEdit("body")], package, tmp_path)


def test_edits_of_files_are_those_of_a_module() -> None:
    assert {"body", "interface-top", "manifest-touch"} < set(FILE_EDITS)
    assert {"noop", "app-body", "test-body"}.isdisjoint(FILE_EDITS)


def test_modules_that_most_files_import_come_first(tiny_read: Read) -> None:
    site = Site(tiny_read.package, tiny_read.sources)
    assert most_imported(site, tiny_read.modules, 1) == ["Store"]
    assert most_imported(site, tiny_read.modules, 3) == ["Store", "Feed"]
