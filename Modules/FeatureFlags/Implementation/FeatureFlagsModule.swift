import FeatureFlagsInterface
public import RouterServiceInterface

/// Registers the values of flags, and the rules for routes, which the server decides.
public struct FeatureFlagsModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.prepare(ServerConfiguration.self) {
            let configuration = ServerConfiguration(client: $0, stores: $1, routes: $2, router: $3)
            await configuration.readKept()
            return configuration
        }
        registrar.register((any FeatureFlags.Values).self) { (configuration: ServerConfiguration) in
            configuration
        }
        registrar.intercept(.all, phase: .rules, by: ServerRules.init)
        // The trace shows the errors that a listener throws.
        registrar.listen(to: FeatureFlags.Outdated.self) { (_, configuration: ServerConfiguration) in
            try await configuration.fetch()
        }
    }
}

/// Applies the server's rules to routes, and has outdated rules fetched for the next route.
///
/// A first screen is shown whatever the rules are, so that no server keeps the App from starting.
struct ServerRules: Interceptor {
    let configuration: ServerConfiguration

    func intercept(_ request: RouteRequest) -> Interception {
        configuration.refresh()
        let rule = configuration.current.rules[type(of: request.route).identifier]
        return request.style == .root ? .proceed : rule ?? .proceed
    }
}
