import Foundation
import RouterServiceInterface
import Testing

@testable import RouterServiceImplementation

@MainActor
struct URLValueTests {
    enum Tab: String, Codable { case posts, likes }
    enum Level: Int, Codable { case low = 1, high }

    /// One value of any type, read from a query and written into one.
    struct Holder<Value: Codable & Hashable & Sendable>: Route {
        static var identifier: String { "holder" }
        let value: Value
    }

    private func read<Value: Codable & Hashable & Sendable>(
        _ type: Value.Type = Value.self, _ text: String, pattern: String = "app://holder?value"
    ) throws -> Value {
        let catalog = CurrentAddresses([.init(Holder<Value>.self, urls: [pattern])])
        let route = try catalog.route(for: #require(URL(string: "app://holder?value=\(text)"))).route
        return try #require(route as? Holder<Value>).value
    }

    private func expectRoundTrip<Value: Codable & Hashable & Sendable>(
        _ value: Value, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let catalog = CurrentAddresses([.init(Holder<Value>.self, urls: ["app://holder?value"])])
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
        try expectRoundTrip(Date(timeIntervalSinceReferenceDate: 0.5), "0.5")
    }

    @Test func int128_isWrittenAndReadBack() throws {
        guard #available(macOS 15, *) else { return }
        try expectRoundTrip(Int128.min, "-170141183460469231731687303715884105728")
        try expectRoundTrip(UInt128.max, "340282366920938463463374607431768211455")
    }

    @Test func booleans_mayBeNumbers() throws {
        #expect(try read(Bool.self, "1"))
        #expect(try !read(Bool.self, "0"))
        #expect(try !read(Bool.self, "false"))
    }

    @Test func absentValues_areNil() throws {
        struct Search: Route {
            static let identifier = "search"
            let text: String?
            let id: UUID?
            let unnamed: String?
        }
        let catalog = CurrentAddresses([.init(Search.self, urls: ["app://search?text&id"])])
        let url = try #require(URL(string: "app://search?unnamed=x"))
        let empty = Search(text: nil, id: nil, unnamed: nil)
        #expect(try catalog.route(for: url) == AnyRoute(empty))
        #expect(try catalog.url(for: empty).absoluteString == "app://search")
    }

    @Test func badValue_isADecodingErrorWithItsName() {
        expectMistake("value", "'256' is not a whole number from 0 to 255.") { try read(UInt8.self, "256") }
        expectMistake("value", "'' is not a whole number") { try read(Int.self, "") }
        expectMistake("value", "'1.0' is not a whole number") { try read(Int.self, "1.0") }
        expectMistake("value", "'1e999' is not a finite number") { try read(Double.self, "1e999") }
        expectMistake("value", "'nan' is not a finite number") { try read(Double.self, "nan") }
        expectMistake("value", "'0x1p3' is not a finite number") { try read(Float.self, "0x1p3") }
        expectMistake("value", "'TRUE' is not 'true', 'false', '1' or '0'.") { try read(Bool.self, "TRUE") }
        expectMistake("value", "'12abc' is not a decimal number of at most 38 digits") {
            try read(Decimal.self, "12abc")
        }
        expectMistake("value", "'1-2' is not a decimal number of at most 38 digits") {
            try read(Decimal.self, "1-2")
        }
        let digits = String(repeating: "1", count: 39)
        expectMistake("value", "at most 38 digits") { try read(Decimal.self, digits) }
        expectMistake("value", "at most 38 digits") { try read(Decimal.self, "0.\(digits)") }
        expectMistake("value", "'x' is not a UUID") { try read(UUID.self, "x") }
        expectMistake("value", "'' is not a URL") { try read(URL.self, "") }
        expectMistake("value", "other") { try read(Tab.self, "other") }
        expectMistake("value", "'%FF' is not percent-encoded UTF-8.") { try read(String.self, "%FF") }
        expectMistake("value", "2 items") { try read(String.self, "a&value=b") }
        expectMistake("", "The URL has no 'value', read as 'app://holder'.") {
            try read(String.self, "a", pattern: "app://holder")
        }
        expectMistake("value", "cannot hold others") { try read([Int].self, "1") }
        expectMistake("value", "cannot hold others") { try read(Set<Int>.self, "1") }
        expectMistake("value", "cannot hold others by name") { try read(Holder<Int>.self, "1") }
        expectMistake("value", "cannot hold others by name") { try read([String: Int].self, "1") }
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
