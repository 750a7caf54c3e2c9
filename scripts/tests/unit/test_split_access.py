"""The access that declarations get where a target is cut, and the initialisers that are written."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from made_files import files
from swiftmodules.split.access import Access
from swiftmodules.split.declarations import Declarations
from swiftmodules.split.graph import Graph
from swiftmodules.steps.placement import rewrite
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import read_files
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

FILE = Path("A.swift")


def access_of(text: str, folder: Path, toolchain: Toolchain, level: str) -> Access:
    """The access of the declarations of a file of which nothing is used yet."""
    files(folder, {FILE.as_posix(): text})
    package = Package("Shop", "6.0", targets=(Target("Shop", "library", Path(), (FILE,)),))
    graph = Graph("Shop", Declarations(read_files(folder, [FILE], toolchain), [], package), package)
    return Access(SimpleNamespace(graph=graph, crossing=[], level=level))  # type: ignore[arg-type]


def test_what_implements_a_requirement_is_as_visible_as_its_type_and_the_protocol(
    tmp_path: Path, toolchain: Toolchain
) -> None:
    text = """protocol Box {
    var isEmpty: Bool { get }
}

struct Crate {}

extension Crate: Box {
    var isEmpty: Bool { true }
    var own: Int { 1 }
}

struct Plain {
    var isEmpty: Bool { true }
}

struct Other {
    private struct Crate {
        var isEmpty: Bool { true }
    }
}
"""
    access = access_of(text, tmp_path, toolchain, "package")
    access.show(next(node for node in access._graph.nodes if node.title == "Crate"))
    access.settle()
    assert access.changed == ["A.swift:5 Crate"]
    access.need_named("Box", range(len(text)))
    access.need_named("Plain", range(len(text)))
    access.settle()
    assert access.changed == ["A.swift:1 Box", "A.swift:5 Crate", "A.swift:8 isEmpty", "A.swift:12 Plain"]


def test_initialiser_is_written_with_the_types_and_values_of_the_properties(
    tmp_path: Path, toolchain: Toolchain
) -> None:
    text = """struct Limits {
    let name, kind: String
    var bytes = 1 << 20
    var cost = 1.5
    var parent: [String]?
    var onChange: (Int) -> Void
    let isFixed = true
    var begun = Date.now
    static let all = 1
    var double: Int { bytes * 2 }
}
"""
    access = access_of(text, tmp_path, toolchain, "public")
    assert access.need_named("Limits", [0], is_made=True) and not access.need_named("Limits", [0], is_made=True)
    source = access._graph.sources[FILE]
    written = rewrite(source.text, access.replacements(source)).decode()
    assert (
        "    public init(name: String, kind: String, bytes: Int = 1 << 20, cost: Double = 1.5, "
        "parent: [String]? = nil, onChange: @escaping (Int) -> Void) {\n        self.name = name\n"
    ) in written
    assert written.startswith("public struct Limits {\n    let name, kind: String\n")
    # The type of a value that is calculated is not known, so the property keeps its value.
    assert "self.begun" not in written
