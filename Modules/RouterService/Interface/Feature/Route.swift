/// A value that names a destination, carries its parameters, and declares the output that its caller receives.
///
/// Routes are declared in interfaces, so that a module can lead to another without knowing how it works.
/// They are `Codable` because a backend, a URL or a restored session may send them.
public protocol Route: Codable, Hashable, Sendable {
    /// The output that the caller receives when the destination finishes; `Void` when nothing comes back.
    associatedtype Output: Sendable = Void

    /// The name under which the route travels in links, unique in a program, for example `"profile.overview"`.
    static var identifier: String { get }
}

/// A declaration of a module about a route, beside its handler: a feature, an action or an adapter.
public struct RouteOption<Destination, Handler> {
    // `Destination` need not be a `Route` here: Swift would search all conformances of the program for each that is registered.
    enum Content {
        case url(URLPattern)
        case alias(String, deprecated: String?)
        case fallback(any Route.Type, @MainActor (Destination) throws -> any Route)
    }

    let content: Content

    /// URLs of this shape open the route; the first pattern that can carry a route's values makes its URL.
    public static func url(_ pattern: URLPattern) -> Self { Self(content: .url(pattern)) }

    /// An identifier of older versions, whose links still open this route; with advice, such as "use 'profile.editor'",
    /// it is deprecated, and opening it is an event (`RouterEvent.deprecated`).
    public static func alias(_ identifier: String, deprecated advice: String? = nil) -> Self {
        Self(content: .alias(identifier, deprecated: advice))
    }
}

/// An option of a route for which a feature builds a screen.
public typealias FeatureOption<Destination: Route> = RouteOption<Destination, any Feature<Destination>>
/// An option of a route that an action or another module's route fulfils, and that is always available.
public typealias ActionOption<Destination: Route> = RouteOption<Destination, any Action<Destination>>

extension RouteOption where Destination: Route, Handler == any Feature<Destination> {
    /// The route that is opened where the feature is not available, as by ``Interception/redirect(to:)``.
    public static func fallback<Other: Route>(
        _ route: @escaping @MainActor (Destination) throws -> Other
    ) -> Self {
        Self(content: .fallback(Other.self, route))
    }
}

extension RouteOption where Destination: Route, Handler == any Action<Destination> {
    /// Not available: an action or an adapter is never switched off.
    @available(
        *, unavailable, message: "Only a feature has a fallback. Let an interceptor redirect the route of an action."
    )
    public static func fallback<Other: Route>(
        _ route: @escaping @MainActor (Destination) throws -> Other
    ) -> Self {
        Self(content: .fallback(Other.self, route))
    }
}
