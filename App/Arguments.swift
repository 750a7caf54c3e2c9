import Foundation

/// The parsed command line.
struct Arguments {
    enum Command {
        case run(Launch)
        case send(Call, folder: String)
        case check
        case listRoutes(asJSON: Bool)
        case listServices(asJSON: Bool)
        case help
    }

    let command: Command
    /// The server to talk to, or nil for the one inside the program.
    let backend: URL?
    /// The folder in which data is kept, or nil to keep it in memory.
    let dataPath: String?
    /// The flag that is on, if one is.
    let flag: Flag?
    /// The file to which the router's events are written.
    let tracePath: String?

    /// The file in which the stack of screens is kept, if one is.
    var stackPath: String? {
        if case .run(.stack(let path)) = command { path } else { nil }
    }

    static let usage = """
        usage: App [--backend URL] [--data DIR | --ephemeral] [--flag NAME] [--trace FILE]
                   [--open URL | --output URL | --restore FILE]
               App [--data DIR] --send URL [--no-wait]
               App [--backend URL] --check | --routes [--json] | --services [--json]
               App --help

          --backend URL   Talk to the server at this address, for example http://127.0.0.1:8080
                          (see scripts/backend). Without it, a backend inside the program answers.
          --data DIR      Keep data in this folder; by default in $XDG_STATE_HOME/ModularSwift, usually
                          ~/.local/state/ModularSwift (macOS: ~/Library/Application Support/ModularSwift).
          --ephemeral     Keep data in memory, until the App ends.
          --flag NAME     Show the new version of a screen; count-words: notes with the number of words.
          --open URL      Open what a URL such as app://profile/bob leads to above the first screen;
                          --routes lists the kinds of URL.
          --output URL    Open a URL as --open does, and print the output of its destination as JSON when
                          the App ends.
          --send URL      Have the App that runs with the same data open a URL, and print the output of its
                          destination as JSON when the user is done. Exits with 1 when it was left without
                          an output or failed, 64 for an unknown URL, 69 where no App runs, 77 where the
                          user, the server or the App refuses.
          --no-wait       With --send, end as soon as the App has the URL.
          --restore FILE  Show the stack of screens that the file holds, if there is one, and keep the
                          stack and unsaved text there, always up to date; one App at a time can.
          --trace FILE    Write what the router does into the file, a line for each event; the key t shows
                          the last of them beside the screen.
          --check         Validate the graph of routes and services: a line for each problem and exit 1,
                          or one summary line and exit 0. Warnings do not fail it.
          --routes        List the routes: identifier, kind, type, module, URLs, aliases, deprecations.
          --services      List the services: type, lifetime, module entry, line of the registration.
          --json          List the routes or the services as JSON.
          --help          Print this text.

        Without --send, --check, --routes, --services and --help, the App runs: full-screen in a terminal;
        otherwise it reads one line for each action, so that a session can be piped in.
        """

    /// Reads the arguments that follow the program's name.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - environment: The variables that determine the default folder for data.
    /// - Throws: `ArgumentError` for the first argument that cannot be used.
    init(
        _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let options = try OptionList(
            arguments,
            flags: [
                "--check", "--ephemeral", "--routes", "--services", "--json", "--no-wait", "--help", "-h",
            ],
            valued: [
                "--backend": "an address", "--data": "a folder", "--flag": "a name", "--open": "a URL",
                "--output": "a URL", "--restore": "a file", "--send": "a URL", "--trace": "a file",
            ])
        let tasks = ["--open", "--output", "--restore", "--send", "--check", "--routes", "--services"].filter(
            options.contains)
        if tasks.count > 1 {
            throw ArgumentError("\(tasks[0]) and \(tasks[1]) cannot be used together")
        }
        let isJSON = options.contains("--json")
        if isJSON, !options.contains("--routes"), !options.contains("--services") {
            throw ArgumentError("--json requires --routes or --services")
        }
        if options.contains("--no-wait"), !options.contains("--send") {
            throw ArgumentError("--no-wait requires --send")
        }
        for option in ["--data", "--send"] where options.contains(option) && options.contains("--ephemeral") {
            throw ArgumentError("\(option) and --ephemeral cannot be used together")
        }
        dataPath =
            options.contains("--ephemeral")
            ? nil : try options.values["--data"].map(Self.folder) ?? Self.stateFolder(environment)
        backend = try options.values["--backend"].map(Self.backend)
        flag = try options.values["--flag"].map(Self.flag)
        tracePath = options.values["--trace"]
        let (launch, sentURL) = (try Self.launch(options), try Self.url(of: "--send", in: options))
        command =
            if options.contains("--help") || options.contains("-h") {
                .help
            } else if options.contains("--check") {
                .check
            } else if options.contains("--routes") {
                .listRoutes(asJSON: isJSON)
            } else if options.contains("--services") {
                .listServices(asJSON: isJSON)
            } else if let sentURL, let dataPath {
                .send(Call(url: sentURL, waits: !options.contains("--no-wait")), folder: dataPath)
            } else {
                .run(launch)
            }
    }

    /// The absolute path of a folder.
    private static func folder(_ path: String) throws -> String {
        if path.hasPrefix("/") { return URL(filePath: path).path }
        let current = FileManager.default.currentDirectoryPath
        // URL(filePath:) ends the program where the working directory was removed.
        guard !current.isEmpty else {
            throw UnusableInput("The data in \(path) cannot be used: the working directory was removed.")
        }
        return URL(filePath: "\(current)/\(path)").path
    }

    /// The system's default folder for a program's state.
    private static func stateFolder(_ environment: [String: String]) -> String {
        #if canImport(Darwin)
            URL.applicationSupportDirectory.appending(component: "ModularSwift").path
        #else
            // The XDG Base Directory Specification says to ignore relative paths.
            func absolute(_ name: String) -> String? {
                environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
            }
            // Foundation does not read HOME there.
            let state =
                absolute("XDG_STATE_HOME") ?? (absolute("HOME") ?? NSHomeDirectory()) + "/.local/state"
            return state + "/ModularSwift"
        #endif
    }

    private static func flag(_ name: String) throws -> Flag {
        guard let flag = Flag(rawValue: name) else {
            throw ArgumentError("--flag knows 'count-words', not '\(shortened(name))'")
        }
        return flag
    }

    private static func backend(_ text: String) throws -> URL {
        guard let parts = URLComponents(string: text), let url = parts.url,
            ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false,
            parts.user == nil,
            parts.query == nil, parts.fragment == nil,
            // A port that is too large for any number is none, but has its place in the text.
            parts.port.map((1...65535).contains) ?? (parts.rangeOfPort?.isEmpty ?? true)
        else {
            throw ArgumentError(
                "--backend needs an address such as http://127.0.0.1:8080, not '\(redacted(text))'")
        }
        return url
    }

    /// An address for a message, shortened and without the user name and password before its host.
    private static func redacted(_ text: String) -> String {
        guard let end = text.lastIndex(of: "@") else { return shortened(text) }
        let start = text.range(of: "://").map(\.upperBound) ?? text.startIndex
        return shortened((start < end ? text[..<start] : "") + "…" + text[end...])
    }

    private static func launch(_ options: OptionList) throws -> Launch {
        if let url = try url(of: "--open", in: options) { return .url(url) }
        if let url = try url(of: "--output", in: options) { return .output(url) }
        return options.values["--restore"].map { .stack(path: $0) } ?? .firstScreen
    }

    private static func url(of option: String, in options: OptionList) throws -> URL? {
        guard let text = options.values[option] else { return nil }
        guard let url = URL(string: text), url.scheme?.isEmpty == false,
            url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil
        else {
            throw ArgumentError("\(option) needs a URL such as app://profile/bob, not '\(redacted(text))'")
        }
        return url
    }
}

/// A new version of a screen.
enum Flag: String {
    /// The preview of a note with the number of words.
    case countWords = "count-words"
}

/// The options of a command line, not yet checked against each other.
struct OptionList {
    /// The options without a value that were given.
    private(set) var flags: Set<String> = []
    /// The values that were given, by option.
    private(set) var values: [String: String] = [:]

    /// Reads arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - flags: The options without a value.
    ///   - valued: The options with a value, and a description of it: "a file".
    /// - Throws: `ArgumentError` for the first argument that cannot be used.
    init(_ arguments: [String], flags: Set<String>, valued: [String: String]) throws {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            if flags.contains(argument) {
                self.flags.insert(argument)
            } else if let kind = valued[argument] {
                // A value that looks like an option is probably a mistake.
                guard let value = remaining.popFirst(), !value.isEmpty, !value.hasPrefix("-") else {
                    throw ArgumentError("\(argument) needs \(kind)")
                }
                guard values.updateValue(value, forKey: argument) == nil else {
                    throw ArgumentError("\(argument) was given twice")
                }
            } else {
                throw ArgumentError("unknown argument '\(shortened(argument))'")
            }
        }
    }

    /// Whether an option was given.
    func contains(_ option: String) -> Bool {
        flags.contains(option) || values[option] != nil
    }
}

/// A value for a message, in which the middle of a long one is left out.
func shortened(_ value: String) -> String {
    let scalars = value.unicodeScalars
    return scalars.count <= 200 ? value : "\(String(scalars.prefix(99)))…\(String(scalars.suffix(100)))"
}

/// An argument that cannot be used.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// An input that the command line names and that cannot be used.
struct UnusableInput: LocalizedError {
    let errorDescription: String?

    /// Describes what happened and why.
    init(_ description: String) { errorDescription = description }

    /// Describes what happened, and why.
    init(_ what: String, because reason: any Error) { self.init("\(what): \(Self.text(reason))") }

    private static func text(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "'\(key.stringValue)' is missing\(place(context))."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.debugDescription + place(context)
        default: error.localizedDescription
        }
    }

    /// The place in the input, such as ` (at entries[1].route)`; empty for the whole of it.
    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return path.isEmpty ? "" : " (at \(path))"
    }
}
