"""Where the edits go in a small package, and in code made for one of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Parser, Subject

from buildspeed.conventions import ModuleTargets, modules_of
from buildspeed.edits import NoPlaceError, Placement, Site, place
from buildspeed.edits.placement import FileAddition, Insertions
from buildspeed.package_graph import Package, Target
from buildspeed.rewriting import rewrite
from buildspeed.swift_source import SourceFile


def placed(subject: Subject, edit: str, module: str | None) -> Placement:
    modules = modules_of(subject.package)
    return place(edit, Site(subject.package, subject.sources, modules[module] if module else None))


def file_of(placement: Placement) -> Path:
    assert isinstance(placement.change, Insertions)
    return placement.change.file


def edited(sources: Mapping[Path, SourceFile], placement: Placement) -> str:
    assert isinstance(placement.change, Insertions)
    parts = [part.numbered(7) for part in placement.change.parts]
    return rewrite(sources[placement.change.file].text, parts).decode()


def test_body_goes_to_a_method_of_an_internal_type_and_not_to_the_module_entry(tiny_subject: Subject) -> None:
    placement = placed(tiny_subject, "body", "Store")
    assert file_of(placement) == Path("Store/Implementation/MemoryReader.swift")
    assert placement.description.startswith("a statement in `MemoryReader.entry`")
    assert 'Store.Entry? {\n        _ = "edit 7"\n\n        guard' in edited(tiny_subject.sources, placement)


def test_comment_goes_where_body_goes(tiny_subject: Subject) -> None:
    text = edited(tiny_subject.sources, placed(tiny_subject, "comment", "Store"))
    assert "Store.Entry? {\n        // Edit 7.\n\n        guard" in text


@pytest.mark.parametrize(
    ("edit", "declaration"),
    [("private-top", "private func"), ("internal-top", "func"), ("public-top", "public func")],
)
def test_top_level_function_goes_to_the_end_of_the_same_file(
    tiny_subject: Subject, edit: str, declaration: str
) -> None:
    placement = placed(tiny_subject, edit, "Store")
    assert file_of(placement) == file_of(placed(tiny_subject, "body", "Store"))
    assert edited(tiny_subject.sources, placement).endswith(f"}}\n\n{declaration} edit7() -> Int {{ 7 }}\n")


def test_private_member_goes_to_the_end_of_a_class(tiny_subject: Subject) -> None:
    placement = placed(tiny_subject, "private-member", "Store")
    assert "in the class `MemoryReader`" in placement.description
    assert edited(tiny_subject.sources, placement).endswith("\n    private func edit7() -> Int { 7 }\n}\n")


def test_module_without_a_class_has_no_place_for_a_private_member(tiny_subject: Subject) -> None:
    with pytest.raises(NoPlaceError, match="FeedImplementation has no class"):
        placed(tiny_subject, "private-member", "Feed")


def test_stored_property_is_a_constant_with_a_value_in_a_type_that_is_not_decoded(parse: Parser) -> None:
    code = (
        "struct Answer: Swift.Decodable { let a: Int; let b: Int }\nstruct Small { let a: Int }\nenum Kind { case a }\n"
    )
    site = one_module(parse, "", code)
    placement = place("stored-property", site)
    assert "in the struct `Small`" in placement.description
    assert "let a: Int \n    let edit7 = 7\n}\nenum" in edited(site.sources, placement)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("public struct S { public init() {} }", "init(edit7: Int = 7) {}"),
        ("public struct S { public func f(a: Int) {} }", "f(a: Int, edit7: Int = 7) {}"),
        ("public struct S { public func f(a: Int, /* , */) {} }", "f(a: Int, /* , */edit7: Int = 7) {}"),
        ("public struct S { public init() {}; public func f() {} }", "f(edit7: Int = 7) {}"),
        ("public struct S: Decodable { public init(from decoder: any Decoder) {}; public func f() {} }", "f(edit7"),
        ("public func free() {}\nlet used = free()", "free(edit7: Int = 7) {}"),
    ],
)
def test_signature_gets_a_parameter_with_a_default(parse: Parser, code: str, expected: str) -> None:
    site = one_module(parse, "", code)
    assert expected in edited(site.sources, place("signature", site))


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("a requirement of a protocol", "protocol P { func f() }\npublic struct S: P { public func f() {} }"),
        (
            "a requirement of an inherited protocol, fulfilled in an extension",
            "protocol P { func f() }\nprotocol Q: P {}\nstruct S {}\nextension S: Q { public func f() {} }",
        ),
        ("a requirement of a protocol that is not known", "public struct S: View { public func f() {} }"),
        ("a requirement of the standard library", "public struct S: Decodable { public init(from: any Decoder) {} }"),
        ("a function used as a value", "public func f() {}\nlet used = f"),
        ("an initialiser used as a value", "public struct S { public init() {} }\nlet used = S.init"),
        (
            "an initialiser used as a value of a type that is inferred",
            "public struct S { public init() {} }\nuse(.init)",
        ),
        ("a method that is not public", "public struct S { func f() {} }"),
        ("a method that overrides another", "public class S: T { public override func f() {} }\nclass T {}"),
        ("an operator", "public func + (a: S, b: S) {}"),
    ],
)
def test_signature_stays_where_a_parameter_would_break_a_use(parse: Parser, reason: str, code: str) -> None:
    with pytest.raises(NoPlaceError, match="could take another parameter"):
        place("signature", one_module(parse, "", code))


def test_new_file_goes_beside_the_edited_one(tiny_subject: Subject) -> None:
    change = placed(tiny_subject, "new-file", "Store").change
    assert isinstance(change, FileAddition)
    assert change.beside == Path("Store/Implementation/MemoryReader.swift")


def test_interface_member_goes_to_the_end_of_the_largest_block_of_the_namespace(tiny_subject: Subject) -> None:
    placement = placed(tiny_subject, "interface-extension-member", "Store")
    assert file_of(placement) == Path("Store/Interface/Reading.swift")
    assert edited(tiny_subject.sources, placement).endswith("    }\n\n    public struct Edit7 {}\n}\n")


_BLOCKS = (
    "public enum Space {}\n"
    "extension Space { public struct Large { public let length: Int }; public struct Other {} }\n"
    "extension Space { public struct Small { public let width: Int } }\n"
)


def test_interface_member_goes_to_a_smaller_block_where_nobody_uses_the_larger_one(parse: Parser) -> None:
    site = one_module(parse, _BLOCKS, "import XInterface\nlet small: Space.Small? = nil // Large\n")
    text = edited(site.sources, place("interface-extension-member", site))
    assert text.endswith("width: Int } \n    public struct Edit7 {}\n}\n")


def test_unused_block_is_one_of_which_no_name_occurs_in_another_target(parse: Parser) -> None:
    site = one_module(parse, _BLOCKS, "import XInterface\nlet small: Space.Small? = nil // Large\n")
    text = edited(site.sources, place("interface-unused-block-member", site))
    assert "Other {} \n    public struct Edit7 {}\n}\n" in text
    site = one_module(parse, _BLOCKS, "import XInterface\nlet small: Space.Small? = nil\nfunc f() { use(.length) }\n")
    with pytest.raises(NoPlaceError, match="surely nobody uses"):
        place("interface-unused-block-member", site)


def test_interface_without_a_namespace_gets_a_member_of_another_type(parse: Parser) -> None:
    site = one_module(parse, "public protocol P {}\nextension P { public func f() {} }\n", "import XInterface\nf()\n")
    text = edited(site.sources, place("interface-extension-member", site))
    assert text.endswith("public func f() {} \n    public func edit7() -> Int { 7 }\n}\n")


def test_interface_without_blocks_gets_a_top_level_type_or_a_block(parse: Parser) -> None:
    site = one_module(parse, "public protocol P {}", "")
    with pytest.raises(NoPlaceError, match="no `extension` block"):
        place("interface-extension-member", site)
    assert edited(site.sources, place("interface-top", site)) == "public protocol P {}\n\npublic struct Edit7 {}\n"
    assert edited(site.sources, place("interface-new-extension", site)) == (
        "public protocol P {}\n\nextension P {\n    public func edit7() -> Int { 7 }\n}\n"
    )


def test_new_extension_is_one_of_the_namespace(tiny_subject: Subject) -> None:
    text = edited(tiny_subject.sources, placed(tiny_subject, "interface-new-extension", "Store"))
    assert text.endswith("}\n\nextension Store {\n    public struct Edit7 {}\n}\n")


def test_requirement_has_a_default_in_a_new_block_or_in_one_that_is_there(parse: Parser) -> None:
    site = one_module(parse, "public enum N {}\nextension N { public protocol P { func f() } }\n", "")
    assert edited(site.sources, place("interface-requirement", site)) == (
        "public enum N {}\nextension N { public protocol P { func f() \n    func edit7() -> Int\n} }\n"
        "\nextension N.P {\n    public func edit7() -> Int { 7 }\n}\n"
    )
    site = one_module(parse, "public protocol P {}\nextension P { }\n", "")
    assert edited(site.sources, place("interface-requirement", site)) == (
        "public protocol P {\n    func edit7() -> Int\n}\nextension P { \n    public func edit7() -> Int { 7 }\n}\n"
    )


def test_route_field_goes_to_a_struct_that_is_a_route(parse: Parser) -> None:
    code = (
        "public struct Big { let a: Int; let b: Int }\npublic struct Open<T: P>: Codable, Routing.Route where T: Q {}\n"
    )
    site = one_module(parse, code, "")
    assert "{\n    public var edit7: Int?\n}" in edited(site.sources, place("interface-route-field", site))
    with pytest.raises(NoPlaceError, match="XInterface has no route"):
        place("interface-route-field", one_module(parse, "public struct Route: Codable {}", ""))


def test_app_goes_to_a_function_of_the_executable(tiny_subject: Subject) -> None:
    placement = placed(tiny_subject, "app-body", None)
    assert placement.description == "a statement in `makeTeller` in App/Support.swift"


def test_app_without_functions_is_edited_at_the_top_of_main(parse: Parser) -> None:
    main = parse("#!/usr/bin/env swift\nprint(1)\n", "main.swift")
    application = Target("App", True, Path(), (main.path,), (), ())
    site = Site(Package("P", "6.0", (), (), (application,)), {main.path: main})
    assert edited(site.sources, place("app-body", site)) == '#!/usr/bin/env swift\n_ = "edit 7"\nprint(1)\n'


def test_test_goes_to_a_function_of_the_modules_tests(repository_subject: Subject) -> None:
    placement = placed(repository_subject, "test-body", "Login")
    assert file_of(placement).parts[:2] == ("Tests", "LoginTests")


def test_package_read_without_its_tests_has_no_place_for_a_test(tiny_subject: Subject) -> None:
    with pytest.raises(NoPlaceError, match="no test target StoreTests"):
        placed(tiny_subject, "test-body", "Store")


def test_module_entry_is_edited_where_there_is_nothing_else(parse: Parser) -> None:
    site = one_module(parse, "", "public struct Entry { public func register() { print() } }")
    assert "`Entry.register`" in place("body", site).description


def test_module_without_a_body_has_no_place_for_a_statement(parse: Parser) -> None:
    with pytest.raises(NoPlaceError, match=r"XImplementation has no function .* empty or single expressions"):
        place("body", one_module(parse, "", "public struct Entry { public func register() {} }"))


def one_module(parse: Parser, interface: str, implementation: str) -> Site:
    api, code = parse(interface, "API.swift"), parse(implementation, "Code.swift")
    targets = (target("XInterface", api), target("XImplementation", code))
    package = Package("P", "6.0", (), (), targets)
    return Site(package, {file.path: file for file in (api, code)}, ModuleTargets("X", *targets, ()))


def target(name: str, file: SourceFile) -> Target:
    return Target(name, False, Path(), (file.path,), (), ())
