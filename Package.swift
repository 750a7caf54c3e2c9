// swift-tools-version: 6.3
import PackageDescription

// One line per module, alphabetical; `uses` names the modules whose interfaces it imports. `RouterService` is not listed
// there: every target may import its interface. `implements` names the module of which this is another implementation.
// A module that sees the program may import `RouterServiceProgram` too, which features do not.
let modules = [
    Module("Display", seesProgram: true),
    Module("FeatureFlags", uses: ["HTTPClient", "Storage"]),
    Module("Home", uses: ["Display"]),
    Module("HTTPClient"),
    Module("HTTPClientEmbedded", implements: "HTTPClient", uses: ["Storage"]),
    Module("Login", uses: ["Display", "Home", "HTTPClient"]),
    Module("Notes", uses: ["Display", "Home", "HTTPClient", "Storage"]),
    Module("Profile", uses: ["Display", "FeatureFlags", "Home", "HTTPClient", "Login"]),
    Module("RouterService", seesProgram: true),
    Module("Storage"),
]

/// `swift package check`, for what the manifest and the compiler cannot refuse.
let check = Target.plugin(
    name: "CheckModules",
    capability: .command(intent: .custom(verb: "check", description: "Checks the dependency rule.")))

/// The part of the router that the App and presenters call; features import its interface only.
let program = "RouterServiceProgram"

let package = Package(
    name: "ModularSwift",
    // The first with `Synchronization.Mutex`.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2), .macCatalyst(.v18)],
    products: [.executable(name: "App", targets: ["App"])],
    traits: [.trait(name: "Live", description: "The program's side of scripts/live.")],
    targets: modules.flatMap(\.targets) + Module.app
        + [target(program, in: "RouterService/Program", needs: []), check],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin {
    target.swiftSettings = [
        "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault",
    ].map { .enableUpcomingFeature($0) }
    // The toolchain's linker, in place of gold, which SwiftPM takes there by default. Under the new build engine, it would drop the
    // sections with conformances.
    if [.executable, .test].contains(target.type) {
        let flags = ["-use-ld=lld", "-Xlinker", "--no-gc-sections"]
        target.linkerSettings = [.unsafeFlags(flags, .when(platforms: [.linux]))]
    }
    if target.type == .regular { package.products += [.library(name: target.name, targets: [target.name])] }
}

/// A folder of `Modules/`: its interface, its implementation, its fakes and its tests; or another implementation of a module.
///
/// The dependency rule is here, and nowhere else: a module names *modules*, and reaches only their interfaces (its tests
/// also fakes). No edge leads from one implementation to another, or from an interface to any but that of the router.
/// Each target names every interface that it reaches, imported or not: SwiftPM does not recompile it when the layout
/// of a type changes in a module that it does not name (docs/BuildSpeed.md).
struct Module {
    let name: String
    let base: String?
    let uses: [String]
    let seesProgram: Bool

    init(_ name: String, implements base: String? = nil, uses: [String] = [], seesProgram: Bool = false) {
        self.name = name
        self.base = base
        self.uses = uses
        self.seesProgram = seesProgram
    }

    var targets: [Target] {
        let reached = interfaces(of: [base ?? name] + uses) + (seesProgram ? [program] : [])
        if let base {
            return [target(name, in: "\(base)/\(name.dropFirst(base.count))", needs: reached)]
        }
        let others = modules.filter { $0.base == name }
        let used = [name, "RouterService"] + uses + others.flatMap(\.uses)
        let tested = [implementation, program] + others.map(\.implementation)
        // The router's fakes alone stand for what the program calls.
        let faked = ["\(name)Interface"] + (name == "RouterService" ? [program] : [])
        return [
            target("\(name)Interface", in: "\(name)/Interface", needs: []),
            target("\(name)Testing", in: "\(name)/Testing", needs: faked),
            target(implementation, in: "\(name)/Implementation", needs: reached),
            .testTarget(
                name: "\(name)Tests",
                dependencies: names(tested + interfaces(of: used) + used.map { "\($0)Testing" }),
                path: "Tests/\(name)Tests"),
        ]
    }

    /// The App, which alone imports implementations, and the tests that run it as a program.
    static var app: [Target] {
        let reached = interfaces(of: modules.filter { $0.base == nil }.map(\.name)) + [program]
        let fakes = ["Display", "HTTPClient", "RouterService"].map { "\($0)Testing" }
        let tests = ["App", "RouterServiceImplementation"] + fakes
        return [
            .executableTarget(
                name: "App", dependencies: names(reached + modules.map(\.implementation)), path: "App"),
            .testTarget(name: "AppTests", dependencies: names(tests + reached), path: "Tests/AppTests"),
        ]
    }

    private var implementation: String { base == nil ? "\(name)Implementation" : name }
}

/// A target of a module; all may import the interface of the router.
func target(_ name: String, in folder: String, needs: [String]) -> Target {
    let others = (needs + ["RouterServiceInterface"]).filter { $0 != name }
    return .target(name: name, dependencies: names(others), path: "Modules/\(folder)")
}

func interfaces(of modules: [String]) -> [String] { modules.map { "\($0)Interface" } }

func names(_ targets: [String]) -> [Target.Dependency] { Set(targets).sorted().map { .target(name: $0) } }
