public import Foundation
public import RouterServiceInterface

/// A catalog of some routes, without URLs.
public struct KnownRoutes: RouteCatalog {
    private let types: [any Route.Type]

    public init(_ types: [any Route.Type]) { self.types = types }

    public func routeType(for identifier: String) throws -> any Route.Type {
        if let type = types.first(where: { $0.identifier == identifier }) { return type }
        let message = "No route has the identifier '\(identifier)'."
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
    }

    public func route(for url: URL) throws -> AnyRoute { throw RouterError.unknownURL(url, nearest: nil) }

    public func url(for route: some Route) throws -> URL {
        throw RouterError.noURL(route: TypeKey(type(of: route)), reason: "It has no pattern.")
    }
}
