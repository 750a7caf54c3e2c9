import Foundation
import RouterServiceInterface

@testable import RouterServiceImplementation

extension Addresses.Entry {
    /// The names of a route, as if it was registered here.
    init(_ type: any Route.Type, aliases: [String] = [], urls: [URLPattern] = []) {
        self.init(type: type, aliases: aliases, urls: urls, place: SourcePlace(fileID: "T/T.swift", line: 1))
    }
}

extension RouteCatalog {
    /// The catalog that a router of these routes would have.
    init(_ entries: [Addresses.Entry]) {
        let links = CurrentAddresses()
        links.update(Addresses(entries))
        self = links.catalog
    }
}

extension AnyRoute {
    /// Reads a link of the form `identifier|{json}`, as if it stood in a document of nothing else.
    init(_ link: String, in catalog: RouteCatalog) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        self = try decoder.decode(AnyRoute.self, from: JSONEncoder().encode(link))
    }
}

extension RouterService {
    /// Creates the services whose factories are asynchronous, as the start does.
    func prepare() async throws {
        try await changes.perform { try await changes.prepare(container) }
    }
}
