import Foundation
import RouterServiceInterface
import RouterServiceTesting
import Testing

struct NestedLinkTests {
    private let catalog = KnownRoutes([Guarded.self, Visit.self])

    @Test func valuesOfALink_areReadAsTheyAreWritten_whateverTheDecodersStrategies() throws {
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

    @Test func linkWithinALink_isRefused() throws {
        let link = AnyRoute(Guarded(next: AnyRoute(Visit(day: Date(timeIntervalSinceReferenceDate: 0)))))
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        let json = try JSONEncoder().encode(link)
        #expect {
            try decoder.decode(AnyRoute.self, from: json)
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
