import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram

/// The outcome of reading one input.
struct Outcome {
    /// The number of the three ways in that took the input for a route.
    var accepted = 0
    /// The number that refused it with an error of theirs.
    var refused = 0
}

/// Something that must not happen, short of a trap.
struct Violation: Error {
    let message: String
}

/// The ways in for text from outside, with the catalog of a router whose routes have every kind of value.
struct Attempt {
    private let catalog: any RouteCatalog
    private let decoder = JSONDecoder()

    @MainActor
    init() throws {
        let router = RouterService(modules: [FuzzedRoutes()])
        let problems = router.validate().filter { !$0.isWarning }
        guard problems.isEmpty else {
            throw Violation(message: "the fuzzer's own routes: \(problems)")
        }
        catalog = router.catalog
        decoder.routeCatalog = catalog
    }

    /// Reads an input in each way; a route that was read must also survive being written and read again.
    func run(_ input: [UInt8]) throws -> Outcome {
        var outcome = Outcome()
        let text = String(decoding: input, as: UTF8.self)
        try count(&outcome) { try AnyRoute(text, in: catalog) }
        try count(&outcome) { try decoder.decode(Document.self, from: Data(input)).link }
        if let url = URL(string: text) {
            try count(&outcome) { try catalog.route(for: url) }
        }
        return outcome
    }

    private func count(_ outcome: inout Outcome, _ read: () throws -> AnyRoute) throws {
        let link: AnyRoute
        do {
            link = try read()
        } catch is DecodingError {
            return outcome.refused += 1
        } catch RouterError.unknownURL {
            return outcome.refused += 1
        } catch {
            throw Violation(message: "refused with the wrong kind of error: \(error)")
        }
        outcome.accepted += 1
        try checkRoundTrips(of: link)
    }

    private func checkRoundTrips(of link: AnyRoute) throws {
        // A value that JSON cannot write, an infinite number for example, was not read from JSON.
        guard try AnyRoute(link.link, in: catalog) == link else {
            throw Violation(message: "not the same after writing it as a string: \(link)")
        }
        let url: URL
        do {
            url = try catalog.url(for: link.route)
        } catch is EncodingError {
            return
        } catch RouterError.noURL {
            return
        }
        // Compared as URLs, because a number may be written in several ways.
        let again = try catalog.url(for: catalog.route(for: url).route)
        guard again == url else {
            throw Violation(message: "written as \(url), then as \(again): \(link)")
        }
    }
}

/// Registers the routes that inputs may stand for; none of them is ever opened.
private struct FuzzedRoutes: Module {
    func register(in registrar: Registrar) {
        registrar.register((any Presenter).self, lifetime: .singleton) { NoPresenter() }
        registrar.action(
            Everything.self, .url(Everything.pattern), by: NoAction<Everything>.init)
        registrar.action(
            Profile.self, .url("app://profile/:user?tab&next"),
            .url("https://example.com/u/:user"),
            by: NoAction<Profile>.init)
        registrar.action(
            Home.self, .url("app://profile"), .url("app://profile/me"), .url("app://profile/:tab/edit"),
            by: NoAction<Home>.init)
    }
}

private struct NoAction<Destination: Route>: Action where Destination.Output == Void {
    func perform(_ route: Destination) {}
}

private final class NoPresenter: Presenter {
    func show(_ screen: any Screen, as presentation: Presentation) {}
    func remove(_ presentations: [Presentation.ID]) {}
    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) {}
}

private struct Document: Decodable {
    let link: AnyRoute
}

private struct Home: Route {
    static let identifier = "home"
    var tab: String?
}

private struct Profile: Route {
    static let identifier = "profile.overview"
    let user: String
    let tab: Tab?
    let next: AnyRoute?
    let path: [String]?

    enum Tab: String, Codable { case posts, likes }
}

private struct Everything: Route {
    static let identifier = "everything"
    static let pattern: String =
        "app://everything?text&flag&small&large&single&double&decimal&id&link&day&level&next"

    let text: String?
    let flag: Bool?
    let small: Int8?
    let large: UInt64?
    let single: Float?
    let double: Double?
    let decimal: Decimal?
    let id: UUID?
    let link: URL?
    let day: Date?
    let level: Level?
    let texts: [String]?
    let numbers: [Int]?
    let next: AnyRoute?

    enum Level: Int, Codable { case low = 1, high }
}

extension AnyRoute {
    /// Reads a link of the form `identifier|{json}`.
    fileprivate init(_ link: String, in catalog: any RouteCatalog) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        self = try decoder.decode(AnyRoute.self, from: JSONEncoder().encode(link))
    }
}
