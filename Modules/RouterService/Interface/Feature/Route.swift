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

/// A declaration of a module about a route, beside its handler.
public enum RouteOption<Destination: Route> {
    /// URLs of this shape open the route; the first pattern that can carry a route's values makes its URL.
    case url(URLPattern)
    /// An identifier of older versions, whose links still open this route; with advice, such as "use 'profile.editor'",
    /// it is deprecated.
    case alias(String, deprecated: String? = nil)
    /// The route is deprecated, with advice; opening it by a link or a URL is an event (`RouterEvent.deprecated`).
    case deprecated(String)
    /// The route that is opened where the handler is not available; usually written as ``fallback(_:)``.
    case fallbackRoute(any Route.Type, @MainActor (Destination) throws -> any Route)
    /// Another version of the screen; usually written as ``version(by:)``.
    case versionFeature(any Any.Type, parameters: [any Any.Type], FeatureFactory<Destination>)

    /// The route that is opened where the handler is not available.
    ///
    /// A caller that waits receives the fallback's output where its type is the same, otherwise a `CancellationError`.
    public static func fallback<Other: Route>(
        _ route: @escaping @MainActor (Destination) throws -> Other
    ) -> RouteOption {
        .fallbackRoute(Other.self, route)
    }
}
