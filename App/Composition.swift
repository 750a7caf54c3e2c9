import DisplayImplementation
import FeatureFlagsImplementation
import FeatureFlagsInterface
import HTTPClientEmbedded
import HTTPClientImplementation
import HTTPClientInterface
import HomeImplementation
import LoginImplementation
import NotesImplementation
import ProfileImplementation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import StorageImplementation
import StorageInterface

/// The modules of the App, alphabetical; no other file of the App imports an implementation.
///
/// - Parameters:
///   - backend: The server to talk to, or nil for the one inside the program.
///   - dataPath: The folder in which data is kept, or nil to keep it in memory.
///   - flags: The flags that the user sets, over what the server decides.
/// - Returns: The module entries, which the router lets register what they provide.
func modules(backend: HTTP.Server?, dataPath: String?, flags: [FeatureFlags.Override] = []) -> [any Module] {
    [
        AppModule(server: backend, dataPath: dataPath, flags: flags),
        DisplayModule(),
        FeatureFlagsModule(),
        HomeModule(),
        backend != nil ? HTTPClientModule() : EmbeddedHTTPClientModule(),
        LoginModule(),
        NotesModule(),
        ProfileModule(),
        StorageModule(),
    ]
}

/// The router of the App, which has shown nothing yet.
@MainActor
func makeRouter(
    backend: HTTP.Server?, dataPath: String?, flags: [FeatureFlags.Override] = []
) -> any ProgramRouter {
    RouterService(modules: modules(backend: backend, dataPath: dataPath, flags: flags))
}

/// Serves the server inside the App over HTTP, until the program ends, with one of the stores for its data.
///
/// - Returns: The port.
func serve(on port: UInt16, with stores: any Storage.Stores, configuration: String?) async throws -> UInt16 {
    try await EmbeddedHTTPClientModule.serve(on: port, with: stores, configuration: configuration)
}
