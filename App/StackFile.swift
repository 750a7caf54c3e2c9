import Foundation
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

/// Something that the command line names and that cannot be used.
struct UnusableInput: LocalizedError {
    let errorDescription: String?

    /// Describes what happened, and why.
    init(_ what: String, because reason: any Error) {
        errorDescription = "\(what): \(Self.text(reason))"
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "'\(key.stringValue)' is missing\(place(context))."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.debugDescription + place(context)
        case let error as CocoaError where error.underlying != nil:
            // What the system said is plainer than Foundation's "could not be completed".
            error.underlying?.localizedDescription ?? error.localizedDescription
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
