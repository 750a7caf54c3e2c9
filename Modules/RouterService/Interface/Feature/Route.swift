/// A value that names a destination, carries its parameters, and declares the output that its caller receives.
///
/// A route is `Codable` because a backend, a URL or a stored stack may send it.
public protocol Route: Codable, Hashable, Sendable {
    associatedtype Output: Sendable = Void

    /// The name under which the route travels in links, unique in a program, for example `"profile.overview"`.
    static var identifier: String { get }
}

/// A declaration about a route, beside its handler.
public struct RouteOption<Destination, Handler> {
    // Where `Destination` was a `Route`, Swift would search all conformances of the program for each registration.
    enum Content {
        case url(String)
        case fallback(any Route.Type, @MainActor (Destination) throws -> any Route)
    }

    let content: Content

    /// URLs of a pattern such as `app://profile/:userID?tab` open the route; the first pattern that can carry a route's values
    /// makes its URL.
    ///
    /// A parameter is named by the route's coding key for it: letters, digits, `_`, `-` and `.`. Its value may be text, a number,
    /// `true` or `false` (or `1` or `0`), an enumeration with raw values, a `UUID`, a `URL`, a `Decimal`, an optional of these,
    /// or a type that is coded as one of them. Where several patterns match, the most specific pattern wins: segment by segment
    /// from the left, a text comes before a `:parameter`. A path has at most 64 segments. Two patterns that differ only in the
    /// names of parameters, or in the query, are a conflict. <doc:ReadingAndWritingLinks> has more.
    public static func url(_ pattern: String) -> Self { Self(content: .url(pattern)) }
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
        *, unavailable,
        message: "Only a feature has a fallback. Let an interceptor redirect the route of an action."
    )
    public static func fallback<Other: Route>(
        _ route: @escaping @MainActor (Destination) throws -> Other
    ) -> Self {
        Self(content: .fallback(Other.self, route))
    }
}
