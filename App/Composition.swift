import DisplayImplementation
import Foundation
import HTTPClientEmbedded
import HTTPClientImplementation
import LoginImplementation
import ProfileImplementation
import RouterServiceImplementation
import RouterServiceInterface

// snippet: modules
/// The modules of the App, alphabetical; no other file of the App imports an implementation.
///
/// - Parameter backend: The server to talk to, or nil for the one inside the program.
/// - Returns: The module entries, which the router lets register what they provide.
func modules(backend: URL?) -> [any Module] {
    [
        AppModule(server: backend),
        DisplayModule(),
        backend != nil ? HTTPClientModule() : EmbeddedHTTPClientModule(),
        LoginModule(),
        ProfileModule(),
    ]
}
// snippet: end

/// The router of the App, which has shown nothing yet.
@MainActor
func makeRouter(backend: URL?) -> any RunningRouter {
    #if LIVE
        RouterService(modules: modules(backend: backend) + [LiveModule()])
    #else
        RouterService(modules: modules(backend: backend))
    #endif
}
