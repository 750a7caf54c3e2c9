import DisplayInterface
import Foundation
import RouterServiceInterface

/// A file of the router's events, one per line.
@MainActor
struct TraceFile {
    private let file: FileHandle

    /// Empties the file, or creates it, readable by its owner only.
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

    /// Writes a line; it is lost if the file cannot be written.
    func write(_ text: String) {
        try? file.write(contentsOf: Data("\(Display.PlainText.line(text))\n".utf8))
    }
}

/// Prints a router's events, one per line.
@MainActor
enum Trace {
    /// Runs some work, and prints the router's events meanwhile; all of them before this returns or throws.
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
