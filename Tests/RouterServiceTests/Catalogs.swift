import RouterServiceInterface

@testable import RouterServiceImplementation

extension Links.Entry {
    /// The names of a route, as if it was registered here.
    init(_ type: any Route.Type, aliases: [String] = [], urls: [URLPattern] = []) {
        self.init(type: type, aliases: aliases, urls: urls, place: SourcePlace(fileID: "T/T.swift", line: 1))
    }
}

extension RouteCatalog {
    /// The catalog that a router of these routes would have.
    init(_ entries: [Links.Entry]) {
        let links = CurrentLinks()
        links.update(Links(entries))
        self = links.catalog
    }
}
