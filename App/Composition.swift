import DisplayImplementation
import Foundation
import HTTPClientEmbedded
import HTTPClientImplementation
import LoginImplementation
import ProfileImplementation
import RouterServiceInterface

/// The modules of the App, alphabetical; the one place that knows implementations.
///
/// - Parameter backend: The server to talk to, or nil for the one inside the program.
/// - Returns: The module entries, which the router lets register what they provide.
func modules(backend: URL?) -> [any Module] {
    [
        DisplayModule(),
        backend.map { HTTPClientModule(baseURL: $0) } ?? EmbeddedHTTPClientModule(),
        LoginModule(),
        ProfileModule(),
    ]
}
