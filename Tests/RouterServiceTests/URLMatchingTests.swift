import Foundation
import RouterServiceInterface
import Testing

@testable import RouterServiceImplementation

@MainActor
struct URLMatchingTests {
    /// A route that shows by its type which pattern matched, and by its values the text that it took.
    private struct Literal: Route {
        static let identifier = "literal"
        var item: String?
    }

    private struct One: Route {
        static let identifier = "one"
        let item: String
        var tab: String?
    }

    private struct Two: Route {
        static let identifier = "two"
        let first, second: String
    }

    private let catalog = CurrentAddresses([
        .init(Two.self, urls: ["app://shop/:first/:second"]),
        .init(One.self, urls: ["app://shop/:item?tab", "app://shop/books/:item/read"]),
        .init(Literal.self, urls: ["app://shop/books", "app://shop", "app://shop/:item/books/new"]),
    ])

    private func route(_ url: String) throws -> AnyRoute {
        try catalog.route(for: #require(URL(string: url)))
    }

    @Test(arguments: [
        ("app://shop/books", AnyRoute(Literal())), ("app://shop", AnyRoute(Literal())),
        ("app://shop/tea", AnyRoute(One(item: "tea"))), ("app://shop/Books", AnyRoute(One(item: "Books"))),
        ("app://shop/tea/cake", AnyRoute(Two(first: "tea", second: "cake"))),
        ("app://shop/books/tea/read", AnyRoute(One(item: "tea"))),
    ])
    func mostSpecificPattern_wins(url: String, expected: AnyRoute) throws {
        #expect(try route(url) == expected)
    }

    private struct Empty: Route { static let identifier = "empty" }

    /// A route that reads its values by two types of coding keys.
    private struct Split: Route {
        static let identifier = "split"
        enum FirstKey: CodingKey { case first }
        enum SecondKey: CodingKey { case second }
        let first, second: String

        init(from decoder: any Decoder) throws {
            first = try decoder.container(keyedBy: FirstKey.self).decode(String.self, forKey: .first)
            second = try decoder.container(keyedBy: SecondKey.self).decode(String.self, forKey: .second)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: FirstKey.self)
            try container.encode(first, forKey: .first)
        }
    }

    @Test(arguments: [("app://typo/tea", "tbb"), ("app://typo/tea?tbb=1", "tbb"), ("app://none", "topic")])
    func parameterThatTheRouteDoesNotRead_isAnErrorThatNamesIt(url: String, name: String) throws {
        let catalog = CurrentAddresses([
            .init(One.self, urls: ["app://typo/:item?tbb"]), .init(Empty.self, urls: ["app://none?topic"]),
        ])
        let url = try #require(URL(string: url))
        #expect {
            try catalog.route(for: url)
        } throws: { error in
            guard case .dataCorrupted(let context) = error as? DecodingError else { return false }
            return context.debugDescription.contains("names '\(name)', which is no coding key of")
        }
    }

    @Test func routeThatReadsTwoContainers_readsAllParameters() throws {
        let catalog = CurrentAddresses([.init(Split.self, urls: ["app://split/:first/:second"])])
        let url = try #require(URL(string: "app://split/a/b"))
        let route = try #require(try catalog.route(for: url).route as? Split)
        #expect([route.first, route.second] == ["a", "b"])
    }

    @Test func deadEnd_isLeftForTheNextMostSpecificPattern() throws {
        // 'books' leads to ':item/read' only, so the parameter takes it.
        #expect(try route("app://shop/books/books/new") == AnyRoute(Literal(item: "books")))
        #expect(try route("app://shop/books/tea") == AnyRoute(Two(first: "books", second: "tea")))
    }

    @Test func literal_beatsParametersFromTheLeft() throws {
        let catalog = CurrentAddresses([
            .init(One.self, urls: ["app://x/:item/b"]), .init(Literal.self, urls: ["app://x/a/:item"]),
        ])
        let found = try catalog.route(for: #require(URL(string: "app://x/a/b")))
        #expect(found == AnyRoute(Literal(item: "b")))
    }

    @Test(arguments: [
        "APP://Shop/tea", "app://shop/tea/", "app://shop/tea#top", "app://shop/tea?utm_source=x",
        "app://shop/tea?",
        "app://shop/t%65a", "app://shop/tea?&&", "app://shop/tea/?=x",
    ])
    func whatDoesNotMatter_isOverlooked(url: String) throws {
        #expect(try route(url) == AnyRoute(One(item: "tea")))
    }

    @Test func query_fillsNames() throws {
        #expect(try route("app://shop/tea?t%61b=x") == AnyRoute(One(item: "tea", tab: "x")))
        #expect(try route("app://shop/tea?tab") == AnyRoute(One(item: "tea", tab: "")))
        #expect(try route("app://shop/tea?tab=a=b?c/d") == AnyRoute(One(item: "tea", tab: "a=b?c/d")))
    }

    @Test func percentEncoding_isReadWithinASegment() throws {
        #expect(try route("app://shop/a%2Fb%20%C3%A9") == AnyRoute(One(item: "a/b é")))
        #expect(try route("app://shop/a+b?tab=c+d%26e") == AnyRoute(One(item: "a+b", tab: "c+d&e")))
    }

    @Test(arguments: [
        "app://shop//tea", "app://shop/../tea", "app://shop/%2e%2E/tea", "app://shop/./x", "app://shop//",
        "app://shop:80/tea", "app://me@shop/tea", "http://shop/tea", "app:shop", "app:/shop", "app:///shop",
        "shop/tea", "mailto:ann@example.com",
    ])
    func otherURLs_matchNothing(url: String) throws {
        let error = #expect(throws: RouterError.self) { try route(url) }
        guard case .unknownURL(let unknown, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(unknown.absoluteString == url)
    }

    @Test func port_isPartOfTheHost() throws {
        let catalog = CurrentAddresses([.init(One.self, urls: ["http://localhost:8080/:item"])])
        let found = try catalog.route(for: #require(URL(string: "http://LOCALHOST:8080/tea")))
        #expect(found == AnyRoute(One(item: "tea")))
    }

    @Test(arguments: [
        ("app://shpo/a", "app://shop/:item?tab"), ("apps://profile/ann", "app://profile/:user"),
        ("app://profile", "app://profile/:user"), ("app://profile/ann/editt", "app://profile/:user/edit"),
        ("profile/ann", "app://profile/:user"), ("//profile/ann", "app://profile/:user"),
        ("prfile/ann", "app://profile/:user"),
        ("app://entirely/different", nil), ("app://swww/a", nil), ("nothing:at-all", nil),
    ])
    func unknownURL_namesTheNearestPattern(url: String, nearest: String?) throws {
        let catalog = CurrentAddresses([
            .init(
                One.self,
                urls: ["app://shop/:item?tab", "app://profile/:user", "app://profile/:user/edit"])
        ])
        let error = #expect(throws: RouterError.self) {
            try catalog.route(for: #require(URL(string: url)))
        }
        guard case .unknownURL(_, let found)? = error else { return }
        #expect(found == nearest)
        #expect(error?.description.contains("'\(url)'") == true)
        #expect(
            nearest == nil
                || error?.description.contains("The nearest is '\(nearest?.description ?? "")'") == true)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["/", "a", "/a", "%41", "?a", "&", "=", "/%2e", "/..", ":", "//a"])
    func longURL_takesTimeInProportion(piece: String) throws {
        let text = "app://shop/x" + String(repeating: piece, count: 10_000)
        guard let url = URL(string: text) else { return }
        let query = try #require(
            URL(string: "app://shop/x?tab=" + String(repeating: "&tab=a", count: 10_000)))
        let start = processorTime()
        _ = try? catalog.route(for: url)
        _ = try? catalog.route(for: query)
        let time = processorTime() - start
        // A fraction of a second in a debug build; a quadratic search would take minutes.
        #expect(time < .seconds(10))
    }

    @Test func manyPatterns_areDistinguished() throws {
        let entries: [NamedRoute] = [
            .init(One.self, urls: (0..<1_000).map { "app://shop/s\($0)/:item" }),
            .init(Literal.self, urls: ["app://shop/:item/new"]),
        ]
        let catalog = CurrentAddresses(entries)
        #expect(Addresses(entries).problems.isEmpty)
        #expect(
            try catalog.route(for: #require(URL(string: "app://shop/s777/tea"))) == AnyRoute(One(item: "tea"))
        )
        #expect(
            try catalog.route(for: #require(URL(string: "app://shop/s1000/new")))
                == AnyRoute(Literal(item: "s1000")))
    }
}
