public import Foundation

/// The types of routes by their identifiers, for decoders of links, and the routes' URLs.
///
/// The router registers its own catalog as a service of type `any RouteCatalog`. It follows the router: when a module is
/// replaced, it knows the routes of the new one.
public protocol RouteCatalog: Sendable {
    /// Returns the type of route that an identifier or alias stands for.
    ///
    /// - Throws: `DecodingError` where no route has that name.
    func routeType(for identifier: String) throws -> any Route.Type

    /// Reads the route of a URL, by the most specific pattern that matches.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)`` where no pattern matches; `DecodingError` with the parameter's
    ///   name as its coding path where the route cannot take a value.
    func route(for url: URL) throws -> AnyRoute

    /// Writes a route as a URL: by the first of its patterns that can carry all its values and leads back to it.
    ///
    /// - Throws: ``RouterError/noURL(route:reason:)`` where no pattern can, `EncodingError` with the value's coding path
    ///   where a value cannot stand in any URL, and the error of the route's own `encode(to:)`.
    func url(for route: some Route) throws -> URL
}
