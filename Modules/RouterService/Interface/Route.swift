public import Foundation

/// A value that names a destination, carries what the destination needs, and declares what its caller gets back.
///
/// Routes are declared in interfaces, so that a module can lead to another one without knowing how it works.
/// They are `Codable` because a backend, a URL or a restored session may send them.
public protocol Route: Codable, Hashable, Sendable {
    /// What the caller receives when the destination finishes; `Void` when nothing comes back.
    associatedtype Output: Sendable = Void

    /// The name under which the route travels in links, unique in a program, for example `"profile.overview"`.
    static var identifier: String { get }
}

/// What a module declares about a route beside its handler.
///
/// ```swift
/// registrar.route(
///     Profile.Editor.self, .url("app://profile/:user/edit"), .alias("profile.edit"),
///     .fallback { Profile.Overview(user: $0.user) }, by: EditorFeature.init)
/// ```
public enum RouteOption<Destination: Route> {
    /// URLs of this shape open the route; the first pattern that can carry a route's values makes its URL.
    case url(URLPattern)
    /// An identifier of older versions, whose links still open this route.
    case alias(String)
    /// This handler wins where another one is registered for the same route or the same identifier.
    case overriding
    /// The route still works, but callers should use something else, which the text names.
    case deprecated(String)
    /// The route that is opened where the handler is not available; usually written as ``fallback(_:)``.
    case fallbackRoute(any Route.Type, @MainActor (Destination) throws -> any Route)
    /// Whether the handler is available, asked before it is created; usually written as ``available(_:)``.
    case condition([any Any.Type], @MainActor (any DependencyResolver) throws -> Bool)
    /// The output can be asked for by URL, as JSON; usually written as `remote`.
    case encodedOutput(@Sendable (Destination.Output) throws -> Data)

    /// The route that is opened where the handler is not available.
    ///
    /// A caller that waits receives the fallback's output where its type is the same, and a `CancellationError`
    /// when it ends otherwise. The fallback's own availability is asked too.
    public static func fallback<Other: Route>(
        _ route: @escaping @MainActor (Destination) throws -> Other
    ) -> RouteOption {
        .fallbackRoute(Other.self, route)
    }

    /// Whether the handler is available, from services: `.available { (flags: any Flags) in flags.hasEditor }`.
    ///
    /// It is asked before the handler is created; `isEnabled(for:)` is for what depends on the route's values.
    public static func available<each Parameter>(
        _ condition: @escaping @MainActor (repeat each Parameter) throws -> Bool
    ) -> RouteOption {
        .condition(parameterTypes(repeat (each Parameter).self)) { resolver in
            try condition(repeat try resolver.resolve((each Parameter).self))
        }
    }
}

extension RouteOption where Destination.Output: Encodable {
    /// Lets the route be performed by URL, for its output as JSON.
    public static var remote: RouteOption {
        .encodedOutput { output in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(output)
        }
    }
}

extension RouteOption where Destination.Output == Void {
    /// Lets the route be performed by URL; `null` stands for its output.
    public static var remote: RouteOption {
        .encodedOutput { Data("null".utf8) }
    }
}
