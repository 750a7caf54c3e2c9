import Foundation
import RouterServiceInterface
import Testing

@testable import RouterServiceImplementation

struct URLValueTests {
    enum Tab: String, Codable { case posts, likes }
    enum Level: Int, Codable { case low = 1, high }

    /// One value of any type, read from a query and written into one.
    struct Holder<Value: Codable & Hashable & Sendable>: Route {
        static var identifier: String { "holder" }
        let value: Value
    }

    struct List<Value: Codable & Hashable & Sendable>: Route {
        static var identifier: String { "list" }
        let values: [Value]
    }

    private func read<Value: Codable & Hashable & Sendable>(
        _ type: Value.Type = Value.self, _ text: String, pattern: URLPattern = "app://holder?value"
    ) throws -> Value {
        let catalog = RouteCatalog([.init(Holder<Value>.self, urls: [pattern])])
        let route = try catalog.route(for: #require(URL(string: "app://holder?value=\(text)"))).route
        return try #require(route as? Holder<Value>).value
    }

    private func expectRoundTrip<Value: Codable & Hashable & Sendable>(
        _ value: Value, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let catalog = RouteCatalog([.init(Holder<Value>.self, urls: ["app://holder?value"])])
        let url = try catalog.url(for: Holder(value: value))
        #expect(url.absoluteString == "app://holder?value=\(text)", sourceLocation: sourceLocation)
        #expect(try catalog.route(for: url) == AnyRoute(Holder(value: value)), sourceLocation: sourceLocation)
    }

    @Test func values_areWrittenAndReadBack() throws {
        try expectRoundTrip("tea & cake/é+", "tea%20%26%20cake%2F%C3%A9%2B")
        try expectRoundTrip("", "")
        // A byte order mark is a character like others.
        try expectRoundTrip("\u{FEFF}x\u{FEFF}", "%EF%BB%BFx%EF%BB%BF")
        try expectRoundTrip(true, "true")
        try expectRoundTrip(Int.min, "-9223372036854775808")
        try expectRoundTrip(Int8(-128), "-128")
        try expectRoundTrip(UInt64.max, "18446744073709551615")
        try expectRoundTrip(Double.leastNonzeroMagnitude, "5e-324")
        try expectRoundTrip(Float(0.1), "0.1")
        try expectRoundTrip(Tab.likes, "likes")
        try expectRoundTrip(Level.high, "2")
        try expectRoundTrip(Decimal(string: "0.30000000000000000001"), "0.30000000000000000001")
        try expectRoundTrip(
            try #require(URL(string: "https://a.b/c?d=e&f")), "https:%2F%2Fa.b%2Fc%3Fd%3De%26f")
        let uuid = UUID()
        try expectRoundTrip(uuid, uuid.uuidString)
    }

    @Test func int128_isWrittenAndReadBack() throws {
        guard #available(macOS 15, *) else { return }
        try expectRoundTrip(Int128.min, "-170141183460469231731687303715884105728")
        try expectRoundTrip(UInt128.max, "340282366920938463463374607431768211455")
    }

    /// Seconds from the reference date, 2001.
    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (791_544_600.25, "2026-01-31T09:30:00.250Z"),
        (791_544_600.123, "2026-01-31T09:30:00.123Z"), (791_544_600.999999, "2026-01-31T09:30:00.999999Z"),
        (-978_307_200.5, "1969-12-31T23:59:59.500Z"), (-13_193_798_400, "1582-11-28T00:00:00Z"),
        (252_423_993_599, "9999-12-31T23:59:59Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
    ])
    func date_isWrittenAndReadBack(seconds: Double, text: String) throws {
        try expectRoundTrip(Date(timeIntervalSinceReferenceDate: seconds), text)
    }

    @Test func calendar_isFoundations() throws {
        // Foundation changes to the Julian calendar before 1582.
        for day in stride(from: -150_000, through: 3_000_000, by: 3_771) {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400 + 45_296)
            guard date < Date.distantFuture else { break }
            let text = date.formatted(.iso8601)
            try expectRoundTrip(date, text)
        }
    }

    @Test func anyDate_isReadBackExactly() throws {
        let catalog = RouteCatalog([.init(Holder<Date>.self, urls: ["app://holder?value"])])
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let route = Holder(value: Date(timeIntervalSince1970: .random(in: -1e10...1e10, using: &random)))
            #expect(try catalog.route(for: catalog.url(for: route)) == AnyRoute(route))
        }
    }

    @Test(arguments: [
        ("2026-01-31T09:30:00Z", 1_769_851_800.0), ("2026-01-31T11:30:00%2B02:00", 1_769_851_800),
        ("2026-01-31T11:30:00+02:00", 1_769_851_800), ("2026-01-31T04:30:00.5-05:00", 1_769_851_800.5),
        ("2026-01-31T09:30:00.1234567890123456789Z", 1_769_851_800.12345678901),
    ])
    func date_isReadInISO8601(text: String, seconds: Double) throws {
        let error = try read(Date.self, text).timeIntervalSince1970 - seconds
        #expect(abs(error) < 1e-6)
    }

    @Test func booleans_mayBeNumbers() throws {
        #expect(try read(Bool.self, "1"))
        #expect(try !read(Bool.self, "0"))
        #expect(try !read(Bool.self, "false"))
    }

    @Test func absentValues_areNilOrEmpty() throws {
        struct Search: Route {
            static let identifier = "search"
            let text: String?
            let day: Date?
            let unnamed: String?
            let tags: [String]
            let ids: Set<Int>
            let optionals: [Int]?
        }
        let catalog = RouteCatalog([.init(Search.self, urls: ["app://search?text&day&tags*&ids*&optionals*"])]
        )
        let url = try #require(URL(string: "app://search?unnamed=x"))
        let empty = Search(text: nil, day: nil, unnamed: nil, tags: [], ids: [], optionals: nil)
        #expect(try catalog.route(for: url) == AnyRoute(empty))
        #expect(try catalog.url(for: empty).absoluteString == "app://search")
    }

    @Test func lists_areReadAndWritten() throws {
        let catalog = RouteCatalog([
            .init(List<Tab>.self, urls: ["app://tabs?values*"]),
            .init(List<Date>.self, urls: ["app://days/:values*"]),
        ])
        // Two routes of one identifier: only the first counts, so the second needs a catalog of its own.
        let days = RouteCatalog([.init(List<Date>.self, urls: ["app://days/:values*"])])
        let tabs = List(values: [Tab.posts, .likes])
        #expect(try catalog.url(for: tabs).absoluteString == "app://tabs?values=posts&values=likes")
        #expect(try catalog.route(for: catalog.url(for: tabs)) == AnyRoute(tabs))
        let two = List(values: [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)])
        #expect(
            try days.url(for: two).absoluteString == "app://days/1970-01-01T00:00:00Z/1970-01-01T00:00:01Z")
        #expect(try days.route(for: days.url(for: two)) == AnyRoute(two))
    }

    @Test func link_standsInAURLAsAString() throws {
        let catalog = RouteCatalog([
            .init(Holder<AnyRoute>.self, urls: ["app://holder?value"]), .init(Shop.Catalogue.self),
        ])
        let route = Holder(value: AnyRoute(Shop.Catalogue(page: 2)))
        let url = try catalog.url(for: route)
        #expect(url.absoluteString == "app://holder?value=shop.catalogue%7C%7B%22page%22:2%7D")
        #expect(try catalog.route(for: url) == AnyRoute(route))
        expectMistake("value", "No route has the identifier 'x'") {
            try catalog.route(for: #require(URL(string: "app://holder?value=x")))
        }
        expectMistake("value.page", "") {
            try catalog.route(
                for: #require(URL(string: "app://holder?value=shop.catalogue%7C%7B%22page%22:%22%22%7D")))
        }
    }

    @Test func badValue_isADecodingErrorWithItsName() {
        expectMistake("value", "'256' is not a whole number from 0 to 255.") { try read(UInt8.self, "256") }
        expectMistake("value", "'' is not a whole number") { try read(Int.self, "") }
        expectMistake("value", "'1.0' is not a whole number") { try read(Int.self, "1.0") }
        expectMistake("value", "'1e999' is not a finite number") { try read(Double.self, "1e999") }
        expectMistake("value", "'nan' is not a finite number") { try read(Double.self, "nan") }
        expectMistake("value", "'0x1p3' is not a finite number") { try read(Float.self, "0x1p3") }
        expectMistake("value", "'TRUE' is not 'true', 'false', '1' or '0'.") { try read(Bool.self, "TRUE") }
        expectMistake("value", "'12abc' is not a decimal number") { try read(Decimal.self, "12abc") }
        expectMistake("value", "'1-2' is not a decimal number") { try read(Decimal.self, "1-2") }
        expectMistake("value", "'x' is not a UUID") { try read(UUID.self, "x") }
        expectMistake("value", "'' is not a URL") { try read(URL.self, "") }
        expectMistake("value", "other") { try read(Tab.self, "other") }
        expectMistake("value", "'%FF' is not percent-encoded UTF-8.") { try read(String.self, "%FF") }
        expectMistake("value", "2 items") { try read(String.self, "a&value=b") }
        expectMistake("", "The URL has no 'value', read as 'app://holder'.") {
            try read(String.self, "a", pattern: "app://holder")
        }
        expectMistake("value", "Name it with a '*'") { try read([Int].self, "1") }
        expectMistake("value", "Name it without '*'") {
            try read(Int.self, "1", pattern: "app://holder?value*")
        }
        expectMistake("value.1", "'b' is not a whole number") {
            try read([Int].self, "1&value=b", pattern: "app://holder?value*")
        }
        expectMistake("value", "cannot hold others by name") { try read(Holder<Int>.self, "1") }
        expectMistake("value", "cannot hold others by name") { try read([String: Int].self, "1") }
    }

    @Test(arguments: [
        "2026-01-31", "2026-01-31T09:30:00", "2026-01-31T09:30:00Zjunk", "2026-13-31T09:30:00Z",
        "2026-02-31T09:30:00Z",
        "2026-01-31T09:30:00.Z", "2026-01-31T09:30:00.5", "2026-01-31%2009:30:00Z", "2026-01-31T24:61:00Z",
        "now",
        "2026-02-29T09:30:00Z", "1900-02-29T09:30:00Z", "2026-01-31T09:30:00+2:00",
        "2026-01-31T09:30:00+99:99",
    ])
    func badDate_isADecodingError(text: String) {
        expectMistake("value", "is not a date in ISO 8601") { try read(Date.self, text) }
    }

    private func expectMistake(
        _ path: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
        in read: () throws -> some Any
    ) {
        #expect(sourceLocation: sourceLocation) {
            _ = try read()
        } throws: { error in
            guard let context = (error as? DecodingError)?.context else { return false }
            return context.path == path && (message.isEmpty || context.debugDescription.contains(message))
        }
    }
}
