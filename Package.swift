// swift-tools-version: 6.3
import PackageDescription

// snippet: modules
// One line per module, alphabetical; `uses` names the modules whose interfaces it imports, and `alternatives` its other
// implementations, each with the modules that it alone uses.
// `RouterService` is not listed in `uses`: every target may import its interface. `showsScreens` lets an implementation and
// its fakes import `RouterServiceProgram` too, which features do not see.
let modules = [
    Module("Display", showsScreens: true),
    Module("FeatureFlags", uses: ["HTTPClient", "Storage"]),
    Module("HTTPClient", alternatives: ["Embedded": ["Storage"]]),
    Module("Login", uses: ["Display", "FeatureFlags", "HTTPClient"]),
    Module("Notes", uses: ["Display", "HTTPClient", "Storage"]),
    Module("Profile", uses: ["Display", "FeatureFlags", "HTTPClient", "Login"]),
    Module("RouterService"),
    Module("Storage"),
]
// snippet: end

/// `swift package check`, for what the manifest and the compiler cannot refuse.
let check = Target.plugin(
    name: "CheckModules",
    capability: .command(
        intent: .custom(verb: "check", description: "Finds what breaks the dependency rule.")))

let package = Package(
    name: "ModularSwift",
    // The first with `Synchronization.Mutex`.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2), .macCatalyst(.v18)],
    products: [.executable(name: "App", targets: ["App"])] + modules.flatMap(\.products),
    targets: modules.flatMap(\.targets) + Module.app(of: modules) + [check],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    // The toolchain's linker is faster than the one that SwiftPM takes there by default (docs/BuildSpeed.md).
    if [.executable, .test].contains(target.type) {
        target.linkerSettings = [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]
    }
}

/// A folder of `Modules/`: one interface, one or more implementations, its fakes, and its tests.
///
/// The dependency rule is in `targets`, and nowhere else: a module names other *modules*, and the only targets
/// of theirs that it can reach are interfaces (and, for its tests, fakes). An edge from one implementation to
/// another, or from an interface to anything but `RouterServiceInterface`, cannot be written.
///
/// Each target names every interface that it reaches, imported or not: SwiftPM does not recompile it when the layout
/// of a type changes in a module that it does not name (docs/BuildSpeed.md).
struct Module {
    let name: String
    let uses: [String]
    let alternatives: KeyValuePairs<String, [String]>
    let showsScreens: Bool

    init(
        _ name: String, uses: [String] = [], alternatives: KeyValuePairs<String, [String]> = [:],
        showsScreens: Bool = false
    ) {
        self.name = name
        self.uses = uses
        self.alternatives = alternatives
        self.showsScreens = showsScreens
    }

    var targets: [Target] {
        let usedByAny = uses + alternatives.flatMap(\.value)
        let fakes = unique(["\(name)Testing", "RouterServiceTesting"] + usedByAny.map { "\($0)Testing" })
        let program = showsScreens || isRouter ? [Self.program] : []
        return [
            target("Interface", in: "Interface", needs: isRouter ? [] : [router]),
            target("Testing", in: "Testing", needs: unique(["\(name)Interface", router]) + program),
            target("Implementation", in: "Implementation", needs: interfaces(of: uses) + program),
            .testTarget(
                name: "\(name)Tests",
                dependencies: names(
                    implementations + interfaces(of: usedByAny) + [Self.program] + fakes),
                path: "Tests/\(name)Tests"),
        ] + (isRouter ? [target("Program", in: "Program", needs: [router])] : [])
            + alternatives.map { target($0, in: $0, needs: interfaces(of: uses + $1)) }
    }

    /// Every target but the tests, for other packages.
    var products: [Product] {
        targets.filter { $0.type == .regular }.map { .library(name: $0.name, targets: [$0.name]) }
    }

    /// The App, which alone imports implementations, and the tests that run it as a program.
    static func app(of modules: [Module]) -> [Target] {
        let interfaces = modules.map { "\($0.name)Interface" } + [program]
        let all = modules.flatMap { ["\($0.name)Interface"] + $0.implementations } + [program]
        return [
            .executableTarget(name: "App", dependencies: names(all), path: "App"),
            .testTarget(
                name: "AppTests",
                dependencies: names(
                    ["App", "DisplayTesting", "HTTPClientTesting", "RouterServiceImplementation"] + interfaces
                ),
                path: "Tests/AppTests"),
        ]
    }

    private static let program = "RouterServiceProgram"

    private var router: String { "RouterServiceInterface" }
    private var isRouter: Bool { name == "RouterService" }
    private var implementations: [String] { (["Implementation"] + alternatives.map(\.key)).map { name + $0 } }

    private func interfaces(of uses: [String]) -> [String] {
        unique(["\(name)Interface", router] + uses.map { "\($0)Interface" })
    }

    private func target(_ suffix: String, in folder: String, needs: [String]) -> Target {
        .target(name: name + suffix, dependencies: names(needs), path: "Modules/\(name)/\(folder)")
    }
}

func names(_ targets: [String]) -> [Target.Dependency] {
    targets.map { .target(name: $0) }
}

func unique(_ names: [String]) -> [String] {
    names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element)
}
