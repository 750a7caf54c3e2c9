import Foundation
import RouterServiceInterface
import RouterServiceTesting
import Testing

struct NestedLinkTests {
    private let catalog = KnownRoutes([Guarded.self, Visit.self])

    @Test func linkInALink_becomesBothRoutesInBothForms() throws {
        let route = AnyRoute(
            Guarded(next: AnyRoute(Guarded(next: AnyRoute(Visit(day: Date(timeIntervalSince1970: 0)))))))
        #expect(try AnyRoute(route.link, in: catalog) == route)
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        #expect(try decoder.decode(AnyRoute.self, from: JSONEncoder().encode(route)) == route)
    }

    @Test(arguments: [
        #"{"route":"visit","parameters":{"day":"2026-01-31T09:30:00Z"}}"#,
        #"{"route":"guarded","parameters":{"next":{"route":"visit","parameters":{"day":"2026-01-31T09:30:00Z"}}}}"#,
    ])
    func decodersStrategies_holdWithinObjects(json: String) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        decoder.dateDecodingStrategy = .iso8601
        let link = try decoder.decode(AnyRoute.self, from: Data(json.utf8))
        let visit = ((link.route as? Guarded)?.next ?? link).route as? Visit
        #expect(visit?.day == Date(timeIntervalSince1970: 1_769_851_800))
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
        let route = AnyRoute(Guarded(next: AnyRoute(Visit(day: Date(timeIntervalSinceReferenceDate: 7)))))
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

    @Test(arguments: [8, 9, 200])
    func linksTooDeepWithinOneAnother_areRefused(depth: Int) throws {
        let object =
            String(repeating: #"{"route":"guarded","parameters":{"next":"#, count: depth - 1)
            + #"{"route":"visit","parameters":{"day":0}}"# + String(repeating: "}}", count: depth - 1)
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        guard depth > 8 else {
            #expect(throws: Never.self) { try decoder.decode(AnyRoute.self, from: Data(object.utf8)) }
            return
        }
        #expect {
            try decoder.decode(AnyRoute.self, from: Data(object.utf8))
        } throws: { error in
            let context = (error as? DecodingError)?.context
            return context?.debugDescription == "Links are nested more than 8 deep."
                && context?.codingPath.count == 16
        }
    }

    @Test func stringsTooDeepWithinOneAnother_areRefused() throws {
        var link = #"visit|{"day":0}"#
        for _ in 1..<9 {
            let quoted = String(decoding: try JSONEncoder().encode(link), as: UTF8.self)
            link = #"guarded|{"next":\#(quoted)}"#
        }
        #expect {
            try AnyRoute(link, in: catalog)
        } throws: { error in
            let context = (error as? DecodingError)?.context
            return context?.debugDescription == "Links are nested more than 8 deep."
                && context?.path == Array(repeating: "next", count: 8).joined(separator: ".")
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
