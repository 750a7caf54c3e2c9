import DisplayInterface
import Foundation
import RouterServiceInterface
import RouterServiceProgram

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file of the router's events, one per line.
@MainActor
final class TraceFile {
    private let path: String
    private let file: FileHandle
    private var failure: UnusableInput?

    /// Empties the file, or creates it, readable by its owner only.
    ///
    /// - Throws: `UnusableInput` when the file cannot be written, is the file of the stack, or is used by another App.
    init(path: String, besides stackPath: String?) throws {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw Self.unusable(path, "\(String(cString: strerror(errno))).") }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var (status, stackStatus) = (stat(), stat())
        if let stackPath, fstat(descriptor, &status) == 0, stat(stackPath, &stackStatus) == 0,
            (status.st_dev, status.st_ino) == (stackStatus.st_dev, stackStatus.st_ino)
        {
            throw Self.unusable(path, "the stack of --restore is kept in this file.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw Self.unusable(path, "Another App uses this file. Name another one.")
        }
        ftruncate(descriptor, 0)
    }

    /// Writes a line, unless a line could not be written before.
    func write(_ text: String) {
        guard failure == nil else { return }
        do {
            try file.write(contentsOf: Data("\(Display.PlainText.line(text))\n".utf8))
        } catch {
            failure = Self.unusable(path, errorMessage(of: error))
        }
    }

    /// - Throws: `UnusableInput` when a line could not be written.
    func finish() throws {
        if let failure { throw failure }
    }

    private static func unusable(_ path: String, _ reason: String) -> UnusableInput {
        UnusableInput("The trace cannot be written to \(shortened(path)): \(reason)")
    }
}

/// Prints a router's events, one per line.
@MainActor
enum Trace {
    /// Runs some work, and prints all events of the router meanwhile.
    static func of<Output: Sendable>(
        _ router: any ProgramRouter, print: @escaping @MainActor (String) -> Void,
        while work: @escaping @MainActor () async throws -> Output
    ) async throws -> Output {
        let events = router.events()
        let printing = Task {
            for await event in events { print(event.description) }
        }
        let result = await Task { try await work() }.result
        // The cancelled loop still receives the events so far.
        printing.cancel()
        await printing.value
        return try result.get()
    }
}
