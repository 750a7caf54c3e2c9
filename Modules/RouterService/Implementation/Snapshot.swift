public import RouterServiceInterface

/// What is shown, from the first screen to the topmost, as a value that can be stored.
///
/// Decoding needs the router's ``RouterService/catalog`` in the decoder.
public struct RouterSnapshot: Hashable, Sendable, Codable {
    /// One screen: its route, and how it was shown.
    public struct Entry: Hashable, Sendable, Codable {
        /// The route.
        public let route: AnyRoute
        /// How its screen was shown.
        public let style: PresentationStyle

        /// Creates an entry.
        public init(route: AnyRoute, style: PresentationStyle) {
            self.route = route
            self.style = style
        }
    }

    /// The screens, the first one first.
    public let entries: [Entry]

    /// Creates a snapshot.
    public init(entries: [Entry]) {
        self.entries = entries
    }
}

extension RouterService {
    /// What is shown now.
    public var snapshot: RouterSnapshot {
        RouterSnapshot(
            entries: screens.showings.map { RouterSnapshot.Entry(route: AnyRoute($0.anyRoute), style: $0.style) })
    }

    /// Shows the stack of a snapshot in place of everything that is shown, or as the first thing.
    ///
    /// Each route takes the same way as any other, so interceptors decide about it and it may lead elsewhere. Either
    /// the whole stack is shown, or nothing changes. Callers that waited when the snapshot was made are gone:
    /// what the screens finish with is delivered to nobody.
    ///
    /// - Throws: What prevented it, usually a ``RouterServiceInterface/RouterError``.
    public func restore(_ snapshot: RouterSnapshot) async throws {
        let openings = snapshot.entries.enumerated().map { index, entry in
            Opening(route: entry.route.route, style: index == 0 ? .root : entry.style)
        }
        if screens.isEmpty {
            try await start(with: openings, from: .restored)
        } else {
            try await open(openings, from: .restored, by: .router)
        }
    }
}
