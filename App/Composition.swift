import DisplayImplementation
import Foundation
import HTTPClientEmbedded
import HTTPClientImplementation
import LoginImplementation
import LoginInterface
import ProfileImplementation
import ProfileInterface
import RouterServiceInterface

// snippet: modules
/// The modules of the App, alphabetical; the one place that knows implementations.
///
/// - Parameter backend: The server to talk to, or nil for the one inside the program.
/// - Returns: The module entries, which the router lets register what they provide.
func modules(backend: URL?) -> [any Module] {
    [
        AppModule(),
        DisplayModule(),
        backend.map { HTTPClientModule(baseURL: $0) } ?? EmbeddedHTTPClientModule(),
        LoginModule(),
        ProfileModule(),
    ]
}
// snippet: end

/// The routes that the interfaces declare, alphabetical by module; `--check` reports those that nobody handles.
let declaredRoutes: [any Route.Type] = Login.routes + Profile.routes
