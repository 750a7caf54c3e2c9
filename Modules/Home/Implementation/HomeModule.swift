import DisplayInterface
import HomeInterface
public import RouterServiceInterface

/// Registers the first screen.
// snippet: module
public struct HomeModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.route(Home.Overview.self, .url("app://home"), by: HomeFeature.init)
    }
}
// snippet: end

/// Builds the screen with the entries of all modules.
// snippet: feature
struct HomeFeature: Feature {
    let entries: [Home.Entry]

    func build(_ route: Home.Overview, in context: any RouteContext<Home.Overview>) -> any Screen {
        Display.ContentScreen {
            let rows = entries.sorted(by: isOrdered).map { entry in
                Display.Row(entry.title(), detail: entry.detail()) {
                    let route = entry.route()
                    try await context.open(route)
                }
            }
            let name = Display.Element.text("Modular Swift: features that meet at interfaces")
            return Display.Content(title: "Home", elements: [name] + rows.map { .row($0) })
        }
    }
}
// snippet: end

extension HomeFeature {
    /// Whether an entry comes before another entry: by title, or by link where the titles are the same.
    private func isOrdered(_ first: Home.Entry, _ second: Home.Entry) -> Bool {
        let (title, other) = (first.title(), second.title())
        return title == other
            ? "\(AnyRoute(first.route()))" < "\(AnyRoute(second.route()))" : title < other
    }
}
