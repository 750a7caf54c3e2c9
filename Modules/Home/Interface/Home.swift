public import RouterServiceInterface

/// The first screen, to which every module can contribute an entry.
public enum Home {}

// snippet: route
extension Home {
    /// Leads to the first screen.
    public struct Overview: Route {
        public static let identifier = "home.overview"

        public init() {}
    }
}
// snippet: end

extension Home {
    /// An entry of the first screen, which a module contributes:
    /// `registrar.contribute(Home.Entry.self) { Home.Entry("Notes", opens: Notes.List()) }`.
    ///
    /// The arguments are evaluated each time the screen is drawn, so that an entry follows observable services.
    @MainActor
    public struct Entry {
        public let title: @MainActor () -> String
        /// Additional text, on the line of the title.
        public let detail: @MainActor () -> String?
        /// The route that the entry opens.
        public let route: @MainActor () -> any Route

        public init(
            _ title: @autoclosure @escaping @MainActor () -> String,
            detail: @autoclosure @escaping @MainActor () -> String? = nil,
            opens route: @autoclosure @escaping @MainActor () -> any Route
        ) {
            self.title = title
            self.detail = detail
            self.route = route
        }
    }
}
