public import Foundation

/// The types of routes by their identifiers, for decoders of links; a router's catalog reads and writes URLs too.
///
/// The router registers its own catalog as a service of type `RouteCatalog`. It follows the router: when a module is
/// replaced, it knows the routes of the new one.
public struct RouteCatalog: Sendable {
    private let types: @Sendable (Substring) -> (any Route.Type)?
    private let nearestIdentifier: @Sendable (Substring) -> Substring?
    private let readURL: @Sendable (URL) throws -> AnyRoute
    private let writeURL: @Sendable (any Route) throws -> URL

    /// Creates a catalog from functions that look up types, suggest identifiers, and read and write URLs.
    public init(
        types: @escaping @Sendable (Substring) -> (any Route.Type)?,
        nearestIdentifier: @escaping @Sendable (Substring) -> Substring?,
        route: @escaping @Sendable (URL) throws -> AnyRoute,
        url: @escaping @Sendable (any Route) throws -> URL
    ) {
        (self.types, self.nearestIdentifier, readURL, writeURL) = (types, nearestIdentifier, route, url)
    }

    /// Reads the route that a URL opens: that of the most specific pattern that matches.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)`` where no pattern matches; `DecodingError` with the parameter's
    ///   name as its coding path where a value is not one that the route takes.
    public func route(for url: URL) throws -> AnyRoute { try readURL(url) }

    /// Writes a route as a URL: by the first of its patterns that can carry all its values and leads back to it.
    ///
    /// - Throws: ``RouterError/noURL(route:reason:)`` where no pattern can, `EncodingError` with the value's coding path
    ///   where a value cannot stand in any URL, and the error of the route's own `encode(to:)`.
    public func url(for route: some Route) throws -> URL { try writeURL(route) }

    /// The type of route that an identifier or alias stands for.
    func routeType(
        for identifier: Substring, at codingPath: @autoclosure () -> [any CodingKey]
    ) throws -> any Route.Type {
        if let type = types(identifier) { return type }
        let hint = nearestIdentifier(identifier).map { " The nearest is '\($0)'." } ?? ""
        throw DecodingError.malformedLink(
            identifier.isEmpty
                ? "A link starts with a route's identifier."
                : "No route has the identifier \(identifier.quoted).\(hint)",
            at: codingPath())
    }
}

/// A kind of URL that opens one type of route, for example `app://profile/:userID?tab`.
///
/// ```
/// pattern  =  scheme "://" host [ ":" port ] *( "/" segment ) [ "/" ] [ "?" parameter *( "&" parameter ) ]
/// segment  =  text  |  ":" parameter
/// ```
///
/// - A `text` stands for itself. It may be written percent-encoded.
/// - A `:parameter` takes one segment of the path, a `parameter` after the question mark the query item of that name.
///
/// A parameter is named like the route's coding key for it: letters, digits, `_`, `-` and `.`. A path has at most
/// 64 segments.
///
/// The values may be text, numbers, `true` and `false` (or `1` and `0`), enumerations with raw values, `UUID`, `URL`,
/// `Decimal`, an ``AnyRoute`` in its string form, and optionals of these. A type with a coding of its own is written as that
/// does: a `Date` as a number.
///
/// The scheme and the host are compared without regard to case. A slash at the end of the path, the fragment, and query
/// items that the pattern does not name do not matter. A segment that is empty, `.` or `..` matches nothing, because other
/// programs rewrite such paths.
///
/// Where several patterns match, the most specific one wins: segment by segment from the left, a text comes before a
/// `:parameter`. Query names take no part in it, so two patterns that differ only in the names of parameters, or in the
/// query, are a conflict. A malformed pattern never matches; `ProgramRouter.validate` reports both.
public struct URLPattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The pattern as it was written.
    public let description: String

    /// Keeps a pattern, well-formed or not.
    public init(_ pattern: String) { description = pattern }

    /// Keeps a pattern, well-formed or not.
    public init(stringLiteral pattern: String) { self.init(pattern) }
}
