import Foundation

/// What the command line asks for.
struct Arguments {
    enum Command {
        case run
        case check
        case listRoutes(asJSON: Bool)
        case help
    }

    let command: Command
    /// The server to talk to, or nil for the one inside the program.
    let backend: URL?

    static let usage = """
        usage: App [--backend URL] [--check | --routes [--json] | --help]

          --backend URL  Talk to the server at this address, for example http://127.0.0.1:8080
                         (see scripts/backend). Without it, a backend inside the program answers.
          --check        Validate the graph of routes and services: a line for each problem and exit 1,
                         or one summary line and exit 0.
          --routes       List the routes: identifier, type, module entry.
          --json         List the routes as JSON.
          --help         Print this text.

        Without --check, --routes and --help, the App runs: full-screen in a terminal; otherwise it reads
        one line for each action, so that a session can be piped in.
        """

    /// Reads the arguments that follow the program's name.
    ///
    /// - Throws: `ArgumentError` for the first argument that cannot be used.
    init(_ arguments: [String]) throws {
        var remaining = arguments[...]
        var backend: URL?
        var asksForCheck = false
        var asksForRoutes = false
        var asksForJSON = false
        var asksForHelp = false
        while let argument = remaining.popFirst() {
            switch argument {
            case "--backend": backend = try Self.backend(remaining.popFirst())
            case "--check": asksForCheck = true
            case "--routes": asksForRoutes = true
            case "--json": asksForJSON = true
            case "--help", "-h": asksForHelp = true
            default: throw ArgumentError("unknown argument '\(argument)'")
            }
        }
        if asksForCheck && asksForRoutes {
            throw ArgumentError("--check and --routes cannot be used together")
        }
        if asksForJSON && !asksForRoutes {
            throw ArgumentError("--json goes with --routes")
        }
        self.backend = backend
        command =
            if asksForHelp {
                .help
            } else if asksForCheck {
                .check
            } else if asksForRoutes {
                .listRoutes(asJSON: asksForJSON)
            } else {
                .run
            }
    }

    private static func backend(_ text: String?) throws -> URL {
        guard let text else { throw ArgumentError("--backend needs an address") }
        guard let parts = URLComponents(string: text), let url = parts.url,
            ["http", "https"].contains(parts.scheme), parts.host?.isEmpty == false, parts.user == nil,
            parts.query == nil, parts.fragment == nil, (1...65535).contains(parts.port ?? 80)
        else {
            throw ArgumentError("--backend needs an address such as http://127.0.0.1:8080, not '\(text)'")
        }
        return url
    }
}

/// An argument that cannot be used.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
