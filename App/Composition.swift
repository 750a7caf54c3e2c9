import DisplayImplementation
import FeatureFlagsImplementation
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
/// Without a backend, they talk to the server inside the program.
func modules(backend: HTTP.Server?, dataPath: String) -> [any Module] {
    [
        AppModule(server: backend, dataPath: dataPath),
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

@MainActor
func makeRouter(backend: HTTP.Server?, dataPath: String) -> any ProgramRouter {
    RouterService(modules: modules(backend: backend, dataPath: dataPath))
}

/// Serves the server inside the App over HTTP until the program ends.
///
/// - Returns: The port.
func serve(on port: UInt16, with stores: any Storage.Stores, configuration: String?) async throws -> UInt16 {
    try await EmbeddedHTTPClientModule.serve(on: port, with: stores, configuration: configuration)
}
