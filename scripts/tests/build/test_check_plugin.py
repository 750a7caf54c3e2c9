"""`swift package check`: the plugin finds what is planted in a package, on its lines, and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from made_files import copied, files
from repo_checkout import REPOSITORY, edit
from swiftmodules.swiftpm.toolchain import Toolchain

_PLUGIN = REPOSITORY / "Plugins/CheckModules"
_IN_MANIFEST = """
package.targets.append(
    .plugin(name: "CheckModules", capability: .command(intent: .custom(verb: "check", description: "Check"))))
"""
_BASKET = "Modules/Basket/Implementation"
_FORBIDDEN = "BasketImplementation imports PriceImplementation. Only the composition"

# An import that is not allowed, in every form, with its line.
IMPORTS = [
    ("import PriceImplementation\n", 1),
    ("#if os(Windows)\n#else\n  #if canImport(Darwin)\n  import PriceImplementation\n  #endif\n#endif\n", 4),
    ("\ufefflet a = 1 /* /* */ import Z */; import PriceImplementation\n", 1),
    ("@_spi(Größe)import PriceImplementation\n", 1),
    ("import struct PriceImplementation::Thing\n", 1),
    ("func load(\n    import path: String,\n    import other : Int\n) {}\nimport PriceImplementation\n", 5),
    ('let a = """\nimport PriceImplementation\n"""\nlet b = #"""#; import PriceImplementation\n', 4),
    ('let a = #/a\\/*b/#\nlet b = /"/\nimport PriceImplementation\n', 3),
    ('let a = "\\(b("\\(c)") + "/*")"\nlet d = 4 / 2; let e = "\\\\"\nimport PriceImplementation // /\n', 3),
    ("@_implementationOnly import\n    PriceImplementation\n", 1),
    ("@_spi(Some) import `PriceImplementation`\n", 1),
    ("#if compiler(>=99)\n)))\nimport Foundation; import PriceImplementation\n#endif\n", 3),
    ("#if compiler(>=99)\n(((\n#endif\n@preconcurrency import PriceImplementation\n", 4),
    ("import Foundation // Lines of\rimport PriceImplementation\r", 2),
    ("// Lines of\r\nimport PriceImplementation\r\n", 2),
]
# By file, what is planted in it; a line that ends with `// found: …` has a finding with these words.
PLANTED = {
    "App/Support.swift": """
import PriceImplementation  // found: only Composition.swift of App imports implementations
#if DEBUG
    import struct BasketImplementation.BasketModule  // found: only Composition.swift of App
#endif
import PriceTesting  // found: Fakes are for tests
nonisolated(unsafe) var sold = 0  // found: 'nonisolated(unsafe)' may end the program
""",
    f"{_BASKET}/Public.swift": """
public struct Thing {}  // found: 'Thing' is public in BasketImplementation beside 'BasketModule'
package func sell() {}  // found: 'sell' is public
@MainActor public final class Till { public func open() {} }  // found: 'Till' is public
extension BasketModule { public func sell() {} }
struct Own { public let amount = 1 }
""",
    f"{_BASKET}/Traps.swift": """
// fatalError()
let text = "fatalError()"
let also = #"\\(fatalError())"#
func pay(assert: Bool) { check.assert(true); assertion() }
func stop() -> Never { fatalError() }  // found: 'fatalError' may end the program
func end() { Swift.precondition(false) }  // found: 'precondition' may end
let shown = "\\(fatalError())"  // found: 'fatalError' may end
final class Kept: @unchecked Sendable {}  // found: '@unchecked' may end
""",
    f"{_BASKET}/Reaching.swift": """
@testable import PriceInterface  // found: BasketImplementation reaches into PriceInterface
@_exported import Foundation  // found: every file that imports BasketImplementation would import Foundation
import RouterServiceTesting  // found: Fakes are for tests
""",
    "Modules/Basket/Interface/Imports.swift": """
import PriceInterface  // found: An interface uses no other target than RouterServiceInterface
""",
    "Modules/Price/Implementation/Undeclared.swift": """
import BasketInterface  // found: PriceImplementation imports BasketInterface without depending on it
""",
    "Tests/BasketTests/Imports.swift": """
@testable import PriceTesting  // found: BasketTests reaches into PriceTesting
import PriceImplementation  // found: Only the composition and the module's own tests
#if os(macOS)
    import RouterServiceTesting  // found: without depending on it
#endif
func stop() { fatalError() }
""",
    "Tests/PriceTests/Imports.swift": """
@testable import PriceImplementation
@testable import PriceTesting
""",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The package that keeps every rule, with the plugin, as a reader copies it."""
    folder = copied(tmp_path, "Shop")
    shutil.copytree(_PLUGIN, folder / "Plugins/CheckModules")
    manifest = folder / "Package.swift"
    manifest.write_text(manifest.read_text() + _IN_MANIFEST)
    return folder


def check(folder: Path, toolchain: Toolchain) -> tuple[int, list[tuple[str, int, str]], str]:
    """The exit code, the findings by place, and the whole output."""
    command = [toolchain.swift, "package", "--package-path", str(folder), "check"]
    done = subprocess.run(command, env=toolchain.environment, capture_output=True, text=True)
    found = re.findall(r"^(\S.*?):(\d+): error: (.*)$", done.stdout, re.M)
    return done.returncode, [(path, int(line), text) for path, line, text in found], done.stdout + done.stderr


def test_planted_violations_of_every_kind_are_found_and_nothing_else(shop: Path, toolchain: Toolchain) -> None:
    code, _, output = check(shop, toolchain)
    assert code == 0 and "13 targets, 16 files: nothing found" in output
    expected = []
    for path, text in PLANTED.items():
        files(shop, {path: text.lstrip("\n")})
        for line, code in enumerate(text.lstrip("\n").splitlines(), start=1):
            words = code.partition("// found: ")[2]
            expected += [(path, line, words)] if words else []
    for number, (text, line) in enumerate(IMPORTS):
        files(shop, {f"{_BASKET}/Planted{number:02}.swift": text})
        expected.append((f"{_BASKET}/Planted{number:02}.swift", line, _FORBIDDEN))
    # A source of another target, a dependency that no source uses, and one that is not named.
    (shop / _BASKET / "PriceModule.swift").symlink_to("../../Price/Implementation/PriceModule.swift")
    expected.append((f"{_BASKET}/PriceModule.swift", 1, "compiles a source of PriceImplementation through a link"))
    # The sources of a link are its target's.
    expected.append(("Modules/Price/Implementation/PriceModule.swift", 4, "'PriceModule' is public in Basket"))
    edit(
        shop,
        "Package.swift",
        '.target(name: "PriceTesting", dependencies: ["PriceInterface", "RouterServiceInterface"]',
        '.target(name: "PriceTesting", dependencies: ["PriceInterface", "BasketTesting"]',
    )
    expected.append(("Package.swift", 14, "PriceTesting depends on BasketTesting, and none of its sources imports it."))
    expected.append(("Package.swift", 14, "PriceTesting reaches BasketInterface without depending on it."))
    expected.append(("Package.swift", 14, "PriceTesting reaches RouterServiceInterface without depending on it."))
    expected.append(("Package.swift", 15, "PriceTests reaches BasketInterface without depending on it."))
    edit(shop, "Plugins/CheckModules/CheckModules.swift", '["RouterServiceInterface": 950]', '["PriceInterface": 5]')
    expected.append(("Package.swift", 13, "PriceInterface has 6 lines of code, and its budget is 5."))
    code, found, output = check(shop, toolchain)
    assert code == 1, output
    left = list(found)
    for path, line, words in expected:
        matching = [each for each in left if each[:2] == (path, line) and words in each[2]]
        assert matching, f"{path}:{line}: {words}\n{output}"
        left.remove(matching[0])
    assert left == []
