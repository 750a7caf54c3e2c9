import DisplayInterface
import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import RouterServiceInterface

/// A value for a message, without the middle of a long value.
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

/// An input of the command line that cannot be used.
struct UnusableInput: LocalizedError {
    let errorDescription: String?
    private(set) var status: Int32 = 1

    init(_ description: String) { errorDescription = description }

    /// Describes an error, and what to do about it where the error does not say so.
    init(_ description: String, because reason: any Error, remedy: String = "") {
        self.init("\(description): \(Self.text(reason))\(remedy)")
    }

    /// Describes a URL that cannot be opened.
    init(_ url: URL, because reason: any Error) {
        let url = shortened(url.absoluteString)
        if case RouterError.unknownURL(_, let nearest) = reason {
            let hint = nearest.map { " The nearest is '\($0)'." } ?? ""
            self.init("No route has the URL '\(url)'.\(hint) 'App --routes' lists the URLs.")
        } else {
            self.init("\(url) cannot be opened", because: reason)
        }
        status = 64
    }

    private static func text(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return errorMessage(of: error) }
        let (path, reason) = HTTP.explanation(of: error)
        return path.isEmpty ? reason : "\(path): \(reason)"
    }
}

/// The exit status of a program that ends with an error, or whose call fails with the error.
func exitStatus(of error: any Error) -> Int32 {
    switch error {
    case is ArgumentError: 64
    case let error as UnusableInput: error.status
    case is CallRefused, is FeatureFlags.Rejection, RouterError.rejected(.disabled, _): 77
    default: 1
    }
}

extension RouteCatalog {
    /// Reads a URL that the user named.
    ///
    /// - Throws: `UnusableInput` where the URL leads nowhere.
    func link(of url: URL) throws -> AnyRoute {
        do { return try route(for: url) } catch { throw UnusableInput(url, because: error) }
    }
}
