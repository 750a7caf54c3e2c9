import Foundation
import RouterServiceInterface
import Testing

@testable import RouterServiceImplementation

@MainActor
struct URLWritingTests {
    private struct Profile: Route {
        static let identifier = "profile"
        let user: String
        var tab: String?
        var path: String?
    }

    private struct Settings: Route { static let identifier = "settings" }

    private func write(_ route: some Route, with patterns: String...) throws -> String {
        let catalog = CurrentAddresses([.init(type(of: route), urls: patterns)])
        let url = try catalog.url(for: route)
        #expect(try catalog.route(for: url) == AnyRoute(route))
        return url.absoluteString
    }

    @Test func firstPatternThatCarriesAllValues_isTaken() throws {
        let patterns: [String] = [
            "app://me/:user", "app://profile/:user?tab", "https://x.org/:user/:path?tab",
        ]
        let catalog = CurrentAddresses([.init(Profile.self, urls: patterns)])
        #expect(try catalog.url(for: Profile(user: "ann")).absoluteString == "app://me/ann")
        #expect(
            try catalog.url(for: Profile(user: "ann", tab: "x")).absoluteString == "app://profile/ann?tab=x")
        #expect(
            try catalog.url(for: Profile(user: "ann", tab: "x", path: "a/b")).absoluteString
                == "https://x.org/ann/a%2Fb?tab=x")
    }

    @Test func patternsText_isEncoded() throws {
        #expect(try write(Settings(), with: "App://Shop/é ü/%2F/") == "app://shop/%C3%A9%20%C3%BC/%2F")
        #expect(try write(Profile(user: "ä/?#%"), with: "app://p/:user") == "app://p/%C3%A4%2F%3F%23%25")
    }

    @Test func routeWithoutAUsefulPattern_saysWhyForEach() throws {
        expectNoURL(Settings(), [], "Settings cannot be written as a URL. No URL pattern is declared for it.")
        expectNoURL(
            Profile(user: "ann", tab: "x"), ["app://p/:user", "app://q/:user/:path?tab"],
            "'app://p/:user': it has no place for 'tab'. 'app://q/:user/:path?tab': 'path' has no value.")
        expectNoURL(Profile(user: ""), ["app://p/:user"], "'user' is '', which cannot be used in a path.")
        expectNoURL(Profile(user: ".."), ["app://p/:user"], "'user' is '..', which cannot be used in a path.")
    }

    @Test func urlThatWouldOpenAnotherRoute_isNotWritten() throws {
        let catalog = CurrentAddresses([
            .init(Settings.self, urls: ["app://p/settings"]),
            .init(Profile.self, urls: ["app://p/:user", "app://p?user"]),
        ])
        #expect(try catalog.url(for: Profile(user: "settings")).absoluteString == "app://p?user=settings")
    }

    @Test func valueThatCannotStandInAURL_isAnEncodingErrorWithItsName() {
        expectRefusal(of: URLValueTests.Holder(value: ["a": 1]), at: "value", "cannot hold others by name")
        expectRefusal(of: URLValueTests.Holder(value: Empty()), at: "value", "cannot hold others by name")
        expectRefusal(of: URLValueTests.Holder(value: Double.nan), at: "value", "not a finite number")
        expectRefusal(of: URLValueTests.Holder(value: [1]), at: "value", "cannot hold others")
        expectRefusal(of: URLValueTests.Holder(value: [[1, nil]]), at: "value", "cannot hold others")
        let noDate = Date(timeIntervalSinceReferenceDate: .infinity)
        expectRefusal(of: URLValueTests.Holder(value: noDate), at: "value", "not a finite number")
    }

    private struct Empty: Codable, Hashable {}

    private func expectNoURL(
        _ route: some Route, _ patterns: [String], _ reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let catalog = CurrentAddresses([.init(type(of: route), urls: patterns)])
        let error = #expect(throws: RouterError.self, sourceLocation: sourceLocation) {
            try catalog.url(for: route)
        }
        #expect(
            error?.description.contains(reason) == true, "\(error as Any)", sourceLocation: sourceLocation)
    }

    private func expectRefusal<Value>(
        of route: URLValueTests.Holder<Value>, at path: String, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let catalog = CurrentAddresses([.init(type(of: route), urls: ["app://holder?value"])])
        #expect(sourceLocation: sourceLocation) {
            try catalog.url(for: route)
        } throws: { error in
            guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else {
                return false
            }
            let found = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return found.joined(separator: ".") == path && context.debugDescription.contains(message)
        }
    }
}
