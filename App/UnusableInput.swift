import Foundation
import HTTPClientInterface

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
        guard let error = error as? DecodingError else { return error.localizedDescription }
        let (path, reason) = HTTP.explanation(of: error)
        return path.isEmpty ? reason : "\(reason) (at \(path))"
    }
}
