import Foundation
import PackagePlugin

/// `swift package check`: finds what breaks the dependency rule, beside what the build refuses.
///
/// `swift build --explicit-target-dependency-import-check error` refuses an import that the manifest does not
/// declare, on the platform that it builds for. This plugin reads the imports of every source, under every `#if`,
/// and the edges of the manifest. To use it in another package, copy this folder, adjust `Rules`, and add to the
/// manifest:
///
/// ```swift
/// .plugin(name: "CheckModules", capability: .command(intent: .custom(verb: "check", description: "…")))
/// ```
@main
struct CheckModules: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let check = try Check(context.package)
        let findings = check.targets.flatMap {
            check.imports(of: $0) + check.edges(of: $0) + check.sources(of: $0)
        }
        for finding in findings { print(finding) }
        guard findings.isEmpty else { throw RulesAreBroken(count: findings.count) }
        let files = check.targets.map(\.files.count).reduce(0, +)
        print("\(check.targets.count) targets, \(files) files: nothing found")
    }
}

/// The names on which the rules depend.
enum Rules {
    /// The interface that every target may import.
    static let vocabulary = "RouterServiceInterface"
    /// The ends of the names of interfaces.
    static let interfaces = ["Interface", "Program"]
    /// The end of the names of targets with fakes.
    static let fakes = "Testing"
    /// Libraries that compose modules, as an executable does, such as previews; they may use fakes.
    static let compositions: Set<String> = []
    /// The only source of an executable that imports implementations, where the executable has a source of this name.
    static let compositionFile = "Composition.swift"
    /// The most lines of code that a target may have, without comments and blank lines.
    static let budgets = ["RouterServiceInterface": 950]
    /// Names that end the program, or switch off what the compiler proves; only tests may use them.
    static let traps: Set = [
        "fatalError", "preconditionFailure", "assertionFailure", "precondition", "assert", "@unchecked",
        "unsafeBitCast", "UnsafeMutableRawPointer", "dlopen",
    ]
    /// Sources that may use `traps`: the live build loads modules, and the system hands raw memory to handlers of signals.
    static let mayTrap = ["App/Live.swift", "Modules/Display/Implementation/TerminalSignals.swift"]
}

/// A place that breaks a rule, and what to do.
struct Finding: CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): error: \(message)" }
}

struct RulesAreBroken: Error, CustomStringConvertible {
    let count: Int
    var description: String { "\(count) finding\(count == 1 ? "" : "s")" }
}

/// A Swift target of the package, its role by its name, and its sources.
struct CheckedTarget {
    enum Role { case interface, implementation, fakes, tests, executable, other }

    let name, moduleName: String
    let role: Role
    /// The module to which the target belongs: the beginning of the name, where an interface has the same; or nil.
    let module: String?
    let dependencies: [String]
    let folder: URL
    let files: [SourceFile]

    init(_ target: SwiftSourceModuleTarget, among names: Set<String>) throws {
        name = target.name
        moduleName = target.moduleName
        module = name.indices.reversed().map { String(target.name[...$0]) }.first {
            names.contains("\($0)Interface")
        }
        role =
            switch target.kind {
            case .test: .tests
            case .executable: .executable
            case .generic where module == nil || Rules.compositions.contains(name): .other
            case .generic where Rules.interfaces.contains(where: name.hasSuffix): .interface
            case .generic where name.hasSuffix(Rules.fakes): .fakes
            case .generic: .implementation
            default: .other
            }
        dependencies = target.dependencies.compactMap {
            if case .target(let other) = $0 { other.name } else { nil }
        }
        folder = target.directoryURL.resolvingSymlinksInPath()
        files = try target.sourceFiles(withSuffix: "swift").map { try SourceFile($0.url) }
    }
}

/// The package with its manifest, and the rules.
struct Check {
    let targets: [CheckedTarget]
    private let named: [String: CheckedTarget]
    private let root: String
    private let manifest: [Substring]

    init(_ package: Package) throws {
        root = package.directoryURL.resolvingSymlinksInPath().path + "/"
        manifest = try String(
            contentsOf: package.directoryURL.appending(path: "Package.swift"), encoding: .utf8
        )
        .split(separator: "\n", omittingEmptySubsequences: false)
        let found = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
        let names = Set(found.map(\.name))
        targets = try found.map { try CheckedTarget($0, among: names) }
        named = Dictionary(targets.map { ($0.moduleName, $0) }) { first, _ in first }
            .merging(targets.map { ($0.name, $0) }) { first, _ in first }
    }

    // MARK: - Imports

    func imports(of target: CheckedTarget) -> [Finding] {
        target.files.flatMap { file in
            file.imports.flatMap { each -> [Finding] in
                var messages: [String] = []
                if each.attributes.contains("@_exported") {
                    messages.append(
                        "every file that imports \(target.name) would import \(each.module) too: remove '@_exported'."
                    )
                }
                if let imported = named[each.module], imported.name != target.name {
                    messages += problems(of: each, from: target, file, to: imported)
                }
                return messages.map { Finding(path: path(of: file), line: each.line, message: $0) }
            }
        }
    }

    private func problems(
        of each: Import, from target: CheckedTarget, _ file: SourceFile, to imported: CheckedTarget
    ) -> [String] {
        var messages: [String] = []
        let isForeign = target.module != nil && target.module != imported.module
        if let reason = reason(against: imported, in: target) {
            messages.append("\(target.name) imports \(imported.name). \(reason)")
        } else if !target.dependencies.contains(imported.name), !isConditional(imported) {
            messages.append(
                "\(target.name) imports \(imported.name) without depending on it, and builds only by chance. Add the "
                    + "dependency to the manifest, or remove the import.")
        } else if target.role == .executable, imported.role == .implementation,
            file.name != Rules.compositionFile,
            target.files.contains(where: { $0.name == Rules.compositionFile })
        {
            messages.append(
                "only \(Rules.compositionFile) of \(target.name) imports implementations, so that one file composes "
                    + "the program. Use the interface of \(imported.name) here.")
        }
        if each.attributes.contains("@testable"), target.role != .tests || isForeign {
            messages.append(
                "\(target.name) reaches into \(imported.name). Only a module's own tests import it with '@testable'."
            )
        }
        return messages
    }

    /// Whether the manifest makes a target a dependency on some platforms.
    ///
    /// SwiftPM leaves such a dependency out of what it hands to plugins on the other platforms.
    private func isConditional(_ target: CheckedTarget) -> Bool {
        let dependency = try? Regex("\"\(target.name)\"\\s*,\\s*condition:")
        return dependency.map { manifest.joined(separator: " ").firstMatch(of: $0) != nil } ?? false
    }

    /// The reason why a target may neither import nor depend on another one; nil where it may.
    private func reason(against other: CheckedTarget, in target: CheckedTarget) -> String? {
        let isOwnTest = target.role == .tests && (target.module == nil || target.module == other.module)
        return switch (target.role, other.role) {
        case (.interface, _) where other.name != Rules.vocabulary:
            "An interface uses no other target than \(Rules.vocabulary): declare here what is needed, and let the "
                + "composition adapt the other module to it."
        case (_, .implementation) where target.role != .executable && !isOwnTest && target.role != .other:
            "Only the composition and the module's own tests use an implementation: use the interface, and let the "
                + "composition register the implementation."
        case (.interface, .fakes), (.implementation, .fakes), (.executable, .fakes):
            "Fakes are for tests: use the interface."
        default: nil
        }
    }

    // MARK: - Edges of the manifest

    func edges(of target: CheckedTarget) -> [Finding] {
        let imported = Set(target.files.flatMap(\.imports).compactMap { named[$0.module]?.name })
        var messages: [String] = []
        for other in target.dependencies.compactMap({ named[$0] }) where !imported.contains(other.name) {
            if let reason = reason(against: other, in: target) {
                messages.append("\(target.name) depends on \(other.name). \(reason)")
            } else if target.role != .tests, ![.executable, .other].contains(other.role),
                other.name != Rules.vocabulary,
                !(other.role == .interface && reaches(other.name, from: target))
            {
                messages.append(
                    "\(target.name) depends on \(other.name), and none of its sources imports it.")
            }
        }
        for other in targets where other.role == .interface && other.name != target.name {
            if !target.dependencies.contains(other.name), reaches(other.name, from: target) {
                messages.append(
                    "\(target.name) reaches \(other.name) without depending on it. SwiftPM does not compile "
                        + "\(target.name) again when the layout of a type there changes: add the dependency.")
            }
        }
        return messages.map { Finding(path: "Package.swift", line: line(of: target), message: $0) }
    }

    /// Whether a target reaches another one through its other dependencies.
    private func reaches(_ name: String, from target: CheckedTarget) -> Bool {
        var open = target.dependencies.filter { $0 != name }
        var seen = Set(open)
        while let next = open.popLast() {
            for each in named[next]?.dependencies ?? [] where seen.insert(each).inserted { open.append(each) }
        }
        return seen.contains(name)
    }

    /// The line of the manifest that declares a target, or else names its module.
    private func line(of target: CheckedTarget) -> Int {
        let words = ["name: \"\(target.name)\"", "\"\(target.name)\"", "\"\(target.module ?? target.name)\""]
        return 1 + (words.lazy.compactMap { word in manifest.firstIndex { $0.contains(word) } }.first ?? 0)
    }

    // MARK: - Sources

    func sources(of target: CheckedTarget) -> [Finding] {
        var found = target.files.compactMap { link($0, in: target) }
        func add(_ message: String, at place: Place, in file: SourceFile) {
            found.append(Finding(path: path(of: file), line: place.line, message: message))
        }
        var entry: Place?
        for file in target.files {
            for declaration in target.role == .implementation ? file.publicDeclarations : [] {
                guard let first = entry else {
                    entry = declaration
                    continue
                }
                add(
                    "'\(declaration.name)' is public in \(target.name) beside '\(first.name)'. An implementation shows only "
                        + "its module entry.", at: declaration, in: file)
            }
            for trap in target.role == .tests || Rules.mayTrap.contains(path(of: file)) ? [] : file.traps {
                add(
                    "'\(trap.name)' may end the program, or hides from the compiler what it could prove. Throw an error "
                        + "that says what happened and what to do.", at: trap, in: file)
            }
        }
        let lines = target.files.map(\.codeLines).reduce(0, +)
        if let budget = Rules.budgets[target.name], lines > budget {
            let message =
                "\(target.name) has \(lines) lines of code, and its budget is \(budget). An edit in it compiles every "
                + "target that imports it: move what few of them need to another target."
            found.append(Finding(path: "Package.swift", line: line(of: target), message: message))
        }
        return found
    }

    /// The finding for a source that is a link to a source of another target.
    private func link(_ file: SourceFile, in target: CheckedTarget) -> Finding? {
        let real = file.url.resolvingSymlinksInPath().path
        let owner = targets.filter { real.hasPrefix($0.folder.path + "/") }.max {
            $0.folder.path.count < $1.folder.path.count
        }
        guard let owner, owner.name != target.name else { return nil }
        let message =
            "\(target.name) compiles a source of \(owner.name) through a link. Remove the link, and import the target."
        return Finding(path: relative(file.url.path), line: 1, message: message)
    }

    private func path(of file: SourceFile) -> String { relative(file.url.resolvingSymlinksInPath().path) }

    private func relative(_ path: String) -> String {
        path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
    }
}
