"""A package of its own that depends on the router, as its README shows it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from made_files import files
from repo_checkout import plain
from swiftmodules.swiftpm.toolchain import Toolchain

__all__ = ["plain"]

pytestmark = pytest.mark.slow

MANIFEST = """// swift-tools-version: 6.3
import PackageDescription
let router = ["RouterServiceInterface", "RouterServiceProgram", "RouterServiceImplementation"].map {
    Target.Dependency.product(name: $0, package: "checkout")
}
let testing = Target.Dependency.product(name: "RouterServiceTesting", package: "checkout")
let package = Package(
    name: "Other",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "CHECKOUT")],
    targets: [
        .target(name: "Other", dependencies: router),
        .testTarget(name: "OtherTests", dependencies: ["Other", testing] + router),
    ]
)
"""
FEATURE = """import RouterServiceImplementation
public import RouterServiceInterface

public struct Greeting: Route {
    public static let identifier = "greeting"
    public init() {}
}

struct Hello: Screen {}

struct GreetingFeature: Feature {
    func build(_ route: Greeting, in context: any RouteContext<Greeting>) throws -> any Screen { Hello() }
}

public struct GreetingModule: Module {
    public init() {}
    public func register(in registrar: Registrar) { registrar.route(Greeting.self, by: GreetingFeature.init) }
}
"""
TEST = """import Other
import RouterServiceImplementation
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor @Test func greeting_isShown() async throws {
    let presenter = HeadlessPresenter()
    let screen = TestModule { $0.register((any Presenter).self, lifetime: .singleton) { presenter } }
    let router = RouterService(modules: [screen, GreetingModule()])
    try await router.start(with: Greeting())
    #expect(presenter.stack.count == 1)
}
"""


def test_package_that_depends_on_the_router_is_built_and_its_tests_pass(
    plain: Path, toolchain: Toolchain, tmp_path: Path
) -> None:
    other = tmp_path / "Other"
    texts = {"Package.swift": MANIFEST.replace("CHECKOUT", str(plain))}
    texts |= {"Sources/Other/Greeting.swift": FEATURE, "Tests/OtherTests/GreetingTests.swift": TEST}
    files(other, texts)
    command = [toolchain.swift, "test", "--package-path", other]
    done = subprocess.run(command, env=toolchain.environment, capture_output=True, text=True)
    assert done.returncode == 0 and "1 test" in done.stdout, done.stdout + done.stderr
