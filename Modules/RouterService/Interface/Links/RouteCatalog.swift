public import Foundation

/// The types of routes by their identifiers, for decoders of links, and the URLs of routes; a service that the router registers.
public protocol RouteCatalog: Sendable {
    /// - Throws: `DecodingError` where no route has the identifier.
    func routeType(for identifier: String) throws -> any Route.Type

    /// Reads the route of a URL, by the most specific pattern that matches.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)`` where no pattern matches; `DecodingError` with the parameter's
    ///   name as its coding path where the route cannot take a value.
    func route(for url: URL) throws -> AnyRoute

    /// Writes a route as a URL, by the first of its patterns that can carry all its values and leads back to the route.
    ///
    /// - Throws: ``RouterError/noURL(route:reason:)`` where no pattern can, `EncodingError` with the value's coding path
    ///   where a value cannot stand in any URL, and the error of the route's own `encode(to:)`.
    func url(for route: some Route) throws -> URL
}
