import FeatureFlagsInterface
public import RouterServiceInterface

/// Registers the values of flags, and the rules for routes, which the server decides.
public struct FeatureFlagsModule: Module {
    public init() {}

    /// Registers the values, the events after which they are fetched, the rules for routes, and the event after which no
    /// rule is followed.
    public func register(in registrar: Registrar) {
        registrar.prepare(ServerConfiguration.self) {
            let configuration = ServerConfiguration(
                client: $0, stores: $1, flags: $2, overrides: $3, exemptRoutes: $4, routes: $5, router: $6)
            await configuration.readKept()
            return configuration
        }
        registrar.register((any FeatureFlags.Values).self) { (configuration: ServerConfiguration) in
            configuration
        }
        registrar.intercept(.all, phase: .rules, by: ServerRules.init)
        // What a listener throws is in the trace.
        registrar.listen(to: FeatureFlags.Outdated.self) { (_, configuration: ServerConfiguration) in
            try await configuration.fetch()
        }
        registrar.listen(to: RedirectCycle.self) { (cycle, configuration: ServerConfiguration) in
            try await configuration.refuseRules(leadingTo: cycle)
        }
    }
}

/// Applies the server's rules to routes, whichever way they are opened, and has outdated ones fetched for the next.
///
/// A first screen is shown without asking the rules, so that no server keeps the App from starting.
struct ServerRules: Interceptor {
    let configuration: ServerConfiguration

    func intercept(_ request: RouteRequest) -> Interception {
        configuration.refresh()
        let rule = configuration.current.rules[type(of: request.route).identifier]
        return request.style == .root ? .proceed : rule ?? .proceed
    }
}
