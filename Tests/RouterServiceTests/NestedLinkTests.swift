import Foundation
import RouterServiceInterface
import RouterServiceTesting
import Testing

struct NestedLinkTests {
    private let catalog = KnownRoutes([Guarded.self, Visit.self])

    @Test func decodersStrategies_holdWithinObjects() throws {
        let json = #"{"route":"visit","parameters":{"day":"2026-01-31T09:30:00Z"}}"#
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        decoder.dateDecodingStrategy = .iso8601
        let link = try decoder.decode(AnyRoute.self, from: Data(json.utf8))
        #expect((link.route as? Visit)?.day == Date(timeIntervalSince1970: 1_769_851_800))
    }

    @Test func encodersStrategies_holdWithinLinks() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let json = try encoder.encode(AnyRoute(Visit(day: Date(timeIntervalSince1970: 0))))
        #expect(String(decoding: json, as: UTF8.self).contains("1970-01-01T00:00:00Z"))
    }

    @Test func linkAsAString_isReadAsItIsWritten() throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        decoder.dateDecodingStrategy = .iso8601
        let route = AnyRoute(Visit(day: Date(timeIntervalSinceReferenceDate: 7)))
        #expect(try decoder.decode([AnyRoute].self, from: JSONEncoder().encode([route.link])) == [route])
    }

    @Test func decoderOfManyTasks_readsLinksAtTheSameTime() async throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        let json = Data(#"["visit|{\"day\":0}"]"#.utf8)
        try await withThrowingTaskGroup(of: [AnyRoute].self) { group in
            for _ in 0..<200 { group.addTask { try decoder.decode([AnyRoute].self, from: json) } }
            for try await links in group {
                #expect(links == [AnyRoute(Visit(day: Date(timeIntervalSinceReferenceDate: 0)))])
            }
        }
    }

    @Test func copiedUserInfo_carriesTheRoutes() throws {
        let json = Data(#"["visit|{\"day\":0}"]"#.utf8)
        let copy = JSONDecoder()
        do {
            let first = JSONDecoder()
            first.routeCatalog = catalog
            copy.userInfo = first.userInfo
            first.routeCatalog = nil
            #expect(first.routeCatalog == nil)
        }
        #expect(copy.routeCatalog != nil)
        #expect(
            try copy.decode([AnyRoute].self, from: json)
                == [AnyRoute(Visit(day: Date(timeIntervalSinceReferenceDate: 0)))])
    }

    @Test(arguments: [
        #"{"route":"guarded","parameters":{"next":{"route":"visit","parameters":{"day":0}}}}"#,
        #"{"route":"guarded","parameters":{"next":"visit|{\"day\":0}"}}"#,
        #""guarded|{\"next\":{\"route\":\"visit\"}}""#,
    ])
    func linkWithinALink_isRefused(json: String) {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        #expect {
            try decoder.decode(AnyRoute.self, from: Data(json.utf8))
        } throws: { error in
            let context = (error as? DecodingError)?.context
            return context?.debugDescription.hasSuffix("cannot be within another link.") == true
                && context?.codingPath.last?.stringValue == "next"
        }
    }

    private struct Guarded: Route {
        static let identifier = "guarded"
        let next: AnyRoute
    }

    private struct Visit: Route {
        static let identifier = "visit"
        let day: Date
    }
}
