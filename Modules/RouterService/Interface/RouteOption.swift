public import Foundation

/// What a module says of a route beside its handler.
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
    /// What is opened where the handler is not enabled; usually written as ``fallback(_:)``.
    case fallback(to: any Route.Type, by: @MainActor (Destination) throws -> any Route)
    /// This handler wins where another one is registered for the same route or the same identifier.
    case overriding
    /// The route still works, but callers should use something else, which the text names.
    case deprecated(String)
    /// The output can be asked for by URL, as JSON; usually written as `remote`.
    case encodedOutput(@Sendable (Destination.Output) throws -> Data)

    /// The route that is opened where the handler is not enabled.
    ///
    /// A caller that waits receives the fallback's output where its type is the same, and a `CancellationError`
    /// when it ends otherwise. The fallback's own availability is asked too.
    public static func fallback<Other: Route>(
        _ route: @escaping @MainActor (Destination) throws -> Other
    ) -> RouteOption {
        .fallback(to: Other.self, by: route)
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
