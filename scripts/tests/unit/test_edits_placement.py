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
from swiftmodules.edits.placement import ChangedDeclaration, NoPlaceError, Placement, rewrite
from swiftmodules.edits.site import Site
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package, Target, TargetKind
from swiftmodules.swiftpm.reader import SourceFile

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
    return Site(package(*targets), {file.path: file for file in (api, code)}, module)


def target(name: str, file: SourceFile, kind: TargetKind = "library") -> Target:
    return Target(name, kind, Path(), (file.path,))


def package(*targets: Target) -> Package:
    return Package("P", "6.0", targets=targets)


def test_new_file_goes_beside_the_edited_one_and_touch_rewrites_nothing(tiny_read: Read) -> None:
    placement = placed(tiny_read, "new-file", "Store")
    assert placement.file == READER
    assert placement.compiled(after_undoing=False) == READER.with_name("NewFile.swift") == placement.rewritten
    assert placement.compiled(after_undoing=True) is None
    assert placed(tiny_read, "touch", "Store").rewritten is None
    manifest = placed(tiny_read, "manifest-touch", None)
    assert (manifest.rewritten, manifest.compiled(after_undoing=False)) == (None, None)


def test_app_and_tests_are_edited_in_a_function_or_at_the_top_of_main(tiny_read: Read, parse: Parse) -> None:
    assert placed(tiny_read, "app-body", None).description == "a statement in `makeTeller` in App/Support.swift"
    main = parse("#!/usr/bin/env swift\nprint(1)\n", "main.swift")
    site = Site(package(target("App", main, "executable")), {main.path: main})
    assert edited(site, place("app-body", site)) == '#!/usr/bin/env swift\n_ = "edit 7"\nprint(1)\n'
    site = one_module(parse, "", "")
    with pytest.raises(NoPlaceError, match="no test target XTests"):
        place("test-body", site)
    file = parse("func first() { print() }\n", "Tests.swift")
    tested = package(*site.package.targets, target("XTests", file, "test"))
    found = place("test-body", Site(tested, dict(site.sources) | {file.path: file}, site.module))
    assert found.description == "a statement in `first` in Tests.swift"


_IN_BLOCK = "    }\n\n    public struct Edit7 {}\n}\n"
_NEW_BLOCK = "}\n\nextension Store {\n    public struct Edit7 {}\n}\n"
_SMALL = "import XInterface\nlet small: Space.Small? = nil // Large\n"
_EXTENDED = "public protocol P {}\nextension P { public func f() {} }\n"
_BLOCKS = (
    "public enum Space {}\n"
    "extension Space { public struct Large { public let length: Int }; public struct Other {} }\n"
    "extension Space { public struct Small { public let width: Int } }\n"
)
_READING = "Store/Interface/Reading.swift"
_ENTRY = "Store/Implementation/StoreModule.swift"
_MEMBER_END = "\n    private func edit7() -> Int { 7 }\n}\n"
PLACES = [
    ("body", READER, "a statement in `MemoryReader.entry`", 'Store.Entry? {\n        _ = "edit 7"\n\n        guard'),
    ("private-top", READER, "a private function at", "}\n\nprivate func edit7() -> Int { 7 }\n"),
    ("public-top", READER, "a public function at", "}\n\npublic func edit7() -> Int { 7 }\n"),
    ("private-member", READER, "in the class `MemoryReader`", _MEMBER_END),
    ("interface-extension-member", _READING, "a public struct at the end of the `extension Store` block", _IN_BLOCK),
    ("interface-new-extension", _READING, "a new `extension Store` block", _NEW_BLOCK),
]
CHANGED = {
    "stored-property": ChangedDeclaration(READER, 4, "MemoryReader", True),
    "interface-requirement": ChangedDeclaration(Path(_READING), 17, "Reader", True),
}


def test_edit_of_a_module_has_its_place(tiny_read: Read) -> None:
    for edit, file, description, text in PLACES:
        placement = placed(tiny_read, edit, "Store")
        assert placement.file == placement.rewritten == placement.compiled(after_undoing=True) == Path(file)
        assert description in placement.description
        assert text in edited(tiny_read, placement)
    assert {each: placed(tiny_read, each, "Store").declaration for each in CHANGED} == CHANGED


_CONDITIONAL = """struct Small { func f() { print() } }
#if DEBUG
struct Large { func f() { print() }; func g() { print() } }
#endif
"""
_DECODED = "struct Answer: Swift.Decodable { let a, b: Int }\nstruct Small { let a: Int }\nenum Kind { case a }\n"
_SINGLE = "struct S {\n    func f(a: Int) -> Int { max(a, 1) }\n}\n"
_P_METHOD = "\n    public func edit7() -> Int { 7 }\n}\n"
_N = "public enum N {}\nextension N { public protocol P { func f() "
_OFTEN = "public struct Often { let a: Int"
_OPEN = "public struct Open<T: P>: Codable, Routing.Route where T: Q {"
# An edit, the code of an interface and of an implementation, and what the edited file has or where the edit is.
FOUND = [
    ("interface-extension-member", _BLOCKS, _SMALL, "width: Int } \n    public struct Edit7 {}\n}\n"),
    ("interface-extension-member", _EXTENDED, "import XInterface\nf()\n", f"public func f() {{}} {_P_METHOD}"),
    ("interface-top", "public protocol P {}", "", "public protocol P {}\n\npublic struct Edit7 {}\n"),
    ("interface-new-extension", "public protocol P {}", "", f"public protocol P {{}}\n\nextension P {{{_P_METHOD}"),
    (
        "interface-requirement",
        f"{_N}}} }}\n",
        "",
        f"{_N}\n    func edit7() -> Int\n}} }}\n\nextension N.P {{{_P_METHOD}",
    ),
    (
        *("interface-requirement", "public protocol P {}\nextension P { }\n", ""),
        f"public protocol P {{\n    func edit7() -> Int\n}}\nextension P {{ {_P_METHOD}",
    ),
    (
        *("interface-route-field", f"public struct Big {{ let a: Int; let b: Int }}\n{_OPEN}}}\n", ""),
        "T: Q {\n    public var edit7: Int?\n}",
    ),
    (
        *("interface-stored-property", f"{_OFTEN} }}\npublic struct Large {{ let a: Int; let b: Int }}\n"),
        *("import XInterface\nfunc f(_: Often) {}", f"{_OFTEN} \n    let edit7 = 7\n}}\n"),
    ),
    # A type that is not decoded.
    ("stored-property", "", _DECODED, "let a: Int \n    let edit7 = 7\n}\nenum"),
    # The entry, where there is nothing else.
    ("body", "", "public struct Entry { public func register() { print() } }", "`Entry.register`"),
    # A single expression is returned after the statement.
    ("body", "", _SINGLE, 'struct S {\n    func f(a: Int) -> Int {\n        _ = "edit 7"\n return max(a, 1) }\n}\n'),
    ("comment", "", _SINGLE, "// Edit 7.\n max(a, 1)"),
    ("private-member", "", "struct S { let a = 1 }\n", _MEMBER_END),
    ("private-member", "", "struct S { let a = 1; let b = 2 }\nfinal class C {}\n", "in the class `C`"),
    # Code in conditions is left alone.
    ("body", "", _CONDITIONAL, "`Small.f`"),
]


def test_edit_of_code_has_its_place(parse: Parse) -> None:
    for edit, interface, implementation, expected in FOUND:
        site = one_module(parse, interface, implementation)
        placement = place(edit, site)
        assert expected in (placement.description if "`" in expected else edited(site, placement))


MISSING = [
    ("interface-extension-member", "public protocol P {}", "no `extension` block"),
    ("interface-route-field", "public struct Route: Codable {}", "XInterface has no route"),
    ("interface-stored-property", "public struct S: Codable {}", "would be coded otherwise"),
    ("interface-requirement", "protocol P {}", "no public protocol"),
    ("interface-top", "public func f() {}", "declares no type"),
    ("body", "", "XImplementation has no function"),
]


def test_code_without_a_place_has_a_reason(parse: Parse) -> None:
    for edit, interface, reason in MISSING:
        with pytest.raises(NoPlaceError, match=reason):
            place(edit, one_module(parse, interface, "public struct Entry { public func register() {} }"))


def test_modules_that_most_files_import_come_first_and_missing_places_have_a_reason(tiny_read: Read) -> None:
    placements, missing = place_all(EDITS, Site(tiny_read.package, tiny_read.sources), tiny_read.modules)
    assert "StoreInterface has no route" in missing["interface-route-field", "Store"]
    assert all(key not in placements for key in missing)
    assert {edit for edit, _ in (*placements, *missing)} == set(EDITS) - {"noop", "clean"}
    site = Site(tiny_read.package, tiny_read.sources)
    assert most_imported(site, tiny_read.modules, 1) == ["Store"]
    assert most_imported(site, tiny_read.modules, 3) == ["Store", "Feed"]


WANTED = {
    "body": WantedEdit("body"),
    "A/B.swift": WantedEdit("body", "A/B.swift"),
    "Package.swift": WantedEdit("manifest-touch", "Package.swift"),
    "A:B/C.swift:touch": WantedEdit("touch", "A:B/C.swift"),
}
REFUSED = {
    "bdy": "There is no edit 'bdy'. Choose from: clean, noop, touch",
    "A.swift:bdy": "the edit 'bdy' does not exist",
    "A.swift:app-body": "the edit 'app-body' chooses its file itself",
}


def test_edit_is_a_kind_a_file_or_both() -> None:
    for text, expected in WANTED.items():
        assert wanted_edit(text) == wanted_edit(str(expected)) == expected
    for text, reason in REFUSED.items():
        with pytest.raises(UsageError, match=reason):
            wanted_edit(text)


def test_file_is_found_from_the_package_and_from_the_working_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert path_in_package(str(READER), TINY) == READER
    monkeypatch.chdir(TINY / "Store")
    assert path_in_package("Implementation/MemoryReader.swift", TINY) == READER
    with pytest.raises(UsageError, match=r"has no file ../conftest\.py"):
        path_in_package("../conftest.py", TINY)


def test_edit_is_made_in_that_very_file_and_the_body_of_a_main_file_is_its_top(tiny_read: Read) -> None:
    site = Site(tiny_read.package, tiny_read.sources)
    # A module-wide edit would choose the reader.
    for path in (READER, Path("Store/Implementation/StoreModule.swift")):
        placement = place_in_file(path, "touch", site)
        assert (placement.module, placement.compiled(after_undoing=False)) == (path.as_posix(), path)
    for edit in ("touch", "private-top", "public-top", "new-file"):
        assert place_in_file(Path("Store/Interface/Store.swift"), edit, site).module == "Store/Interface/Store.swift"
    placement = place_in_file(Path("App/main.swift"), "body", Site(tiny_read.package, tiny_read.sources))
    assert (placement.edit, placement.module) == ("body", "App/main.swift")
    assert placement.description == "a statement at the top of App/main.swift"


IMPOSSIBLE = [
    ("App/main.swift", "public-top", "nothing imports App"),
    ("README.md", "body", "is not a Swift file"),
    ("Plugins/Plugin.swift", "body", "in none of the package's Swift targets"),
    ("Package.swift", "body", "the edit 'manifest-touch', and no other, can be made in Package.swift only."),
    ("Store/Interface/Store.swift", "stored-property", "has no place in"),
]


def test_edit_that_is_impossible_in_a_file_is_rejected(tiny_read: Read) -> None:
    for path, edit, reason in IMPOSSIBLE:
        with pytest.raises(UsageError, match=reason):
            place_in_file(Path(path), edit, Site(tiny_read.package, tiny_read.sources))


def test_file_of_tests_takes_edits_of_bodies_only(parse: Parse, tmp_path: Path) -> None:
    file = parse("public struct S { public func first() { print() } }\n", "Tests.swift")
    site = Site(package(target("XTests", file, "test")), {file.path: file})
    assert place_in_file(file.path, "body", site).module == "Tests.swift"
    with pytest.raises(UsageError, match="nothing imports XTests"):
        place_in_file(file.path, "public-top", site)
    for wanted, expected in ((WantedEdit("body", "Tests.swift"), True), (WantedEdit("body"), False)):
        assert needs_tests([wanted], site.package, tmp_path) == expected
    assert needs_tests([WantedEdit("test-body")], site.package, tmp_path)
    assert {"body", "interface-top", "manifest-touch"} < set(FILE_EDITS)
    assert {"noop", "app-body", "test-body"}.isdisjoint(FILE_EDITS)
