#if Live
    // The program's side of scripts/live. This file knows nothing of the App, because scripts/module makes it a part of programs
    // of one feature.

    import DisplayInterface
    import Foundation
    import Observation
    import RouterServiceInterface
    import RouterServiceProgram

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// A message of scripts/live, a line of JSON for each.
    private enum LiveCommand: Decodable {
        /// The first message: shows a stack, or follows the arguments.
        case resume(snapshot: String?, notice: String?)
        /// Replaces modules with the modules in libraries, all or none.
        case replace(number: Int, libraries: [String])
        /// Shows a notice for a moment.
        case notice(text: String, role: Display.Role)
        /// Shows why the current sources do not run; nil when they run again.
        case problem(text: String?)
    }

    /// A message of the program to scripts/live, a line of JSON for each.
    private enum LiveReport: Encodable {
        /// Modules were replaced; the modules in the unused libraries are not part of this program.
        case replaced(number: Int, unused: [String])
        case failed(number: Int, error: String)
        /// State that could not be carried over, and the reason.
        case startedFresh(what: String, reason: String)
        /// The user asks for a build and a restart.
        case restart
        /// The stack with all states, which may only be kept in memory.
        case snapshot(String)
    }

    extension ProgramRouter {
        /// Runs a program with this router, and handles the messages of scripts/live meanwhile, if scripts/live started it.
        ///
        /// The argument of `run` restores the stack of the last run while the terminal runs; nil where the arguments specify what
        /// is shown.
        func runLive(_ run: @MainActor (Display.Action?) async throws -> Void) async throws {
            guard let connection = LiveConnection() else { return try await run(nil) }
            let commands = connection.commands()
            let first = await commands.first { @Sendable _ in true }
            guard case .resume(let snapshot, let notice) = first else { return try await run(nil) }
            let dialog = try revealingInput { try resolve((any Display.Dialog).self) }
            let status = try resolve(LiveStatus.self)
            try resolve(LiveKeys.self).send = connection.send
            let events = events()
            let reporting = Task {
                for await case .startedFresh(let type, let error) in events {
                    connection.send(.startedFresh(what: "\(type)", reason: "\(error)"))
                }
            }
            let handling = Task {
                for await command in commands {
                    switch command {
                    case .resume: break
                    case .notice(let text, let role): dialog.notify(text, as: role)
                    case .problem(let text): status.problem = text
                    case .replace(let number, let libraries):
                        connection.send(await replaceModules(from: libraries, for: number))
                    }
                }
            }
            defer {
                handling.cancel()
                reporting.cancel()
            }
            let (text, role) = notice.map { ($0, Display.Role.positive) } ?? (LiveKeys.help, .accent)
            guard let snapshot else {
                dialog.notify(text, as: role)
                connection.sendStacks(of: self)
                return try await run(nil)
            }
            let stack: RouterSnapshot?
            do {
                stack = try RouterSnapshot(json: Data(snapshot.utf8), with: catalog)
            } catch {
                connection.send(.startedFresh(what: "The App", reason: "\(error)"))
                stack = nil
            }
            try await run {
                // Until the stack is restored, scripts/live holds more than is shown.
                defer {
                    connection.sendStacks(of: self)
                    dialog.notify(text, as: role)
                }
                if let stack { try await self.restore(stack) }
            }
        }
    }

    /// Has the terminal read its settings while it echoes input, which scripts/live hides between two runs.
    private func revealingInput<Value>(_ read: () throws -> Value) rethrows -> Value {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0, settings.c_lflag & tcflag_t(ECHO) == 0 else {
            return try read()
        }
        settings.c_lflag |= tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        defer {
            settings.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        return try read()
    }

    extension ProgramRouter {
        /// Replaces the router's modules with the modules in libraries, all or none.
        fileprivate func replaceModules(from libraries: [String], for number: Int) async -> LiveReport {
            do {
                // All libraries are loaded before any is used.
                var loaded = try libraries.map { (library: $0, module: try LoadedModule.load($0)) }
                var unused: [String] = []
                while !loaded.isEmpty {
                    do {
                        try await replace(loaded.map(\.module))
                        break
                    } catch ReplacementError.unknownModule(let name) {
                        unused += loaded.filter { TypeKey(type(of: $0.module)) == name }.map(\.library)
                        loaded.removeAll { TypeKey(type(of: $0.module)) == name }
                    }
                }
                return .replaced(number: number, unused: unused)
            } catch {
                return .failed(number: number, error: errorMessage(of: error))
            }
        }
    }

    /// A module that was compiled while the program runs; its library stays loaded for screens of the old version.
    @MainActor
    private enum LoadedModule {
        /// The function of the library that stores the module at an address.
        private typealias Entry = @convention(c) (UnsafeMutableRawPointer) -> Void

        /// - Throws: `UnusableLibrary` with the linker's reason.
        static func load(_ library: String) throws -> any Module {
            guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else { throw failure(library) }
            guard let symbol = dlsym(handle, "swiftmodules_live_module") else { throw failure(library) }
            let entry = unsafeBitCast(symbol, to: Entry.self)
            var module: (any Module)?
            withUnsafeMutablePointer(to: &module) { entry(UnsafeMutableRawPointer($0)) }
            guard let module else { throw UnusableLibrary(errorDescription: "\(library) holds no module.") }
            return module
        }

        private static func failure(_ library: String) -> UnusableLibrary {
            let reason = dlerror().map { String(cString: $0) } ?? "The reason is unknown."
            return UnusableLibrary(errorDescription: "\(library) cannot be loaded: \(reason)")
        }
    }

    /// A library that holds no module that this program can load.
    private struct UnusableLibrary: LocalizedError {
        let errorDescription: String?
    }

    /// The socket that the program inherits from scripts/live.
    private struct LiveConnection: Sendable {
        private let socket: FileHandle

        /// Opens the socket whose descriptor the environment names; nil where it names none.
        init?() {
            guard let text = ProcessInfo.processInfo.environment["SWIFTMODULES_LIVE"],
                let descriptor = Int32(text), fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
            else { return nil }
            // The end of scripts/live must not end the program before the terminal is restored.
            signal(SIGPIPE, SIG_IGN)
            socket = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        }

        /// Streams the messages until scripts/live ends, which ends the program, even if the program hangs.
        func commands() -> AsyncStream<LiveCommand> {
            let (commands, continuation) = AsyncStream.makeStream(of: LiveCommand.self)
            Thread.detachNewThread { [self] in
                var buffer = Data()
                while let piece = receive(from: socket.fileDescriptor) {
                    buffer += piece
                    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                        if let command = try? JSONDecoder().decode(LiveCommand.self, from: buffer[..<end]) {
                            continuation.yield(command)
                        }
                        buffer = Data(buffer[(end + 1)...])
                    }
                }
                continuation.finish()
                // The terminal restores itself before this signal ends the program.
                kill(getpid(), SIGTERM)
            }
            return commands
        }

        /// Waits for bytes; nil after the last of them.
        ///
        /// A signal does not end the wait, as it ends that of `FileHandle.availableData` and with it the program.
        private func receive(from descriptor: Int32) -> Data? {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                if count > 0 { return Data(bytes[..<count]) }
                if count == 0 || errno != EINTR { return nil }
            }
        }

        @MainActor
        func sendStacks(of router: any ProgramRouter) {
            _ = observeStack(of: router, including: .memory) { stack in
                guard let text = try? JSONEncoder().encode(stack) else { return }
                send(.snapshot(String(decoding: text, as: UTF8.self)))
            }
        }

        /// Sends a message, unless scripts/live has ended.
        func send(_ report: LiveReport) {
            guard let line = try? JSONEncoder().encode(report) else { return }
            try? socket.write(contentsOf: line + Data("\n".utf8))
        }
    }

    /// Registers the keys and the status of scripts/live, which the program shows in place of its own status.
    struct LiveModule: Module {
        func register(in registrar: Registrar) {
            registrar.register(LiveStatus.self, lifetime: .singleton, by: LiveStatus.init)
            registrar.register(LiveKeys.self, lifetime: .singleton, by: LiveKeys.init)
            registrar.register((any Display.Shortcuts).self, lifetime: .singleton) {
                (keys: LiveKeys) in keys
            }
        }
    }

    /// The problem that keeps the current sources from running, or the program's own status.
    @Observable
    @MainActor
    final class LiveStatus: Display.Status {
        /// The program's own status; nil where it has none.
        var usual: (any Display.Status)?
        fileprivate(set) var problem: String?

        var fact: Display.Fact? { problem.map { Display.Fact("✗ \($0)", .negative) } ?? usual?.fact }
        var about: [String] { usual?.about ?? [] }
    }

    /// The key of scripts/live: Ctrl-T builds and restarts.
    @MainActor
    final class LiveKeys: Display.Shortcuts {
        fileprivate static let help = "Edits appear here. Ctrl-T restarts."
        fileprivate var send: (LiveReport) -> Void = { _ in }

        func press(control letter: Character) {
            if letter == "t" { send(.restart) }
        }
    }
#endif
