public import Foundation

/// The types of routes by their identifiers, for decoders of links, and the routes' URLs.
///
/// The router registers its own catalog as a service of type `any RouteCatalog`. It follows the router: when a module is
/// replaced, it knows the routes of the new one.
public protocol RouteCatalog: Sendable {
    /// Returns the type of route that an identifier or alias stands for.
    ///
    /// - Throws: `DecodingError` where no route has that name.
    func routeType(for identifier: Identifier) throws -> any Route.Type

    /// Reads the route that a URL opens: that of the most specific pattern that matches.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)`` where no pattern matches; `DecodingError` with the parameter's
    ///   name as its coding path where a value is not one that the route takes.
    func route(for url: URL) throws -> AnyRoute

    /// Writes a route as a URL: by the first of its patterns that can carry all its values and leads back to it.
    ///
    /// - Throws: ``RouterError/noURL(route:reason:)`` where no pattern can, `EncodingError` with the value's coding path
    ///   where a value cannot stand in any URL, and the error of the route's own `encode(to:)`.
    func url(for route: some Route) throws -> URL
}

/// A kind of URL that opens one type of route, for example `app://profile/:userID?tab`.
///
/// ```
/// pattern  =  scheme "://" host [ ":" port ] *( "/" segment ) [ "/" ] [ "?" parameter *( "&" parameter ) ]
/// segment  =  text  |  ":" parameter
/// ```
///
/// A `text` stands for itself, percent-encoded or not. A parameter has the name of the route's coding key for it: letters,
/// digits, `_`, `-` and `.`. A path has at most 64 segments.
///
/// The values may be text, numbers, `true` and `false` (or `1` and `0`), enumerations with raw values, `UUID`, `URL`,
/// `Decimal`, optionals of these, and types that are coded as one of them.
///
/// The case of the scheme and the host, a slash at the end, the fragment, and query items that the pattern does not name do
/// not matter. A segment that is empty, `.` or `..` matches nothing, because other programs rewrite such paths.
///
/// Where several patterns match, the most specific one wins: segment by segment from the left, a text comes before a
/// `:parameter`. Two patterns that differ only in the names of parameters, or in the query, are a conflict.
public struct URLPattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The pattern as it was written.
    public let description: String

    /// Keeps a pattern, well-formed or not.
    public init(stringLiteral pattern: String) { description = pattern }
}
