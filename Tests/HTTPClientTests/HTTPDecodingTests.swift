import Foundation
import HTTPClientInterface
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// The errors for bodies of an unexpected form.
struct HTTPDecodingTests {
    private struct Person: Decodable {
        let id: String
        let links: [AnyRoute]
        let nested: [String: [Int]]?
    }

    private struct Place: Route {
        static let identifier = "test.place"
        let name: String
    }

    private let routes = KnownRoutes([Place.self])

    @Test func body_thatIsWhatWasExpected_isDecodedWithItsLinks() throws {
        let person = try decode(#"{"id":"ann","links":["test.place|{\"name\":\"here\"}"]}"#)
        #expect(person.id == "ann")
        #expect(person.links == [AnyRoute(Place(name: "here"))])
    }

    @Test(arguments: ["Rene\u{301}", #"Rene\u0301"#])
    func textInABody_isNormalised(name: String) throws {
        let person = try decode(
            #"{"id":"\#(name)","links":["test.place|{\"name\":\"\#(name)\"}"]}"#)
        #expect(Array(person.id.unicodeScalars) == Array("Ren\u{E9}".unicodeScalars))
        let place = try #require(person.links.first?.route as? Place)
        #expect(Array(place.name.unicodeScalars) == Array("Ren\u{E9}".unicodeScalars))
    }

    @Test(arguments: [
        (#"{"links":[]}"#, "id"), (#"{"id":7,"links":[]}"#, "id"), (#"{"id":null,"links":[]}"#, "id"),
        (#"{"id":"ann","links":["test.place|{\"name\":\"a\"}","nowhere","x"]}"#, "links[1]"),
        (#"{"id":"ann","links":["test.place|{\"nme\":\"a\"}"]}"#, "links[0].name"),
        (#"{"id":"ann","links":[3]}"#, "links[0]"), (#"{"id":"ann","links":{}}"#, "links"),
        (#"{"id":"ann","links":[],"nested":{"a":[1,"b"]}}"#, "nested.a[1]"),
        ("", "(the whole body)"), ("[]", "(the whole body)"), ("{\"id\":", "(the whole body)"),
    ])
    func body_thatIsNot_namesThePathOfTheBadKey(json: String, expected: String) throws {
        let failure = #expect(throws: HTTP.Failure.self) { try decode(json) }
        guard case .undecodable(let type, let path, let reason)? = failure else {
            Issue.record("\(expected) expected, not \(String(describing: failure))")
            return
        }
        #expect(path == expected)
        #expect(type == "Person")
        #expect(!reason.isEmpty)
        #expect(failure?.errorDescription == "The server's response is not a Person: at '\(path)', \(reason)")
    }

    @Test func links_withoutRoutes_sayThatRoutesAreMissing() throws {
        let response = HTTP.Response(status: 200, body: Data(#"{"id":"ann","links":["test.place"]}"#.utf8))
        let failure = #expect(throws: HTTP.Failure.self) { try response.decoded(as: Person.self) }
        #expect(failure?.errorDescription?.contains("links[0]") == true)
        #expect(failure?.errorDescription?.contains("routeCatalog") == true)
    }

    private func decode(_ json: String) throws -> Person {
        try HTTP.Response(status: 200, body: Data(json.utf8)).decoded(as: Person.self, routes: routes)
    }

    @Test func part_keepsItsMistake_andCostsNoOther() throws {
        let body = Data(#"[{"user":"ann"},{"user":7},{"user":"\ud800"},{"user":"bob"}]"#.utf8)
        let parts = try HTTP.Response(status: 200, body: body).decoded(as: [HTTP.Part<[String: String]>].self)
        #expect(parts.compactMap { try? $0.result.get()["user"] } == ["ann", "bob"])
        let paths = parts.compactMap { part -> String? in
            if case .failure(.undecodable(_, let path, _)) = part.result { path } else { nil }
        }
        #expect(paths == ["[1].user", "[2]"])
    }
}
