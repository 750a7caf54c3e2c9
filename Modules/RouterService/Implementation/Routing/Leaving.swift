import RouterServiceInterface

/// Collects the consent of screens that are about to be left; each screen is asked once.
@MainActor
final class LeaveConsent {
    /// The contexts of the screens that may be left; a rebuilt screen has another context, and is asked too.
    private var consenting: [ObjectIdentifier: any AnyScreenContext] = [:]

    /// Asks screens that were not asked before, the topmost first; `leaving` is read again whenever the stack has changed.
    ///
    /// - Returns: Whether a screen was asked.
    /// - Throws: `UserDeclined` when a screen is to stay, or is being asked already.
    func ask(_ leaving: () throws -> [StackEntry], on stack: NavigationStack) async throws -> Bool {
        var hasAsked = false
        var (pending, changes) = ([StackEntry](), -1)
        while true {
            if changes != stack.changes {
                changes = stack.changes
                pending = try leaving().filter { $0.shown.confirmation != nil && !hasConsent(of: $0) }
            }
            guard let entry = pending.popLast() else { return hasAsked }
            guard let confirm = entry.shown.confirmation else { continue }
            try await ask(entry.shown.context, by: confirm)
            hasAsked = true
        }
    }

    private func ask(
        _ context: any AnyScreenContext, by confirm: @escaping LeaveConfirmation
    ) async throws {
        guard !context.isConfirming else { throw UserDeclined() }
        context.isConfirming = true
        let mayLeave = try await untilCancelled {
            // A question that ignores its cancellation is still shown, so it is not asked a second time.
            defer { context.isConfirming = false }
            return try await confirm()
        }
        guard mayLeave else { throw UserDeclined() }
        try Task.checkCancellation()
        consenting[ObjectIdentifier(context)] = context
    }

    private func hasConsent(of entry: StackEntry) -> Bool {
        consenting[ObjectIdentifier(entry.shown.context)] != nil
    }
}

extension NavigationStack {
    /// Removes a screen that the user leaves, unless it, or a screen above it, is to stay.
    func close(_ context: any AnyScreenContext) async {
        guard let entry = try? entry(of: context), !entry.isRoot else { return }
        try? await leave { self.entries(from: entry) }
    }

    func dismiss(_ context: any AnyScreenContext) async throws {
        let entry = try removableEntry(of: context)
        guard !entry.isRoot else { return entry.deliver(.failure(UserDeclined())) }
        try await leave { self.entries(from: entry) }
    }

    /// Removes screens until the nearest screen of a type of route is the topmost.
    func dismiss(to route: TypeKey, below context: (any AnyScreenContext)?) async throws {
        try await leave {
            let end = try context.map(self.endOfSearch) ?? self.entries.endIndex
            guard let index = self.entries[..<end].lastIndex(where: { $0.routeType == route }) else {
                throw RouterError.routeNotInStack(route)
            }
            return self.entries[(index + 1)...].flatMap(\.withChildren)
        }
    }

    /// The end of the entries below a screen; for an embedded screen, the search starts at its host.
    private func endOfSearch(below context: any AnyScreenContext) throws -> Int {
        let entry = try entry(of: context)
        var host = entry
        while let parent = host.parent?.entry { host = parent }
        guard let index = host.position else {
            throw RouterError.rejected(.screenDismissed, route: context.routeType)
        }
        return host === entry ? index : index + 1
    }

    func confirmLeaving(_ context: any AnyScreenContext, by confirmation: LeaveConfirmation?) throws {
        let entry = try entry(of: context)
        if entry.shown.confirmation == nil { changes += 1 }
        _ = exchange(&entry.shown.confirmation, with: confirmation)
    }

    /// Removes entries that may be left; screens that are opened above them meanwhile stay.
    private func leave(_ leaving: () throws -> [StackEntry]) async throws {
        let first = try leaving()
        guard first.contains(where: { $0.shown.confirmation != nil }) else { return remove(first) }
        let known = Set(first.map { ObjectIdentifier($0) })
        func stillLeaving() throws -> [StackEntry] {
            try leaving().filter { known.contains(ObjectIdentifier($0)) }
        }
        _ = try await LeaveConsent().ask(stillLeaving, on: self)
        remove(try stillLeaving())
    }
}
