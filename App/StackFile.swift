import Foundation
import Observation
import RouterServiceInterface

/// A file in which the stack of screens outlives the program, as JSON; of one App at a time.
@MainActor
final class StackFile {
    private let path: String
    private let descriptor: Int32
    /// What the file holds.
    private var content: Data
    private var keeping: Task<Void, Never>?

    /// Opens the file and locks it until the program ends; a new one only its owner may read.
    ///
    /// - Throws: `UnusableInput` when the file cannot be read and written, or another App uses it.
    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        content = Data()
        guard descriptor >= 0 else { throw Self.unusable(path, Self.systemError) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.unusable(path, "It is not a file.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw Self.unusable(path, "Another App uses this file. Quit that one, or name another file.")
        }
        do {
            content = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
        } catch {
            throw UnusableInput("The stack in \(path) cannot be restored", because: error)
        }
    }

    deinit { close(descriptor) }

    /// Reads the stack.
    ///
    /// - Returns: The stack; nil when the file is empty, as a new one is.
    /// - Throws: `UnusableInput` when the file holds no stack that this version knows.
    func read(with routes: RouteCatalog) throws -> RouterSnapshot? {
        if content.isEmpty { return nil }
        do {
            let stack = try RouterSnapshot(json: content, with: routes).storable
            guard !stack.entries.isEmpty else { throw RouterError.emptyStack }
            return stack
        } catch {
            throw UnusableInput("The stack in \(path) cannot be restored", because: error)
        }
    }

    /// Keeps what a router shows in the file, as soon as that is something and after each change: whatever ends the program, a signal or a
    /// closed terminal, finds it there.
    func keep(_ router: any RunningRouter) {
        // A file that cannot be written is reported in the end.
        keeping = follow(router) { [weak self] stack in try? self?.write(stack) }
    }

    /// Ends the keeping, if it has begun, with what the router shows now.
    ///
    /// - Throws: `UnusableInput` when the file cannot be written; it is then as it was.
    func finish(_ router: any RunningRouter) throws {
        guard let keeping else { return }
        keeping.cancel()
        try write(router.snapshot)
    }

    /// Writes a stack in place of what the file held.
    ///
    /// The file itself is written, so that it stays what it is: its mode, its lock, what links to it. White space behind
    /// JSON means nothing; with it, the file grows before the one call that exchanges the content and shrinks after it, and
    /// a program that is killed leaves the old stack or the new one.
    private func write(_ stack: RouterSnapshot) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let new = try encoder.encode(stack) + Data("\n".utf8)
        guard new != content else { return }
        let space = Data(repeating: UInt8(ascii: "\n"), count: abs(new.count - content.count))
        if new.count > content.count, !put(space, at: content.count) {
            let reason = Self.systemError
            ftruncate(descriptor, off_t(content.count))
            throw Self.unusable(path, reason)
        }
        guard put(new.count < content.count ? new + space : new, at: 0) else {
            throw Self.unusable(path, Self.systemError)
        }
        ftruncate(descriptor, off_t(new.count))
        content = new
    }

    private func put(_ data: Data, at offset: Int) -> Bool {
        data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) } == data.count
    }

    private static func unusable(_ path: String, _ reason: String) -> UnusableInput {
        UnusableInput("The stack cannot be kept in \(path): \(reason)")
    }

    private static var systemError: String { "\(String(cString: strerror(errno)))." }
}

extension RouterSnapshot {
    /// Reads a stack from JSON.
    ///
    /// - Throws: `DecodingError` where it is none that this version knows.
    init(json: Data, with routes: RouteCatalog) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        self = try decoder.decode(RouterSnapshot.self, from: json)
    }
}

/// Hands what a router shows to a function, as soon as that is something and after each change.
///
/// - Returns: The task, to be cancelled.
@MainActor
func follow(
    _ router: any RunningRouter, including scope: StateScope = .file,
    _ receive: @escaping @MainActor (RouterSnapshot) -> Void
) -> Task<Void, Never> {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let events = router.events()
    let forwarding = Task { for await _ in events { change.yield() } }
    return Task {
        defer { forwarding.cancel() }
        change.yield()
        for await _ in changes {
            // Drafts change without an event; what was read here is observed once.
            let stack = withObservationTracking {
                router.snapshot(including: scope)
            } onChange: {
                change.yield()
            }
            if !stack.entries.isEmpty { receive(stack) }
        }
    }
}

/// Something that the command line names and that cannot be used.
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

    /// Where in the input, such as ` (at entries[1].route)`; empty for the whole of it.
    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return path.isEmpty ? "" : " (at \(path))"
    }
}
