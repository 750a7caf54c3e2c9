public import RouterServiceInterface

/// The stack, from the first screen to the topmost, and the states of models and services, as a value.
///
/// Decoding a snapshot needs the router's ``ProgramRouter/catalog`` in the decoder.
public struct RouterSnapshot: Hashable, Sendable, Codable {
    /// One screen: its route, its style, and the state of its model, where the model keeps one.
    public struct Entry: Hashable, Sendable, Codable {
        public let route: AnyRoute
        public let style: PresentationStyle
        public let state: State?

        public init(route: AnyRoute, style: PresentationStyle, state: State? = nil) {
            self.route = route
            self.style = style
            self.state = state
        }
    }

    /// The state of a `Restorable`.
    ///
    /// The state is JSON, because the type of the next instance may be recompiled, or belong to the next run of the program.
    public struct State: Hashable, Sendable, Codable {
        public let json: String
        public let scope: StateScope

        public init(_ json: String, of scope: StateScope) {
            self.json = json
            self.scope = scope
        }
    }

    public let entries: [Entry]
    /// The states of services, by the full names of their types; nil if there are none.
    public let services: [String: State]?

    public init(entries: [Entry], services: [String: State]? = nil) {
        self.entries = entries
        self.services = services
    }
}
