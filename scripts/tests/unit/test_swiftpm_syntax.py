"""Reading files with the compiler's parser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import OPTIONS, Parse
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.declarations import path
from swiftmodules.swiftpm.syntax import read_files, require_readable
from swiftmodules.swiftpm.toolchain import Toolchain


def test_imports_have_the_bytes_of_their_module_and_of_the_whole_declaration(parse: Parse) -> None:
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
    code = "import Alpha\n@preconcurrency\npublic import Beta\n"
    assert code[parse(code).imports[1].start :].startswith("@preconcurrency\npublic import Beta")


def test_import_of_one_declaration_is_read_in_every_kind(parse: Parse) -> None:
    kinds = ("let", "var", "func", "typealias", "struct", "class", "enum", "protocol")
    code = "".join(f"import {kind} /* let Glibc */ Glibc.EXIT_FAILURE\nimport {kind}\n    Glibc.A\n" for kind in kinds)
    found = parse(code).imports
    scopes = [(kind, name) for kind in kinds for name in ("EXIT_FAILURE", "A")]
    assert [(each.module, each.scope) for each in found] == [("Glibc", scope) for scope in scopes]
    assert all(code[each.module_start : each.end].startswith("Glibc.") for each in found)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("\ufeffimport Alpha\nimport Beta\n", ["Alpha", "Beta"]),
        ("@_spi(Some)import Alpha\n@_spi(Größe) import Beta\n", ["Alpha", "Beta"]),
        ("import struct Alpha::Thing\nimport Über\n", ["Alpha.struct.Thing", "Über"]),
        ("func load(\n    import path: String,\n    import other : Int\n) {}\nimport Alpha\n", ["Alpha"]),
    ],
)
def test_imports_are_found_wherever_they_may_stand(parse: Parse, code: str, expected: list[str]) -> None:
    assert [".".join((each.module, *each.scope)) for each in parse(code).imports] == expected


def test_function_positions_are_just_after_the_brace_also_after_wide_characters(parse: Parse) -> None:
    code = 'struct Größe { func größer() { print("ä") } }\nfunc free() { print() }\n'
    found = [(each, owners) for each, owners in parse(code).walk() if each.kind == "func"]
    assert [path(*entry) for entry in found] == ["Größe.größer", "free"]
    assert all(code.encode()[: each.body_start].endswith(b"{") for each, _ in found)
    assert all(code.encode()[each.body_end or 0 :].startswith(b"}") for each, _ in found)


# A function, whether it takes a statement at the beginning, and its single expression.
FUNCTIONS = [
    ("func f() -> Int { let a = 1; return a }", True, None),
    ("@MainActor func f() { print() }", True, None),
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
        "    struct Entry<T: Hashable>: Swift.Hashable, /* no: */ @unchecked Sendable, ~Copyable\n"
        "    where T: Codable { enum Key {} }\n"
        "}\n"
        "actor Keeper { let kept = 1 }\n"
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
    entry = found["Space.Entry"]
    assert entry.inherits == ("Swift.Hashable", "@unchecked Sendable", "~Copyable")
    assert entry.inherited == ("Hashable", "Sendable", "~Copyable")
    assert entry.inherits_any(["Hashable"]) and not entry.inherits_any(["Codable"])
    assert all(file.text[each.name_start :].startswith(each.name.encode()) for each in found.values())
    assert all(file.text[each.body_end or 0 :].startswith(b"}") for each in found.values())
    file = parse(
        "public enum Space {}\nenum Choice { case one }\n"
        "extension Space { struct A { let x = 1; enum B { case c } }; func f() {} }\n"
        "extension Space.A: Hashable where T: Hashable {}\n"
    )
    space, choice, block, constrained = file.declarations
    assert (space.is_namespace, space.is_public, choice.is_namespace) == (True, True, False)
    assert [member.name for member in block.members] == ["A", "f"]
    assert {each.name for each, _ in block.walk()} == {"A", "x", "B", "c", "f"}
    assert (block.is_constrained, constrained.is_constrained) == (False, True)
    assert (constrained.name, constrained.inherits) == ("Space.A", ("Hashable",))


def test_declarations_of_all_conditions_are_read_and_marked(parse: Parse) -> None:
    file = parse("#if DEBUG\nfunc some() {}\n#else\nfunc other() {}\n#endif\nfunc f() {}\n")
    assert [(each.name, each.is_conditional) for each in file.declarations] == [
        ("some", True),
        ("other", True),
        ("f", False),
    ]
    assert len(file.conditions) == 1


@pytest.mark.parametrize(
    "code",
    [
        "typealias A = @Sendable (@escaping @MainActor () -> Void) async throws -> @Sendable () -> Void",
        "struct S { typealias A = @MainActor () -> Void; typealias B = (@Sendable () -> Void, @MainActor () -> Void) }",
        "enum E { case a(@Sendable () -> Void), b }\nlet f: [(@MainActor () -> Void)?] = []",
        'let text = "{\\"_kind\\":\\"type_attributed\\",[["; typealias A = @MainActor () -> Void',
    ],
)
def test_attributed_types_whose_json_the_compiler_breaks_are_read(parse: Parse, code: str) -> None:
    file = parse(f"{code}\nextension E {{ func inner() {{ print() }} }}\nfunc last() {{ print() }}\n")
    assert file.problem is None
    assert [path(*entry) for entry in file.walk() if entry[0].name in ("inner", "last")] == ["E.inner", "last"]


def test_files_are_read_in_the_language_mode_of_their_target_as_they_were(toolchain: Toolchain, tmp_path: Path) -> None:
    # Between slashes stands a regular expression from language mode 6 on.
    (tmp_path / "File.swift").write_text('let match = "=".wholeMatch(of: /[a-z\\/]+=*/)\n')
    problems = [
        read_files(tmp_path, {Path("File.swift"): ["-swift-version", mode]}, toolchain)[Path("File.swift")].problem
        for mode in ("6", "5")
    ]
    assert problems[0] is None and problems[1] is not None
    file, saving = tmp_path / "File.swift", replace(toolchain, bin=tmp_path)
    file.write_text("struct Before {}\n")
    saving.swiftc.write_text(f"#!/bin/sh\necho 'struct After {{}}' > '{file}'\nexec {toolchain.swiftc} \"$@\"\n")
    saving.swiftc.chmod(0o755)
    read = read_files(tmp_path, {Path(file.name): OPTIONS}, saving)[Path(file.name)]
    assert "After" in file.read_text()
    assert [each.name for each in read.declarations] == ["Before"]


def test_file_that_is_not_swift_affects_no_other_and_scripts_are_read(toolchain: Toolchain, tmp_path: Path) -> None:
    files = {
        "Bad.swift": "struct A {}\nfunc (\n",
        "Good ü.swift": "struct Good {}\n",
        "Odd.swift": "#if compiler(>=99)\n)))\nimport Hidden\n#endif\nstruct Odd {}\n",
        "Script.swift": "let a = 1\nprint(a)\n",
        "main.swift": "#!/usr/bin/swift\nprint(1)\nfunc f() {}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    read = read_files(tmp_path, {Path(name): OPTIONS for name in files}, toolchain)
    assert {file.path.name: [each.name for each in file.declarations] for file in read.values()} == {
        "Bad.swift": [],
        "Good ü.swift": ["Good"],
        "Odd.swift": ["Odd"],
        "Script.swift": ["a"],
        "main.swift": ["f"],
    }
    bad = read[Path("Bad.swift")]
    assert bad.problem and bad.problem[0] == 2
    assert [each.module for each in read[Path("Odd.swift")].imports] == ["Hidden"]
    with pytest.raises(ToolError, match=r"cannot parse Bad\.swift:\nBad\.swift:2: error: expected"):
        require_readable(read.values())


def test_file_that_makes_the_parser_crash_among_others_is_found_in_few_runs(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    crashing = replace(toolchain, bin=tmp_path)
    # Not where it is read alone.
    crash = 'case "$*" in *-primary-file*/40.swift*) kill -SEGV $$ ;; esac'
    crashing.swiftc.write_text(f"#!/bin/sh\necho run >> '{tmp_path}/runs'\n{crash}\nexec {toolchain.swiftc} \"$@\"\n")
    crashing.swiftc.chmod(0o755)
    for number in range(64):
        (tmp_path / f"{number}.swift").write_text(f"struct S{number} {{}}\n")
    read = read_files(tmp_path, {Path(f"{number}.swift"): OPTIONS for number in range(64)}, crashing)
    assert {each.name for file in read.values() for each in file.declarations} == {f"S{n}" for n in range(64)}
    # Two for each time that the files are halved.
    assert len((tmp_path / "runs").read_text().split()) <= 2 * 6 + 2
