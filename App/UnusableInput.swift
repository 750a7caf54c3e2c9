import Foundation

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
