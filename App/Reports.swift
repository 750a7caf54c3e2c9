import DisplayInterface
import Foundation
import RouterServiceInterface

/// What `--check` prints about a router.
@MainActor
struct CheckReport {
    /// A line for each problem and each warning; a summary where there is no problem.
    let text: String
    /// 1 where something cannot work, otherwise 0.
    let status: Int32

    /// Validates a router.
    init(_ router: any RunningRouter) {
        let findings = router.validate()
        let warnings = findings.filter(\.isWarning)
        let hasProblems = warnings.count < findings.count
        var lines = findings.map { $0.isWarning ? "warning: \($0)" : "\($0)" }
        if !hasProblems {
            let end = warnings.isEmpty ? "" : ", \(warnings.count) warning\(warnings.count == 1 ? "" : "s")"
            lines.append("\(router.routes.count) routes, \(router.services.count) services, 0 problems\(end)")
        }
        text = lines.joined(separator: "\n")
        status = hasProblems ? 1 : 0
    }
}

/// A route as `--routes` lists it.
struct ListedRoute: Encodable {
    let identifier, kind, route, module: String
    let urls, aliases: [String]
    let deprecation: String?

    init(_ route: RegisteredRoute) {
        (identifier, kind) = (route.identifier, route.kind.rawValue)
        (self.route, module) = ("\(route.name)", "\(route.source.module)")
        (urls, aliases, deprecation) = (route.urls.map(\.description), route.aliases, route.deprecation)
    }
}

/// A service as `--services` lists it.
struct ListedService: Encodable {
    let service, lifetime, module, place: String

    init(_ service: RegisteredService) {
        (self.service, lifetime) = ("\(service.source.type)", "\(service.lifetime)")
        (module, place) = ("\(service.source.module)", "\(service.source.place)")
    }
}

/// Routes or services to read: a heading and a line for each, without the columns that would be empty.
struct Table {
    let text: String

    init(_ routes: [ListedRoute]) {
        self.init(
            [
                ("identifier", routes.map(\.identifier)), ("kind", routes.map(\.kind)),
                ("route", routes.map(\.route)), ("module", routes.map(\.module)),
                ("URLs", routes.map { $0.urls.joined(separator: ", ") }),
                ("aliases", routes.map { $0.aliases.joined(separator: ", ") }),
                ("deprecated", routes.map { $0.deprecation ?? "" }),
            ], rows: routes.count)
    }

    init(_ services: [ListedService]) {
        self.init(
            [
                ("service", services.map(\.service)), ("lifetime", services.map(\.lifetime)),
                ("module", services.map(\.module)), ("registered at", services.map(\.place)),
            ], rows: services.count)
    }

    private init(_ columns: [(heading: String, cells: [String])], rows: Int) {
        let padded = columns.filter { !$0.cells.allSatisfy(\.isEmpty) }.map { heading, cells in
            let width = ([heading] + cells).map(\.count).max() ?? 0
            return ([heading] + cells).map { $0.padding(toLength: width, withPad: " ", startingAt: 0) }
        }
        text = (0...rows)
            .map { line in
                padded.map { $0[line] }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
            }
            .joined(separator: "\n")
    }
}

/// The text of a list as JSON.
func jsonText(_ list: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(list), as: UTF8.self)
}

/// A file of lines that tell what a router does.
@MainActor
struct TraceFile {
    private let file: FileHandle

    /// Empties the file, or makes it, for its owner alone to read.
    ///
    /// - Throws: `UnusableInput` when it cannot be written.
    init(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw UnusableInput(
                "The trace cannot be written to \(path): \(String(cString: strerror(errno))).")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes a line; where the file takes no more, it is lost.
    func write(_ text: String) {
        try? file.write(contentsOf: Data("\(Display.PlainText.line(text))\n".utf8))
    }
}

/// Prints what a router does, a line for each event.
@MainActor
enum Trace {
    /// Does something, and prints what the router does meanwhile; all of it before this returns or throws.
    static func of<Output: Sendable>(
        _ router: any RunningRouter, print: @escaping @MainActor (String) -> Void,
        while work: @MainActor () async throws -> Output
    ) async throws -> Output {
        let events = router.events()
        let printing = Task {
            for await event in events { print(event.description) }
        }
        let result: Result<Output, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        // Ends the stream, which still hands out the events that it holds.
        printing.cancel()
        await printing.value
        return try result.get()
    }
}
