import Foundation
import RouterServiceInterface

extension Operation {
    /// Finding the route of a URL among one pattern and among a thousand.
    static let urlMatching = [
        Operation("match-url-1", amongPatterns: 1),
        Operation("match-url-1000", amongPatterns: 1000),
    ]

    private init(_ name: String, amongPatterns count: Int) {
        self.init(name) {
            let patterns = (1...count).map { URLPattern("https://shop.example/shelf\($0)/:customer") }
            let catalog = RouteCatalog([RouteCatalog.Entry(Basket.self, urls: patterns)])
            // The last, which a search from the first to the last would find last.
            guard let url = URL(string: "https://shop.example/shelf\(count)/ann") else {
                throw URLError(.badURL)
            }
            return { repetitions in
                try timed(repetitions) { keep(try catalog.route(for: url)) }
            }
        }
    }
}
