import DisplayInterface
import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import RouterServiceInterface

/// A value for a message, in which the middle of a long one is left out.
func shortened(_ value: String) -> String {
    let scalars = value.unicodeScalars
    return scalars.count <= 200 ? value : "\(String(scalars.prefix(99)))…\(String(scalars.suffix(100)))"
}

/// An argument that cannot be used.
struct ArgumentError: LocalizedError {
    let errorDescription: String?

    init(_ description: String) {
        errorDescription = "\(Display.PlainText.line(description)). 'App --help' lists the options."
    }
}

/// An input that the command line names and that cannot be used.
struct UnusableInput: LocalizedError {
    let errorDescription: String?
    /// The exit status of a program that ends with it.
    private(set) var status: Int32 = 1

    /// Describes what happened and why.
    init(_ description: String) { errorDescription = description }

    /// Describes what happened, and why.
    init(_ what: String, because reason: any Error) { self.init("\(what): \(Self.text(reason))") }

    /// Describes a URL whose values cannot be read.
    init(_ url: URL, because reason: DecodingError) {
        self.init("\(shortened(url.absoluteString)) cannot be opened", because: reason)
        status = 64
    }

    /// Describes a URL whose destination was left without an output.
    init(withoutOutput url: URL) { self.init("\(shortened(url.absoluteString)) was left without an output.") }

    private static func text(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return errorMessage(of: error) }
        let (path, reason) = HTTP.explanation(of: error)
        return path.isEmpty ? reason : "\(reason) (at \(path))"
    }
}

/// The exit status of a program that ends with an error, or whose call another one answers with it.
func exitStatus(of error: any Error) -> Int32 {
    switch error {
    case is ArgumentError, RouterError.unknownURL: 64
    case let error as UnusableInput: error.status
    case is CallRefused, is FeatureFlags.Rejection, RouterError.rejected(.disabled, _): 77
    default: 1
    }
}

extension RouteCatalog {
    /// Reads a URL that the user named.
    ///
    /// - Throws: The reason why it leads nowhere.
    func link(of url: URL) throws -> AnyRoute {
        do {
            return try route(for: url)
        } catch let error as DecodingError {
            throw UnusableInput(url, because: error)
        }
    }
}
