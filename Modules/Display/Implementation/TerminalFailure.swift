import Foundation

/// What can go wrong with a terminal itself.
enum TerminalFailure: Error, Equatable {
    /// `run()` was called before the first screen was shown.
    case nothingToShow
    /// Nobody reads the output any more.
    case outputClosed
    /// The output could not be written, with the system's `errno`.
    case writing(Int32)
    /// The terminal's settings could not be read or changed, with the system's `errno`.
    case settings(Int32)
}

extension TerminalFailure: LocalizedError {
    var errorDescription: String? {
        switch self {
        case .nothingToShow:
            "The terminal has nothing to show. Start the router with a route before the terminal runs."
        case .outputClosed:
            "Nobody reads the output any more."
        case .writing(let code):
            "The output cannot be written: \(String(cString: strerror(code))). Check where it is redirected to."
        case .settings(let code):
            "The terminal cannot be set up: \(String(cString: strerror(code))). Redirect the input to use lines."
        }
    }
}
