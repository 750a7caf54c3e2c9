import Foundation
import RouterServiceImplementation
import RouterServiceInterface

/// A file in which the stack of screens outlives the program, as JSON.
struct StackFile {
    let path: String

    /// Reads the stack.
    ///
    /// - Returns: The stack; nil when there is no such file.
    /// - Throws: `UnusableInput` when the file cannot be read, or holds no stack that this version knows.
    func read(with routes: RouteCatalog) throws -> RouterSnapshot? {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        do {
            let stack = try decoder.decode(RouterSnapshot.self, from: Data(contentsOf: file))
            guard !stack.entries.isEmpty else { throw RouterError.emptyStack }
            return stack
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw UnusableInput("The stack in \(path) cannot be restored", because: error)
        }
    }

    /// Writes a stack, in place of what the file held.
    ///
    /// - Throws: `UnusableInput` when the file cannot be written; it is then as it was.
    func write(_ stack: RouterSnapshot) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try (encoder.encode(stack) + Data("\n".utf8)).write(to: file, options: .atomic)
        } catch {
            throw UnusableInput("The stack cannot be kept in \(path)", because: error)
        }
    }

    private var file: URL { URL(filePath: path) }
}
