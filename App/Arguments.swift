import Foundation
import HTTPClientInterface
import RouterServiceInterface

struct Arguments {
    enum Command {
        case run(Launch, isTraced: Bool)
        case send(URL, folder: String)
        case serve(Serve)
        case check
        case listRoutes(asJSON: Bool)
        case help
    }

    let command: Command
    /// The server to talk to, or nil for the one inside the program.
    let backend: HTTP.Server?
    /// The folder in which data is kept.
    let dataPath: String
    /// Whether the folder is removed when the user quits.
    let isEphemeral: Bool

    static let hint = "The server inside the App knows ann and bob; their password is secret."

    static let usage = """
        usage: App [OPTION …] [--open URL | --restore FILE] [--trace]
               App [OPTION …] --check | --routes [--json]
               App [--data DIR] --send URL
               App [--data DIR] --serve [PORT] [--configuration FILE]
               App --help

        OPTION is --backend, --data or --ephemeral. Without --check, --routes, --send,
        --serve and --help, the App runs: full-screen in a terminal; otherwise it reads
        one line for each action, so that a session can be piped in.
        \(hint)

          --backend URL   Talk to the server at this address, for example
                          http://127.0.0.1:8080, where App --serve listens. Without
                          it, the server inside the App responds.
          --data DIR      Keep data in this folder; by default in
                          $XDG_STATE_HOME/ModularSwift, usually
                          ~/.local/state/ModularSwift (macOS:
                          ~/Library/Application Support/ModularSwift), and with --serve
                          in ModularSwift-Server beside it.
          --ephemeral     Keep data in a temporary folder, until the user quits.
          --open URL      Open what a URL such as app://profile/bob leads to above the
                          first screen; --routes lists the kinds of URL.
          --restore FILE  Show the stack of screens that the file holds, if there is
                          one, and keep the stack and unsaved text there, always up to
                          date; one App at a time can.
          --trace         Print what the router does on standard error, a line for
                          each event, as in App --trace 2>events; the key t shows the
                          last of them beside the screen.
          --check         Validate the graph of routes and services: a line for each
                          problem and exit 1, or one summary line and exit 0. Warnings
                          do not fail it.
          --routes        List the routes: identifier, kind, type, module, URLs.
          --json          List the routes as JSON.
          --send URL      Have the App that runs with the same data open a URL, and
                          print the output of its destination as JSON when the user is
                          done. Exits with 1 when it was left without an output or
                          failed, 64 for an unknown URL, 69 where no App runs or
                          accepts the call, 77 where the user, the server or the App
                          refuses.
          --serve [PORT]  Serve the server inside the App to other Apps of this computer
                          at this port, 8080 by default, 0 for a free one.
          --configuration FILE
                          With --serve, decide about flags and routes as this file
                          says, which is read for each App that asks.
          --help          Print this text.
        """

    /// The options that decide how the App is composed.
    private static let composition: Set = ["--backend", "--data", "--ephemeral"]
    /// Each task, with the other options that it takes.
    private static let tasks: KeyValuePairs = [
        "--open": composition.union(["--trace"]), "--restore": composition.union(["--trace"]),
        "--send": ["--data"],
        "--serve": ["--data", "--configuration"], "--check": composition,
        "--routes": composition.union(["--json"]),
        "--help": composition,
    ]

    /// Reads the arguments after the program's name.
    ///
    /// - Throws: `ArgumentError` for the first argument that cannot be used.
    init(
        _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let options = try OptionList(arguments)
        let task = try Self.task(of: options)
        isEphemeral = options.contains("--ephemeral")
        if isEphemeral, options.contains("--data") {
            throw ArgumentError("--data and --ephemeral cannot be used together")
        }
        let usual = Self.stateFolder(task == "--serve" ? "ModularSwift-Server" : "ModularSwift", environment)
        let temporary = FileManager.default.temporaryDirectory.appending(component: "\(UUID())").path
        dataPath = isEphemeral ? temporary : try options["--data"].map(Self.folder) ?? usual
        backend = try options["--backend"].map(Self.backend)
        let isTraced = options.contains("--trace")
        // On a terminal, the lines would be drawn over the screen.
        if isTraced, isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0 {
            throw ArgumentError(
                "--trace prints on standard error, which has to be redirected, as in App --trace 2>events")
        }
        command =
            switch task {
            case "--help": .help
            case "--check": .check
            case "--routes": .listRoutes(asJSON: options.contains("--json"))
            case "--send":
                .send(try Self.url(of: "--send", in: options), folder: dataPath)
            case "--serve":
                .serve(Serve(port: try Self.port(options), configuration: options["--configuration"]))
            case "--open": .run(.url(try Self.url(of: "--open", in: options)), isTraced: isTraced)
            default:
                .run(options["--restore"].map { .stack(path: $0) } ?? .firstScreen, isTraced: isTraced)
            }
    }

    /// The task that the options name, which has to take the other options.
    private static func task(of options: OptionList) throws -> String? {
        let named = tasks.filter { options.contains($0.key) }
        if named.count > 1 {
            throw ArgumentError("\(named[0].key) and \(named[1].key) cannot be used together")
        }
        let taken = named.first?.value ?? composition.union(["--trace"])
        for option in options.names where option != named.first?.key && !taken.contains(option) {
            if let task = named.first?.key {
                throw ArgumentError("\(task) and \(option) cannot be used together")
            }
            let takers = tasks.filter { $0.value.contains(option) }.map(\.key)
            throw ArgumentError("\(option) requires \(takers.joined(separator: " or "))")
        }
        return named.first?.key
    }

    /// The absolute path of a folder, which may not exist.
    private static func folder(_ path: String) throws -> String {
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || isFolder.boolValue
        else {
            throw UnusableInput(
                "The data in \(shortened(path)) cannot be used: this is a file. Name a folder.")
        }
        if path.hasPrefix("/") { return URL(filePath: path).path }
        let current = FileManager.default.currentDirectoryPath
        // URL(filePath:) ends the program where the working directory was removed.
        guard !current.isEmpty else {
            throw UnusableInput("The data in \(path) cannot be used: the working directory was removed.")
        }
        return URL(filePath: "\(current)/\(path)").path
    }

    /// A folder in the system's folder for the state of programs.
    private static func stateFolder(_ name: String, _ environment: [String: String]) -> String {
        #if canImport(Darwin)
            URL.applicationSupportDirectory.appending(component: name).path
        #else
            // The XDG Base Directory Specification says to ignore relative paths.
            func absolute(_ name: String) -> String? {
                environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
            }
            // Foundation does not read HOME there.
            let state =
                absolute("XDG_STATE_HOME") ?? (absolute("HOME") ?? NSHomeDirectory()) + "/.local/state"
            return "\(state)/\(name)"
        #endif
    }

    private static func backend(_ text: String) throws -> HTTP.Server {
        guard let server = HTTP.Server(text) else {
            throw ArgumentError(
                "--backend needs an address such as http://127.0.0.1:8080, without a user name")
        }
        return server
    }

    private static func port(_ options: OptionList) throws -> UInt16 {
        let text = options["--serve"] ?? ""
        guard let port = UInt16(text) else {
            throw ArgumentError("--serve needs a port from 0 to 65535, not '\(shortened(text))'")
        }
        return port
    }

    private static func url(of option: String, in options: OptionList) throws -> URL {
        let text = options[option] ?? ""
        guard let url = URL(string: text), url.scheme?.isEmpty == false,
            url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil
        else {
            throw ArgumentError("\(option) needs a URL such as app://profile/bob, without a user name")
        }
        return url
    }
}

/// The options of a command line, not yet checked against each other.
struct OptionList {
    /// What follows an option.
    private enum Value {
        case alone
        /// A value, with its description, such as "a file".
        case required(String)
        /// A value that may be left out, with its default.
        case optional(String)
    }

    private static let all: [String: Value] = [
        "--backend": .required("an address"), "--check": .alone, "--configuration": .required("a file"),
        "--data": .required("a folder"), "--ephemeral": .alone, "--help": .alone, "--json": .alone,
        "--open": .required("a URL"), "--restore": .required("a file"), "--routes": .alone,
        "--send": .required("a URL"), "--serve": .optional("8080"), "--trace": .alone,
    ]

    /// The options that were given, each with its value; empty where an option has none.
    private var values: [String: String] = [:]

    /// - Throws: `ArgumentError` for the first argument that cannot be used.
    init(_ arguments: [String]) throws {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            let option = argument == "-h" ? "--help" : argument
            switch Self.all[option] {
            case nil: throw ArgumentError("unknown argument '\(shortened(argument))'")
            case .alone: values[option] = ""
            case .required(let kind):
                // A value that looks like an option is probably a mistake.
                guard let value = remaining.popFirst(), !value.isEmpty, !value.hasPrefix("-") else {
                    throw ArgumentError("\(option) needs \(kind)")
                }
                try set(value, for: option)
            case .optional(let value):
                let isGiven = remaining.first?.hasPrefix("-") == false
                try set(isGiven ? remaining.removeFirst() : value, for: option)
            }
        }
    }

    private mutating func set(_ value: String, for option: String) throws {
        guard values[option] == nil else { throw ArgumentError("\(option) was given twice") }
        values[option] = value
    }

    subscript(option: String) -> String? { values[option] }

    /// The options that were given, in alphabetical order.
    var names: [String] { values.keys.sorted() }

    func contains(_ option: String) -> Bool { values[option] != nil }
}
