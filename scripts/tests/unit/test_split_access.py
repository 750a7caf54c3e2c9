"""The access that declarations get where a target is cut, and the initialisers that are written."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from made_files import files, ran
from swiftmodules.builds.index import IndexStore
from swiftmodules.split.access import Access
from swiftmodules.split.declarations import Declarations
from swiftmodules.split.graph import Graph
from swiftmodules.split.tree import initialisers_of
from swiftmodules.steps.placement import rewrite
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import read_files
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

FILE = Path("A.swift")


def access_of(text: str, folder: Path, toolchain: Toolchain, level: str) -> Access:
    """The access of the declarations of a file of which no other part uses anything yet."""
    files(folder, {FILE.as_posix(): text})
    package = Package("Shop", "6.0", targets=(Target("Shop", "library", Path(), (FILE,)),))
    index, symbols = folder / "index", folder / "symbols"
    options: list[str | Path] = ["-module-name", "Shop", "-index-store-path", index, "-o", folder / "A.o"]
    options += ["-emit-module", "-emit-symbol-graph", "-emit-symbol-graph-dir", symbols]
    ran(toolchain, "swiftc", "-c", folder / FILE, *options, "-symbol-graph-minimum-access-level", "private")
    with closing(IndexStore(index, toolchain)) as store:
        declarations = Declarations(
            read_files(folder, [FILE], toolchain), [(FILE, each) for _, each in store.occurrences()], package
        )
    graph = Graph("Shop", declarations, package)
    parts: Any = SimpleNamespace(graph=graph, crossing=[], level=level)
    return Access(parts, initialisers_of(symbols))


def test_what_implements_a_requirement_is_as_visible_as_its_type_and_the_protocol(
    tmp_path: Path, toolchain: Toolchain
) -> None:
    text = """protocol Box {
    var isEmpty: Bool { get }
    init(isEmpty: Bool)
    func open()
}

extension Box {
    func open() {}
    func close() {}
}

struct Crate {
    init(isEmpty: Bool) {}
    var own: Int { 1 }
}

extension Crate {
    var isEmpty: Bool { true }
}

extension Crate: Box, Comparable {
    static func < (one: Crate, other: Crate) -> Bool { true }
}

struct Plain: Box {
    var isEmpty: Bool
}

extension Int: Box {
    var isEmpty: Bool { true }
    init(isEmpty: Bool) { self = 1 }
}

struct Other {
    private struct Crate: Box {
        var isEmpty: Bool
    }
}
"""
    access = access_of(text, tmp_path, toolchain, "package")
    for each in ("Crate", "Plain"):
        access._see([next(node for node in access._graph.nodes if node.title == each)])
    access.settle()
    # The protocol of the standard library is visible, and the other one is not.
    seen = ["A.swift:12 Crate", "A.swift:22 <(one:other:)", "A.swift:25 Plain"]
    assert access.changed == seen
    access.need_named("Box", range(len(text)))
    access.settle()
    implementing = ["8 open()", "13 init(isEmpty:)", "18 isEmpty", "25 Plain.init", "26 isEmpty"]
    of_integers = ["30 isEmpty", "31 init(isEmpty:)"]
    added = [f"A.swift:{each}" for each in ("1 Box", *implementing, *of_integers)]
    assert sorted(access.changed) == sorted([*seen, *added])


def test_inherited_initialiser_is_as_visible_as_that_of_the_superclass(tmp_path: Path, toolchain: Toolchain) -> None:
    text = """class Animal {
    init(name: String) {}
    func sound() {}
}

class Dog: Animal {
    override func sound() {}
}
"""
    access = access_of(text, tmp_path, toolchain, "package")
    access.need(usr for usr in access._graph.declarations.implicit)
    access.settle()
    assert access.changed == ["A.swift:1 Animal", "A.swift:2 init(name:)", "A.swift:6 Dog"]
    access.need_named("sound", [0])
    access.settle()
    assert access.changed[2:] == ["A.swift:3 sound()", "A.swift:6 Dog", "A.swift:7 sound()"]


def test_initialiser_is_written_as_the_compiler_makes_it_up(tmp_path: Path, toolchain: Toolchain) -> None:
    text = """import Foundation

@MainActor struct Limits {
    let name, kind: String
    var bytes = 1 << 20, files = 2
    var parent: [String]?
    var `default`: (Int) -> Void
    let isFixed = true
    var begun = Date.now
    #if os(Linux)
        let platform: Int
    #else
        let platform: String
    #endif
    static let all = 1
    var double: Int { bytes * 2 }
    func name(_ one: Int) {}
    lazy var half = bytes / 2
}

struct Page {
    var number = 1
}
"""
    access = access_of(text, tmp_path, toolchain, "public")
    assert access.need_named("Limits", [0], is_made=True) and not access.need_named("Limits", [0], is_made=True)
    assert access.need_named("Page", [1], is_made=True)
    source = access._graph.sources[FILE]
    limits, page = text.replace("@MainActor struct", "@MainActor public struct").split("}\n\nstruct")
    # That without a parameter needs no text of its own.
    assert (
        rewrite(source.text, access.replacements(source)).decode()
        == limits
        + """
    public init(name: String, kind: String, bytes: Int = 1 << 20, files: Int = 2, parent: [String]? = nil, \
default: @escaping (Int) -> Void, begun: Date = Date.now, platform: Int, half: Int? = nil) {
        self.name = name
        self.kind = kind
        self.bytes = bytes
        self.files = files
        self.parent = parent
        self.`default` = `default`
        self.begun = begun
        self.platform = platform
        if let half { self.half = half }
    }
}

public struct"""
        + page.removesuffix("}\n")
        + """
    public init(number: Int = 1) {
        self.number = number
    }
}
"""
    )


def test_access_is_written_after_the_attributes_whatever_their_texts_say(tmp_path: Path, toolchain: Toolchain) -> None:
    text = """@available(*, deprecated, message: "private :)") private func shown() {}
@available(*, deprecated, message: "Call (a(b(c))) :)")
// It is private.
final class Shown {}
"""
    access = access_of(text, tmp_path, toolchain, "package")
    access.need_named("shown", [0, 1])
    access.need_named("Shown", [0, 1])
    source = access._graph.sources[FILE]
    assert rewrite(source.text, access.replacements(source)).decode() == text.replace(") private", ") package").replace(
        "final", "package final"
    )


def test_value_of_a_variable_and_conformances_of_a_type_are_not_shown(tmp_path: Path, toolchain: Toolchain) -> None:
    text = """protocol Kept {}

struct Store: Kept {
    static let shared = Store()
}

func seen(_ store: Store = Store()) {}
"""
    access = access_of(text, tmp_path, toolchain, "package")
    access.need_named("shared", range(len(text)))
    assert access.changed == ["A.swift:3 Store", "A.swift:4 shared"]
    # The caller of a function makes the default values of its parameters.
    access.need_named("seen", range(len(text)))
    assert access.changed == ["A.swift:3 Store", "A.swift:3 Store.init", "A.swift:4 shared", "A.swift:7 seen(_:)"]
