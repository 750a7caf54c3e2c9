public import Foundation

public struct URLPattern: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String; public init(stringLiteral s: String) { description = s }
}
extension RouteCatalog {
    public struct Entry: Sendable {
        let type: any Route.Type;
        public init(_ type: any Route.Type, aliases: [String] = [], urls: [URLPattern] = []) {
            self.type = type
        }
    }
    public init(_ e: [Entry]) { self.init(e.map(\.type)) }
    public var problems: [RouterError] { [] }
    public func route(for url: URL) throws -> AnyRoute { throw RouterError.emptyStack }
}
