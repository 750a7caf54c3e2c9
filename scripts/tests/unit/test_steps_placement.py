"""Where the edits go in a small package, and in code made for one of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Parse
from swiftmodules.measure.subject import Subject
from swiftmodules.steps.edit import EDITS
from swiftmodules.steps.placement import NoPlaceError, Placement, Site, rewrite, same_place
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Target

READER = Path("Store/Implementation/MemoryReader.swift")


def placed(subject: Subject, edit: str, module: str) -> Placement:
    package = subject.package
    return EDITS[edit].place(Site(package, subject.sources, package.modules[module]))


def edited(site: Site | Subject, placement: Placement) -> str:
    return rewrite(site.sources[placement.file].text, (each.numbered(7) for each in placement.insertions)).decode()


def one_module(parse: Parse, interface: str, implementation: str) -> Site:
    api, code = parse(interface, "API.swift"), parse(implementation, "Code.swift")
    names = (("XInterface", api), ("XImplementation", code))
    targets = tuple(Target(name, "library", Path(), (file.path,)) for name, file in names)
    module = Module("X", targets[0], (targets[1],))
    return Site(Package("P", "6.0", targets=targets), {file.path: file for file in (api, code)}, module)


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


def test_edit_of_a_module_has_its_place(tiny_subject: Subject) -> None:
    assert [edit for edit, *_ in PLACES] == [*EDITS]
    for edit, file, description, text in PLACES:
        placement = placed(tiny_subject, edit, "Store")
        assert placement.file == Path(file)
        assert description in placement.description
        assert text in edited(tiny_subject, placement)


_CONDITIONAL = """struct Small { func f() { print() } }
#if DEBUG
struct Large { func f() { print() }; func g() { print() } }
#endif
struct Other {
#if DEBUG
let a = 1; let b = 2
#endif
}
"""
_DECODED = "struct Answer: Swift.Decodable { let a, b: Int }\nstruct Small { let a: Int }\nenum Kind { case a }\n"
_SINGLE = "struct S {\n    func f(a: Int) -> Int { max(a, 1) }\n}\n"
_ENTRY = "public struct Entry { struct Inner {}; public func register() { print() } }\n"
_OTHER = "struct Other { func f() { print() } }\n"
_P_METHOD = "\n    public func edit7() -> Int { 7 }\n}\n"
_PLAIN = "public protocol P {}\npublic struct S { public func f() {} }\npublic struct Other {}\n"
_CONFORMS = "import XInterface\nstruct S: P {}\n"
# An edit, the code of an interface and of an implementation, and what the edited file has or where the edit is.
FOUND = [
    ("interface", _BLOCKS, _SMALL, "width: Int } \n    public struct Edit7 {}\n}\n"),
    ("interface", _EXTENDED, "import XInterface\nf()\n", f"public func f() {{}} {_P_METHOD}"),
    # Without a block, a type that others use, and otherwise the top level.
    ("interface", _PLAIN, "import XInterface\nlet s = S()\n", f"public func f() {{}} {_P_METHOD}public struct Other"),
    ("interface", "public protocol P {}\n", _CONFORMS, "P {}\n\npublic func edit7() -> Int { 7 }\n"),
    # A type that is not decoded.
    ("stored-property", "", _DECODED, "let a: Int \n    let edit7 = 7\n}\nenum"),
    # The entry, where there is nothing else.
    ("body", "", _ENTRY, "`Entry.register`"),
    ("body", "", f"{_ENTRY}extension Entry.Inner {{ func f() {{ print() }} }}\n{_OTHER}", "`Other.f`"),
    # A single expression is returned after the statement.
    ("body", "", _SINGLE, 'struct S {\n    func f(a: Int) -> Int {\n        _ = "edit 7"\n return max(a, 1) }\n}\n'),
    ("member", "", "struct S { let a = 1 }\n", _MEMBER_END),
    ("member", "", "struct S { let a = 1; let b = 2 }\nfinal class C {}\n", "in the class `C`"),
    # Code in conditions is left alone.
    ("member", "", _CONDITIONAL, "in the struct `Small`"),
    ("body", "", _CONDITIONAL, "`Small.f`"),
]


def test_edit_of_code_has_its_place(parse: Parse) -> None:
    for edit, interface, implementation, expected in FOUND:
        site = one_module(parse, interface, implementation)
        placement = EDITS[edit].place(site)
        assert expected in (placement.description if "`" in expected else edited(site, placement))


MISSING = [
    ("interface", "public protocol P {}", "XInterface has no public declaration that other targets use"),
    ("body", "", "XImplementation has no function"),
]


def test_code_without_a_place_has_a_reason(parse: Parse) -> None:
    for edit, interface, reason in MISSING:
        with pytest.raises(NoPlaceError, match=reason):
            EDITS[edit].place(one_module(parse, interface, "public struct Entry: P { public func register() {} }"))


def test_plain_public_declaration_is_the_same_interface_before_a_split(parse: Parse) -> None:
    client = "public final class Client { public func load() -> Page { Page() } }\n"
    page = "public struct Page { let number = 1 }\n"
    former = {each.path: each for each in (parse(client, "Client.swift"), parse(page, "Page.swift"))}
    protocol = "public protocol Client { func load() -> Page }\n"
    for now, user, file, text in (
        (protocol + page, "let page = Page()", "Page.swift", "let number = 1 \n    public func edit7()"),
        (protocol, "let client: any Client", "Client.swift", "}\n\npublic func edit7() -> Int { 7 }\n"),
    ):
        site = one_module(parse, now, f"import XInterface\n{user}\n")
        found = same_place(EDITS["interface"].place(site), site.sources, former)
        assert found.file == Path(file) and text in edited(replace(site, sources=former), found)
