import Foundation
import RouterServiceImplementation
import RouterServiceInterface

extension Operation {
    /// Finding the route of a URL among one pattern and among a thousand, all of one route.
    static let urlMatching = [
        Operation("match-url-1", among: OnePattern(), last: 1),
        Operation("match-url-1000", among: ThousandPatterns(), last: ThousandPatterns.count),
    ]

    private init(_ name: String, among patterns: any Module, last number: Int) {
        self.init(name) {
            let catalog = RouterService(modules: [ShopServices(), patterns]).catalog
            // The last, which a search from the first to the last would find last.
            guard let url = URL(string: "https://shop.example/shelf\(number)/ann") else {
                throw URLError(.badURL)
            }
            return { repetitions in
                try timed(repetitions) { keep(try catalog.route(for: url)) }
            }
        }
    }
}

/// Registers the basket's route with the first of the patterns of `ThousandPatterns`.
private struct OnePattern: Module {
    func register(in registrar: Registrar) {
        registrar.route(
            Basket.self, .url("https://shop.example/shelf1/:customer"), by: BasketFeature.init)
    }
}
