public import RouterServiceInterface

/// The stack, from the first screen to the topmost, and the states of models and services, as a value.
///
/// Decoding needs the router's ``ProgramRouter/catalog`` in the decoder.
public struct RouterSnapshot: Hashable, Sendable, Codable {
    /// One screen: its route, and how it was shown.
    public struct Entry: Hashable, Sendable, Codable {
        public let route: AnyRoute
        public let style: PresentationStyle
        /// The state of the screen's model as JSON, where it keeps one.
        public let state: String?
        /// The same for a model whose state is never stored; nil in a snapshot that may be stored.
        public let memoryState: String?
        /// The screens that are embedded in it and whose models keep states; nil if there are none.
        public let embedded: [Entry]?

        public init(
            route: AnyRoute, style: PresentationStyle, state: String? = nil, memoryState: String? = nil,
            embedded: [Entry]? = nil
        ) {
            self.route = route
            self.style = style
            self.embedded = embedded
            (self.state, self.memoryState) = (state, memoryState)
        }
    }

    public let entries: [Entry]
    /// The states of services as JSON, by the full names of their types; nil if there are none.
    public let services: [String: String]?
    /// The same for services whose states are never stored; nil in a snapshot that may be stored.
    public let memoryServices: [String: String]?

    public init(
        entries: [Entry], services: [String: String]? = nil, memoryServices: [String: String]? = nil
    ) {
        self.entries = entries
        self.services = services
        self.memoryServices = memoryServices
    }
}
