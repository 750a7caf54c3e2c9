"""Where the edits go in a small package, and in code made for one of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Parse
from made_files import FIXTURES
from swiftmodules.errors import UsageError
from swiftmodules.steps.edit import EDITS, path_in_package, place_all, place_in_file, wanted_edit
from swiftmodules.steps.placement import NoPlaceError, Placement, Site, rewrite, same_place
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile
from swiftmodules.swiftpm.target import Target, TargetKind

READER = Path("Store/Implementation/MemoryReader.swift")


def place(edit: str, site: Site) -> Placement:
    return EDITS[edit].place(replace(site, edit=edit))


def placed(site: Site, edit: str, module: str) -> Placement:
    return place(edit, replace(site, module=site.package.modules[module]))


def edited(site: Site, placement: Placement) -> str:
    return rewrite(site.sources[placement.file].text, (each.numbered(7) for each in placement.insertions)).decode()


def one_module(parse: Parse, interface: str, implementation: str) -> Site:
    api, code = parse(interface, "API.swift"), parse(implementation, "Code.swift")
    targets = (target("XInterface", api), target("XImplementation", code))
    module = Module("X", targets[0], (targets[1],))
    return Site(Package("P", "6.0", targets=targets), {file.path: file for file in (api, code)}, module)


def target(name: str, file: SourceFile, kind: TargetKind = "library") -> Target:
    return Target(name, kind, Path(), (file.path,))


def test_new_file_goes_beside_the_edited_one(tiny_site: Site) -> None:
    placement = placed(tiny_site, "new-file", "Store")
    assert (placement.file, placement.compiled) == (READER, READER.with_name("NewFile.swift"))
    assert placement.added is not None and "struct Edit{n}" in placement.added


_IN_BLOCK = "    }\n\n    public struct Edit7 {}\n}\n"
_SMALL = "import XInterface\nlet small: Space.Small? = nil // Large\n"
_EXTENDED = "public protocol P {}\nextension P { public func f() {} }\n"
_BLOCKS = (
    "public enum Space {}\n"
    "extension Space { public struct Large { public let length: Int }; public struct Other {} }\n"
    "extension Space { public struct Small { public let width: Int } }\n"
)
_READING = "Store/Interface/Reading.swift"
_MEMBER_END = "\n    private func edit7() -> Int { 7 }\n}\n"
PLACES = [
    ("body", READER, "a statement in `MemoryReader.entry`", 'Store.Entry? {\n        _ = "edit 7"\n\n        guard'),
    ("private-top", READER, "a private function at", "}\n\nprivate func edit7() -> Int { 7 }\n"),
    ("public-top", READER, "a public function at", "}\n\npublic func edit7() -> Int { 7 }\n"),
    ("member", READER, "in the class `MemoryReader`", _MEMBER_END),
    ("stored-property", READER, "in the class `MemoryReader`", "\n    let edit7 = 7\n}\n"),
    ("interface", _READING, "a public struct at the end of the `extension Store` block", _IN_BLOCK),
]


def test_edit_of_a_module_has_its_place(tiny_site: Site) -> None:
    for edit, file, description, text in PLACES:
        placement = placed(tiny_site, edit, "Store")
        assert placement.file == placement.compiled == Path(file)
        assert description in placement.description
        assert text in edited(tiny_site, placement)


_CONDITIONAL = """struct Small { func f() { print() } }
#if DEBUG
struct Large { func f() { print() }; func g() { print() } }
#endif
"""
_DECODED = "struct Answer: Swift.Decodable { let a, b: Int }\nstruct Small { let a: Int }\nenum Kind { case a }\n"
_SINGLE = "struct S {\n    func f(a: Int) -> Int { max(a, 1) }\n}\n"
_P_METHOD = "\n    public func edit7() -> Int { 7 }\n}\n"
_GROWN = "struct S: P { func f() {} }\nstruct T { func g(a: (Int) -> Void) {}; private func h() {} }\nfunc i() {}\n"
_LAST, _LAST_GROWN = "func last<T: Q<(A)>>(of: T) {}\n", "func last<T: Q<(A)>>(of: T, edit7: Int = 7) {}\n"
_PLAIN = "public protocol P {}\npublic struct S { public func f() {} }\npublic struct Other {}\n"
_CONFORMS = "import XInterface\nstruct S: P {}\n"
# An edit, the code of an interface and of an implementation, and what the edited file has or where the edit is.
FOUND = [
    ("interface", _BLOCKS, _SMALL, "width: Int } \n    public struct Edit7 {}\n}\n"),
    ("interface", _EXTENDED, "import XInterface\nf()\n", f"public func f() {{}} {_P_METHOD}"),
    # Without a block, a type that others use, and otherwise the top level.
    ("interface", _PLAIN, "import XInterface\nlet s = S()\n", f"public func f() {{}} {_P_METHOD}public struct Other"),
    ("interface", "public protocol P {}\n", _CONFORMS, "P {}\n\npublic func edit7() -> Int { 7 }\n"),
    # A protocol may require the first, and nobody else sees the third.
    ("signature", "", _GROWN, "func g(a: (Int) -> Void, edit7: Int = 7) {}"),
    ("signature", "", "struct S: P { func f() {} }\nfunc i( ) {}\n", "func i( edit7: Int = 7) {}"),
    # As a value, or in place of another, a function with a parameter more is not the same.
    ("signature", "", f"func f() {{}}\nlet value = f\n{_LAST}", _LAST_GROWN),
    ("signature", "", f"class C {{ func f() {{}} }}\nclass D: C {{ override func f() {{}} }}\n{_LAST}", _LAST_GROWN),
    ("signature", "", f"struct S {{ func f() {{}} }}\nextension S: P {{}}\n{_LAST}", _LAST_GROWN),
    ("signature", "", f"@main struct Program {{ static func main() {{}} }}\n{_LAST}", _LAST_GROWN),
    # A type that is not decoded.
    ("stored-property", "", _DECODED, "let a: Int \n    let edit7 = 7\n}\nenum"),
    # The entry, where there is nothing else.
    ("body", "", "public struct Entry { public func register() { print() } }", "`Entry.register`"),
    # A single expression is returned after the statement.
    ("body", "", _SINGLE, 'struct S {\n    func f(a: Int) -> Int {\n        _ = "edit 7"\n return max(a, 1) }\n}\n'),
    ("member", "", "struct S { let a = 1 }\n", _MEMBER_END),
    ("member", "", "struct S { let a = 1; let b = 2 }\nfinal class C {}\n", "in the class `C`"),
    # Code in conditions is left alone.
    ("body", "", _CONDITIONAL, "`Small.f`"),
]


def test_edit_of_code_has_its_place(parse: Parse) -> None:
    for edit, interface, implementation, expected in FOUND:
        site = one_module(parse, interface, implementation)
        placement = place(edit, site)
        assert expected in (placement.description if "`" in expected else edited(site, placement))


MISSING = [
    ("interface", "public protocol P {}", "XInterface has no public declaration that other targets use"),
    ("signature", "", "has no function that other files see"),
    ("body", "", "XImplementation has no function"),
]


def test_code_without_a_place_has_a_reason(parse: Parse) -> None:
    for edit, interface, reason in MISSING:
        with pytest.raises(NoPlaceError, match=reason):
            place(edit, one_module(parse, interface, "public struct Entry: P { public func register() {} }"))


def test_every_kind_has_a_place(tiny_site: Site) -> None:
    placements, missing = place_all(EDITS, tiny_site, tiny_site.package.modules)
    assert missing == {} and {edit for edit, _ in placements} == set(EDITS)


def test_plain_public_declaration_is_the_same_interface_before_a_split(parse: Parse) -> None:
    client, page = "public final class Client { public func load() -> Page { Page() } }\n", "public struct Page {}\n"
    former = {each.path: each for each in (parse(client, "Client.swift"), parse(page, "Page.swift"))}
    protocol = "public protocol Client { func load() -> Page }\n"
    for now, user, file, text in (
        (protocol + page, "let page = Page()", "Page.swift", "public struct Page {\n    public func edit7()"),
        (protocol, "let client: any Client", "Client.swift", "}\n\npublic func edit7() -> Int { 7 }\n"),
    ):
        site = one_module(parse, now, f"import XInterface\n{user}\n")
        found = same_place(place("interface", site), site.sources, former)
        assert found.file == Path(file) and text in edited(replace(site, sources=former), found)


WANTED = {
    "body": ("body", None),
    "A/B.swift": ("body", "A/B.swift"),
    "A:B/C.swift:member": ("member", "A:B/C.swift"),
}
REFUSED = {
    "bdy": "There is no edit 'bdy'. Choose from: body, private-top",
    "A.swift:bdy": "the edit 'bdy' does not exist",
}


def test_edit_is_a_kind_a_file_or_both() -> None:
    for text, expected in WANTED.items():
        assert wanted_edit(text) == expected
    for text, reason in REFUSED.items():
        with pytest.raises(UsageError, match=reason):
            wanted_edit(text)


def test_file_is_found_from_the_package_and_from_the_working_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert path_in_package(str(READER), FIXTURES / "Tiny") == READER
    monkeypatch.chdir(FIXTURES / "Tiny" / "Store")
    assert path_in_package("Implementation/MemoryReader.swift", FIXTURES / "Tiny") == READER
    with pytest.raises(UsageError, match=r"has no file ../conftest\.py"):
        path_in_package("../conftest.py", FIXTURES / "Tiny")


def test_edit_is_made_in_that_very_file_and_the_body_of_a_main_file_is_its_top(tiny_site: Site) -> None:
    # A module-wide edit would choose the reader.
    for path in (READER, Path("Store/Implementation/StoreModule.swift")):
        placement = place_in_file(path, "private-top", tiny_site)
        assert (placement.module, placement.compiled) == (path.as_posix(), path)
    for edit in ("private-top", "public-top", "new-file"):
        assert (
            place_in_file(Path("Store/Interface/Store.swift"), edit, tiny_site).module == "Store/Interface/Store.swift"
        )
    placement = place_in_file(Path("App/main.swift"), "body", tiny_site)
    assert (placement.edit, placement.module) == ("body", "App/main.swift")
    assert placement.description == "a statement at the top of App/main.swift"


IMPOSSIBLE = [
    ("App/main.swift", "public-top", "nothing imports App"),
    ("README.md", "body", "is not a Swift file"),
    ("Plugins/Plugin.swift", "body", "in none of the package's Swift targets"),
    ("Package.swift", "body", "in none of the package's Swift targets"),
    ("Store/Interface/Store.swift", "stored-property", "has no place in"),
]


def test_edit_that_is_impossible_in_a_file_is_rejected(tiny_site: Site) -> None:
    for path, edit, reason in IMPOSSIBLE:
        with pytest.raises(UsageError, match=reason):
            place_in_file(Path(path), edit, tiny_site)


def test_file_of_tests_takes_edits_of_which_nobody_is_to_import_anything(parse: Parse) -> None:
    file = parse("public struct S { public func first() { print() } }\n", "Tests.swift")
    tests = Package("P", "6.0", targets=(target("XTests", file, "test"),))
    site = Site(tests, {file.path: file})
    assert place_in_file(file.path, "body", site).module == "Tests.swift"
    with pytest.raises(UsageError, match="nothing imports XTests"):
        place_in_file(file.path, "public-top", site)
