"""Reading files with the parser of the toolchain."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Parse
from swiftmodules.errors import MissingToolError, ToolError
from swiftmodules.swiftpm import reader
from swiftmodules.swiftpm.reader import path, read_files, require_readable
from swiftmodules.swiftpm.toolchain import Toolchain


def test_import_of_one_declaration_is_read_in_every_kind(parse: Parse) -> None:
    kinds = ("let", "var", "func", "typealias", "struct", "class", "enum", "protocol")
    code = "".join(f"import {kind} /* let Glibc */ Glibc.EXIT_FAILURE\nimport {kind}\n    Glibc.A\n" for kind in kinds)
    found = parse(code).imports
    scopes = [(kind, name) for kind in kinds for name in ("EXIT_FAILURE", "A")]
    assert [(each.module, each.scope) for each in found] == [("Glibc", scope) for scope in scopes]
    assert all(code[each.name_start : each.end].startswith("Glibc.") for each in found)


def test_source_that_is_no_file_is_named(toolchain: Toolchain, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "Pipe.swift")
    (tmp_path / "Loop.swift").symlink_to("Loop.swift")
    # As SwiftPM prints a name that is no UTF-8.
    for name in ("Pipe.swift", "Loop.swift", "Fran\ufffdais.swift"):
        with pytest.raises(ToolError, match=rf"^{name} cannot be read: SwiftPM lists it as a source, and no file"):
            read_files(tmp_path, [Path(name)], toolchain)


# Code with a type `After` behind something that hides it from patterns.
HIDING = [
    'public let quote = #"""#',
    "let match = #/a\\/*b/#",
    'let match = "=".wholeMatch(of: /[a-z\\/"]+=*/)',
    "/* /* { */ */",
    'let text = """\n\\(f("}"))"}\n"""',
    "typealias A = @Sendable (@escaping @MainActor () -> Void) async throws -> @Sendable () -> Void",
    "enum E { case a(@Sendable () -> Void), b }\nlet f: [(@MainActor () -> Void)?] = []",
    "#if compiler(>=99)\n)))\n#endif",
    '#if os(A)\n#error("No.")\n#endif',
    "#!/usr/bin/swift\nprint(1)\nlet a = 1",
]


def test_whatever_stands_before_a_type_it_is_found(parse: Parse) -> None:
    for code in HIDING:
        file = parse(f"{code}\nstruct After {{ func last() {{}} }}\n")
        assert file.error is None
        assert [path(*entry) for entry in file.walk()][-2:] == ["After", "After.last"]


# Code, and what is left of it without comments and literals.
MASKED = [
    ("a /* b /* c */ d */ e", "a e"),
    (r'a("b\"c") d', 'a("") d'),
    (r'_ = "a\(b("c") + d)e" + f', r'_="\(b("")+d)"+f'),
    (r'_ = #"a\#(b)c"# + d', r'_=#"\#(b)"#+d'),
    ('_ = """\n  a "b" c\n  """ + d', '_="""\n\n"""+d'),
    ('_ = /"/ // a\nb', "_=//\nb"),
    ('_ = #"""# + d', '_=#""#+d'),
]


def test_comments_and_literals_are_masked_and_interpolated_code_stays(parse: Parse) -> None:
    for code, visible in MASKED:
        mask = parse(code).mask.decode()
        assert len(mask) == len(code) and mask.count("\n") == code.count("\n")
        assert mask.replace(" ", "") == visible.replace(" ", "")


def test_conditions_are_those_of_the_clauses_around_a_position_and_declarations_of_all_are_read(parse: Parse) -> None:
    code = "a()\n#if A\nb()\n#if os(X) // no\nc()\n#else\nd()\n#endif\n#elseif B\nfunc e() {}\n#endif\nfunc f() {}\n"
    file = parse(code)
    found = {match[1]: file.conditions_at(match.start()) for match in re.finditer(r"\b([a-f])\(\)", code)}
    assert found == {"a": [], "b": ["A"], "c": ["A", "os(X)"], "d": ["A", ""], "e": ["B"], "f": []}
    assert [(each.name, each.is_conditional) for each in file.declarations] == [("e", True), ("f", False)]
    file = parse("struct S {\n#if A\nfunc a() {}\n#else\nlet b = 1\n#endif\n}\n")
    assert [(each.name, each.is_conditional) for each in file.declarations[0].members] == [("a", True), ("b", True)]


def test_bodies_are_between_their_braces_also_after_wide_characters(parse: Parse) -> None:
    code = (
        'struct Größe { func größer() { print("ä") }; init() { a() }; subscript(_: Int) -> Int { 1 }; var b: Int { 2 }'
        " }\nfunc free() { a() }\nprotocol P { func a(); var b: Int { get set }; subscript(_: Int) -> Int { get } }\n"
    )
    file = parse(code)
    bodies = {path(*entry): entry[0] for entry in file.walk() if entry[0].has_body}
    assert list(bodies) == ["Größe.größer", "Größe.init", "Größe.subscript", "Größe.b", "free"]
    assert all(file.text[: each.body_start].endswith(b"{") for each in bodies.values())
    assert all(file.text[each.body_end or 0 :].startswith(b"}") for each in bodies.values())


# A function, whether it takes a statement at the beginning, and its single expression.
FUNCTIONS = [
    ("func f() -> Int { let a = 1; return a }", True, None),
    ("@MainActor func f() { print() }", True, None),
    ('@Test("a") @available(*, deprecated) func f() { print() }', True, None),
    ("func f() -> Int { /* { */ 1 }", False, "1 }"),
    ('func f() -> String {\n    "a"\n}', False, '"a"\n}'),
    ("func f() -> Int { try! g(1) }", False, "try! g(1) }"),
    ("func f() -> Int { switch 1 { default: 2 } }", False, None),
    ("func f() {}", False, None),
    ("@Builder func f() -> Int { return 1 }", False, None),
    ("@Some.MainActor func f() -> Int { return 1 }", False, None),
    ("@inlinable public func f() { print() }", False, None),
    ("func f() -> Int {\n#if A\n1\n#else\n2\n#endif\n}", False, None),
    ("func f() -> Int {\n#if A\nprint()\n#endif\nreturn 2\n}", True, None),
    ("func f() -> Int {\na\n#if A\n.b\n#endif\n}", False, "a\n#if A\n.b\n#endif\n}"),
]


def test_statement_is_accepted_only_where_the_body_keeps_its_meaning(parse: Parse) -> None:
    for function, accepts, expression in FUNCTIONS:
        (found,) = parse(function).declarations
        assert found.accepts_statement == accepts
        begin = found.single_expression
        assert (function[begin:] if begin is not None else None) == expression


def test_types_and_blocks_have_their_owners_members_and_what_they_inherit(parse: Parse) -> None:
    code = (
        "extension Space {\n"
        "    @MainActor public protocol Reading: AnyObject { func read(); var text: String { get } }\n"
        "    struct Entry<T: Hashable>: Swift.Hashable, /* no: */ @unchecked Sendable, B<A.C>, ~Copyable\n"
        "    where T: Codable { enum Key {} }\n"
        "}\n"
        "actor Keeper { private(set) static public var kept = 1; let (a, b) = c, d = 1 }\n"
    )
    file = parse(code)
    found = {path(each, owners): each for each, owners in file.walk() if each.is_type}
    assert [(each.kind, name, each.is_public) for name, each in found.items()] == [
        ("protocol", "Space.Reading", True),
        ("struct", "Space.Entry", False),
        ("enum", "Space.Entry.Key", False),
        ("actor", "Keeper", False),
    ]
    assert [member.name for member in found["Space.Reading"].members] == ["read", "text"]
    assert found["Space.Reading"].attributes == ("MainActor",)
    entry = found["Space.Entry"]
    assert entry.inherits == ("Swift.Hashable", "@unchecked Sendable", "B<A.C>", "~Copyable")
    assert entry.inherited == ("Hashable", "Sendable", "B", "~Copyable")
    assert entry.inherits_any(["Hashable"]) and not entry.inherits_any(["Codable"])
    kept, *others = found["Keeper"].members
    assert (kept.access, kept.is_static, [each.name for each in others]) == ("public", True, ["a", "b", "d"])
    assert all(file.text[each.name_start :].startswith(each.name.encode()) for each in found.values())
    assert all(file.text[each.body_end or 0 :].startswith(b"}") for each in found.values())
    file = parse(
        "public enum Space {}\nenum Choice { case one }\n"
        "extension Space { struct A { let x = 1; enum B { case c } }; func f() {} }\n"
        "let a = 1\nvar b = 2, c: Int { 3 }, d = 4 { didSet {} }\n"
        "extension Space.A: Hashable where T: Hashable {}\n"
    )
    space, choice, block, a, b, c, d, constrained = file.declarations
    assert [each.is_stored_variable for each in (a, b, c, d)] == [False, True, False, True]
    assert [each.has_body for each in (a, b, c, d)] == [False, False, True, True]
    assert (space.is_namespace, space.is_public, choice.is_namespace) == (True, True, False)
    assert {each.name for each, _ in block.walk()} == {"A", "x", "B", "c", "f"}
    assert (block.is_constrained, constrained.is_constrained) == (False, True)
    assert (constrained.name, constrained.inherits) == ("Space.A", ("Hashable",))


def test_full_names_have_labels_without_backquotes(parse: Parse) -> None:
    code = (
        "struct S { func `default`(_ a: Int, in b: Int) {}; init(c: Int) {}; subscript(d: Int, e f: Int) -> A { a } }"
    )
    (found,) = parse(code).declarations
    assert [each.title for each in found.members] == ["default(_:in:)", "init(c:)", "subscript(_:e:)"]


def test_file_that_is_not_swift_affects_no_other_and_no_text_is_parsed_again(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"Bad.swift": "struct A {}\nfunc (\n", "Good ü.swift": "struct Good {}\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    read = read_files(tmp_path, map(Path, texts), toolchain)
    assert {file.path.name: [each.name for each in file.declarations] for file in read.values()} == {
        "Bad.swift": [],
        "Good ü.swift": ["Good"],
    }
    monkeypatch.setattr(reader, "_parsed", None)
    assert read_files(tmp_path, map(Path, texts), toolchain) == read
    bad = read[Path("Bad.swift")]
    assert bad.error and bad.line_at(bad.error.position) == 2
    with pytest.raises(ToolError, match=r"cannot parse Bad\.swift:\nBad\.swift:2: error: expected"):
        require_readable(read.values())


def test_toolchain_without_the_parser_is_named(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWIFTMODULES_CACHE", str(tmp_path / "cache"))
    programs = tmp_path / "usr" / "bin"
    programs.mkdir(parents=True)
    for name in ("swift", "swiftc"):
        (programs / name).symlink_to(toolchain.bin / name)
    (tmp_path / "A.swift").touch()
    with pytest.raises(MissingToolError, match=r"comes without SwiftParser.*xcode-select --switch"):
        read_files(tmp_path, [Path("A.swift")], replace(toolchain, bin=programs))
