import RouterServiceInterface

/// Applies the server's rules to routes, whichever way they are opened, and has outdated ones fetched for the next.
///
/// A first screen is shown without asking the rules, so that no server keeps the App from starting.
struct ServerRules: Interceptor {
    @Dependency var configuration: ServerConfiguration

    func intercept(_ request: RouteRequest) -> Interception {
        configuration.refresh()
        let rule = configuration.current.rules[Identifier(type(of: request.route).identifier)]
        return request.style == .root ? .proceed : rule ?? .proceed
    }
}
