import DisplayInterface
import Observation
import RouterServiceInterface

/// The model of a feature that runs alone: the routes to open, and the outcome of the last one.
@Observable
@MainActor
final class StageModel {
    /// The routes to choose from.
    var choices: [any Route] = []
    private var outcome: String?
    @ObservationIgnored private let title: String
    @ObservationIgnored private let router: any Router

    init(title: String, router: any Router) {
        self.title = title
        self.router = router
    }

    /// The current content of the screen.
    var content: Display.Content {
        let rows = choices.map { route in
            Display.Element.row(Display.Row(type(of: route).identifier) { try await self.open(route) })
        }
        return Display.Content(title: title, elements: (outcome.map { [.text($0)] } ?? []) + rows)
    }

    /// Opens a route, waits for its output, and shows it.
    func open(_ route: some Route) async throws {
        outcome = nil
        let output = try await router.result(of: route, as: .push)
        let end = output is Void ? "finished" : "finished with \(output)"
        outcome = "\(type(of: route).identifier) \(end)"
    }
}
