/// A value that names a destination, carries its parameters, and declares the output that its caller receives.
///
/// A route is declared in an interface, and `Codable` because a backend, a URL or a stored stack may send it.
public protocol Route: Codable, Hashable, Sendable {
    associatedtype Output: Sendable = Void

    /// The name under which the route travels in links, unique in a program, for example `"profile.overview"`.
    static var identifier: String { get }
}

/// A declaration about a route, beside its handler.
public struct RouteOption<Destination, Handler> {
    // `Destination` need not be a `Route` here: Swift would search all conformances of the program for each that is registered.
    enum Content {
        case url(String)
        case alias(String, deprecated: String?)
        case fallback(any Route.Type, @MainActor (Destination) throws -> any Route)
    }

    let content: Content

    /// URLs of a pattern such as `app://profile/:userID?tab` open the route; the first pattern that can carry a route's values
    /// makes its URL.
    ///
    /// ```
    /// pattern  =  scheme "://" host [ ":" port ] *( "/" segment ) [ "/" ] [ "?" parameter *( "&" parameter ) ]
    /// segment  =  text  |  ":" parameter
    /// ```
    ///
    /// A `text` stands for itself, percent-encoded or not. A parameter has the name of the route's coding key for it:
    /// letters, digits, `_`, `-` and `.`. A path has at most 64 segments. The values may be text, numbers, `true` and `false`
    /// (or `1` and `0`), enumerations with raw values, `UUID`, `URL`, `Decimal`, optionals of these, and types that are coded
    /// as one of them.
    ///
    /// The case of the scheme and the host, a slash at the end, the fragment, and query items that the pattern does not name
    /// do not matter. A segment that is empty, `.` or `..` matches nothing, because other programs rewrite such paths.
    ///
    /// Where several patterns match, the most specific one wins: segment by segment from the left, a text comes before a
    /// `:parameter`. Two patterns that differ only in the names of parameters, or in the query, are a conflict.
    public static func url(_ pattern: String) -> Self { Self(content: .url(pattern)) }

    /// An identifier of older versions, whose links still open this route.
    ///
    /// With advice, such as "use 'profile.editor'", it is deprecated, and opening it is an event (`RouterEvent.deprecated`).
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
        *, unavailable,
        message: "Only a feature has a fallback. Let an interceptor redirect the route of an action."
    )
    public static func fallback<Other: Route>(
        _ route: @escaping @MainActor (Destination) throws -> Other
    ) -> Self {
        Self(content: .fallback(Other.self, route))
    }
}
