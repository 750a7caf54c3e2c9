"""Reading files with the compiler's parser."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Parser, Subject

from buildspeed.failures import MeasurementError
from buildspeed.swift_source import parse_file
from buildspeed.toolchain import Toolchain


def test_imports_have_the_bytes_of_their_module_and_of_the_whole_declaration(parse: Parser) -> None:
    code = "// Ünïcode\n@_exported public import Alpha\n  private import struct Beta.Thing; import Gamma\n"
    text = code.encode()
    found = parse(code).imports
    assert [text[each.module_start : each.module_end] for each in found] == [b"Alpha", b"Beta", b"Gamma"]
    assert [text[each.start : each.end] for each in found] == [
        b"@_exported public import Alpha",
        b"private import struct Beta.Thing",
        b"import Gamma",
    ]
    assert [each.prefix.split() for each in found] == [["@_exported", "public"], ["private"], []]
    assert [each.scope for each in found] == [(), ("struct", "Thing"), ()]


def test_import_with_its_attribute_on_the_line_above_begins_there(parse: Parser) -> None:
    code = "import Alpha\n@preconcurrency\npublic import Beta\n"
    assert code[parse(code).imports[1].start :].startswith("@preconcurrency\npublic import Beta")


def test_function_positions_are_just_after_the_brace_also_after_wide_characters(parse: Parser) -> None:
    code = 'struct Größe { func größer() { print("ä") } }\nfunc free() { print() }\n'
    found = parse(code).functions
    assert [each.path for each in found] == ["Größe.größer", "free"]
    assert [code.encode()[: each.body_start].endswith(b"{") for each in found] == [True, True]


@pytest.mark.parametrize(
    ("function", "accepts"),
    [
        ("func f() { print() }", True),
        ("func f() -> Int { return 1 }", True),
        ("func f() -> Int { let a = 1; return a }", True),
        ("@MainActor func f() { print() }", True),
        ("func f() -> Int { 1 }", False),
        ("func f() -> Int { switch 1 { default: 2 } }", False),
        ("func f() {}", False),
        ("@Builder func f() -> Int { return 1 }", False),
        ("@Some.MainActor func f() -> Int { return 1 }", False),
        ("@inlinable public func f() { print() }", False),
    ],
)
def test_statement_is_accepted_only_where_the_body_keeps_its_meaning(
    parse: Parser, function: str, accepts: bool
) -> None:
    assert [each.accepts_statement for each in parse(function).functions] == [accepts]


def test_extension_blocks_and_top_level_types_are_told(parse: Parser) -> None:
    file = parse(
        "public enum Space {}\nenum Choice { case one }\n"
        "extension Space { struct A {}; struct B { let x = 1 } }\nextension Space.A { }\n"
    )
    assert [(each.type, each.members) for each in file.extensions] == [("Space", 2), ("Space.A", 0)]
    assert [file.text[each.body_end : each.body_end + 1] for each in file.extensions] == [b"}", b"}"]
    assert [(each.name, each.is_public, each.is_namespace) for each in file.types if not each.owners] == [
        ("Space", True, True),
        ("Choice", False, False),
    ]


def test_types_are_told_with_their_owners_members_and_what_they_inherit(parse: Parser) -> None:
    code = (
        "extension Space {\n"
        "    @MainActor public protocol Reading: AnyObject { func read(); var text: String { get } }\n"
        "    struct Entry<T: Hashable>: Swift.Hashable, /* no: */ @unchecked Sendable\n"
        "    where T: Codable { enum Key {} }\n"
        "}\n"
        "actor Keeper { let kept = 1 }\n"
    )
    file = parse(code)
    assert [(each.kind, each.path, each.is_public) for each in file.types] == [
        ("protocol", "Space.Reading", True),
        ("struct", "Space.Entry", False),
        ("enum", "Space.Entry.Key", False),
        ("class", "Keeper", False),
    ]
    reading, entry, _, keeper = file.types
    assert (reading.members, keeper.members) == (("read", "text"), ("kept",))
    assert entry.inherits == ("Swift.Hashable", "@unchecked Sendable")
    assert entry.has_inherited(["Hashable"]) and entry.has_inherited(["Sendable"])
    assert not entry.has_inherited(["Codable"])
    assert all(file.text[each.body_end : each.body_end + 1] == b"}" for each in file.types)


def test_extension_blocks_tell_what_they_declare_and_whether_they_are_for_every_case(parse: Parser) -> None:
    file = parse(
        "extension Space { struct A { let x = 1; enum B { case c } }; func f() {} }\n"
        "extension Space.A: Hashable where T: Hashable {}\n"
    )
    block, constrained = file.extensions
    assert block.types == ("A",)
    assert block.names >= {"A", "x", "B", "c", "f"}
    assert (block.is_constrained, constrained.is_constrained) == (False, True)
    assert constrained.inherits == ("Hashable",)


def test_parameter_lists_end_at_their_parenthesis_and_leave_out_requirements(parse: Parser) -> None:
    code = (
        "protocol P { func required(a: Int) }\n"
        'public func free<T>(_ a: (T) -> Void, b: String = ")") -> (Int) { (1) }\n'
        "extension S { public init() {} }\nclass C: D { override func g() {} }\n"
    )
    file = parse(code)
    found = file.parameter_lists
    assert [(each.path, each.is_public, each.is_override, each.is_empty) for each in found] == [
        ("free", True, False, False),
        ("S.init", True, False, True),
        ("C.g", False, True, True),
    ]
    assert code.encode()[: found[0].end].endswith(b'b: String = ")"')
    assert all(file.text[each.end : each.end + 1] == b")" for each in found)


def test_conditional_code_is_left_alone(parse: Parser) -> None:
    file = parse("#if DEBUG\nfunc some() { print() }\n#else\nfunc other() { print() }\n#endif\nfunc f() { print() }\n")
    assert [each.name for each in file.functions] == ["f"]


@pytest.mark.parametrize(
    "code",
    [
        "typealias A = @MainActor () -> Void",
        "typealias A = @Sendable (@escaping @MainActor () -> Void) async throws -> @Sendable () -> Void",
        "func before() -> @Sendable () -> Void { print(); return {} }",
        "struct S { typealias A = @MainActor () -> Void; typealias B = (@Sendable () -> Void, @MainActor () -> Void) }",
        "enum E { case a(@Sendable () -> Void), b }\nlet f: [(@MainActor () -> Void)?] = []",
        'let text = "{\\"_kind\\":\\"type_attributed\\",[["; typealias A = @MainActor () -> Void',
    ],
)
def test_attributed_types_whose_json_the_compiler_breaks_are_read(parse: Parser, code: str) -> None:
    file = parse(f"{code}\nextension E {{ func inner() {{ print() }} }}\nfunc last() {{ print() }}\n")
    assert [each.path for each in file.functions if each.name != "before"] == ["E.inner", "last"]
    assert [each.members for each in file.extensions] == [1]


def test_files_are_read_in_the_language_mode_of_their_target(
    toolchain: Toolchain, tmp_path: Path, tiny_subject: Subject
) -> None:
    options = tiny_subject.package.parser_options(tiny_subject.package.targets[0])
    assert options[:4] == ["-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny"]
    # Between slashes stands a regular expression from language mode 6 on.
    (tmp_path / "File.swift").write_text('let match = "=".wholeMatch(of: /[a-z\\/]+=*/)\n')
    parse_file(tmp_path, Path("File.swift"), options, toolchain)
    with pytest.raises(MeasurementError):
        parse_file(tmp_path, Path("File.swift"), ["-swift-version", "5"], toolchain)


def test_file_that_is_no_swift_is_refused_with_the_compilers_message(parse: Parser) -> None:
    with pytest.raises(MeasurementError, match=r"cannot parse File.swift:\nFile.swift:1:6: error: expected"):
        parse("func (")
