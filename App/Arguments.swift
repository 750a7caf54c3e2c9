import Foundation

/// What the command line asks for.
struct Arguments {
    enum Command {
        case run(Beginning)
        case check
        case listRoutes(asJSON: Bool)
        case help
    }

    let command: Command
    /// The server to talk to, or nil for the one inside the program.
    let backend: URL?
    /// Whether everything that the router does is printed on standard error.
    let isTraced: Bool

    static let usage = """
        usage: App [--backend URL] [--trace] [--open URL | --restore FILE]
               App [--backend URL] --check | --routes [--json]
               App --help

          --backend URL   Talk to the server at this address, for example http://127.0.0.1:8080
                          (see scripts/backend). Without it, a backend inside the program answers.
          --open URL      Open what a URL such as app://profile/bob leads to above the first screen;
                          --routes lists the kinds of URL.
          --restore FILE  Show the stack of screens that the file holds, if there is one, and keep the
                          stack in the file when the App ends.
          --trace         Print what the router does on standard error, a line for each event. Send it
                          elsewhere where the App fills the terminal: 2>trace.log
          --check         Validate the graph of routes and services: a line for each problem and exit 1,
                          or one summary line and exit 0. Warnings keep nothing from working.
          --routes        List the routes: identifier, kind, type, module entry, URLs, aliases.
          --json          List the routes as JSON.
          --help          Print this text.

        Without --check, --routes and --help, the App runs: full-screen in a terminal; otherwise it reads
        one line for each action, so that a session can be piped in.
        """

    /// Reads the arguments that follow the program's name.
    ///
    /// - Throws: `ArgumentError` for the first argument that cannot be used.
    init(_ arguments: [String]) throws {
        let options = try OptionList(
            arguments, flags: ["--trace", "--check", "--routes", "--json", "--help", "-h"],
            valued: ["--backend": "an address", "--open": "a URL", "--restore": "a file"])
        let tasks = ["--open", "--restore", "--check", "--routes"].filter(options.contains)
        if tasks.count > 1 {
            throw ArgumentError("\(tasks[0]) and \(tasks[1]) cannot be used together")
        }
        if options.contains("--json"), !options.contains("--routes") {
            throw ArgumentError("--json goes with --routes")
        }
        backend = try options.values["--backend"].map(Self.backend)
        isTraced = options.contains("--trace")
        let beginning = try Self.beginning(options)
        command =
            if options.contains("--help") || options.contains("-h") {
                .help
            } else if options.contains("--check") {
                .check
            } else if options.contains("--routes") {
                .listRoutes(asJSON: options.contains("--json"))
            } else {
                .run(beginning)
            }
    }

    private static func backend(_ text: String) throws -> URL {
        guard let parts = URLComponents(string: text), let url = parts.url,
            ["http", "https"].contains(parts.scheme), parts.host?.isEmpty == false, parts.user == nil,
            parts.query == nil, parts.fragment == nil, (1...65535).contains(parts.port ?? 80)
        else {
            throw ArgumentError("--backend needs an address such as http://127.0.0.1:8080, not '\(text)'")
        }
        return url
    }

    private static func beginning(_ options: OptionList) throws -> Beginning {
        if let text = options.values["--open"] {
            guard let url = URL(string: text), url.scheme?.isEmpty == false else {
                throw ArgumentError("--open needs a URL such as app://profile/bob, not '\(text)'")
            }
            return .url(url)
        }
        return options.values["--restore"].map { .stack(StackFile(path: $0)) } ?? .firstScreen
    }
}
