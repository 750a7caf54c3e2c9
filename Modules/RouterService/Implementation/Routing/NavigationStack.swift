import RouterServiceInterface

/// The entries from the first screen to the topmost.
///
/// The router's stack and the presenter's change together, and here only.
@MainActor
final class NavigationStack {
    private(set) var entries: [any AnyStackEntry] = []
    /// The entries whose screens are embedded in other screens.
    private var children: [(entry: any AnyStackEntry, parent: any AnyStackEntry)] = []
    var presenter: (any Presenter)?
    /// Whether the first screen is about to take the place of those that interceptors show before it.
    var isStarting = false
    private let events: RouterEvents
    private var count = 0
    private var confirmations: [ObjectIdentifier: LeaveConfirmation] = [:]
    /// The entries whose screens are being built to replace others.
    private var replacements: [any AnyStackEntry] = []
    /// The screens whose confirmations are pending.
    private var asked: Set<Presentation.ID> = []

    typealias LeaveConfirmation = @MainActor () async throws -> Bool

    init(events: RouterEvents) {
        self.events = events
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether an entry itself, and not one that took its place, is on the stack or embedded in one that is.
    func contains(_ entry: any AnyStackEntry) -> Bool {
        entries.contains { $0 === entry } || parent(of: entry) != nil
    }

    private func parent(of child: any AnyStackEntry) -> (any AnyStackEntry)? {
        children.first { $0.entry === child }?.parent
    }

    /// An entry and those that are embedded in it, in each other too.
    func withChildren(_ entry: any AnyStackEntry) -> [any AnyStackEntry] {
        [entry] + children.filter { $0.parent === entry }.flatMap { withChildren($0.entry) }
    }

    /// Where an entry, or the one that took its place, is on the stack.
    func index(of entry: any AnyStackEntry) -> Int? {
        entries.lastIndex { $0.id == entry.id }
    }

    /// Builds the screen of an entry and shows it above all others.
    func show<R: Route>(
        _ entry: StackEntry<R>, building build: (RouteContext<R>) throws -> any Screen
    ) throws {
        guard let presenter else { throw RouterError.notStarted(route: TypeName(R.self)) }
        let start = events.start()
        count += 1
        entry.id = Presentation.ID(count)
        // It is on the stack while it is being built, so that a screen that finishes at once is treated alike.
        entries.append(entry)
        do {
            let screen = try build(entry.context)
            guard contains(entry) else { return }
            try presenter.show(screen, as: entry.newPresentation())
        } catch {
            remove(entry)
            throw error
        }
        guard contains(entry) else {
            // It finished while it was being shown, when the presenter did not have it yet.
            return presenter.remove([entry.id])
        }
        events.add(.presented(AnyRoute(entry.route), as: entry.style, in: events.duration(since: start)))
    }

    /// Builds the screen of an entry within that of another.
    func embed<R: Route>(
        _ entry: StackEntry<R>, in parent: any AnyStackEntry,
        building build: (RouteContext<R>) throws -> any Screen
    ) throws -> EmbeddedScreen {
        let start = events.start()
        count += 1
        entry.id = Presentation.ID(count)
        children.append((entry, parent))
        do {
            let screen = try build(entry.context)
            try requirePresence(of: entry)
            let embedded = EmbeddedScreen(screen, as: entry.newPresentation())
            events.add(.presented(AnyRoute(entry.route), as: entry.style, in: events.duration(since: start)))
            return embedded
        } catch {
            remove(entry)
            throw error
        }
    }

    /// Delivers an output and removes its screen.
    func finish<R: Route>(_ entry: StackEntry<R>, with output: R.Output) throws {
        guard !entry.isFinished else { throw RouterError.alreadyFinished(route: entry.routeType) }
        try requireRemovable(entry)
        events.add(.finished(AnyRoute(entry.route)))
        entry.finish(with: output)
        // A screen that is shown before the first one stays until that takes its place.
        if !entry.isRoot { remove(entry) }
    }

    /// Removes a screen because the user leaves it, unless a screen that would be removed is to stay.
    func close(_ entry: any AnyStackEntry) async {
        guard !entry.isRoot, contains(entry) else { return }
        try? await leave { self.entries(from: entry) }
    }

    /// Removes a screen that the presenter has dropped.
    func drop(_ entry: any AnyStackEntry) {
        if !entry.isRoot, contains(entry) { remove(entry) }
    }

    /// Removes a screen because its feature asks for it.
    func dismiss(_ entry: any AnyStackEntry) async throws {
        try requireRemovable(entry)
        guard !entry.isRoot else { return entry.cancel() }
        try await leave { self.entries(from: entry) }
    }

    /// Removes screens until the nearest one below an entry that shows a target is the topmost; without an entry, from
    /// the topmost screen down.
    func dismiss(to target: DismissalTarget, below entry: (any AnyStackEntry)?) async throws {
        let (name, matches): (String, (any AnyStackEntry) -> Bool) =
            switch target {
            case .route(let route): ("\(route)", { AnyRoute($0.anyRoute) == route })
            case .type(let type): ("\(type)", { $0.routeType == type })
            }
        try await leave {
            let end = try entry.map { entry in
                var host = entry
                while let parent = self.parent(of: host) { host = parent }
                guard let index = self.entries.firstIndex(where: { $0 === host }) else {
                    throw RouterError.screenDismissed(route: entry.routeType)
                }
                // The screen in which an embedded one is shown is below that.
                return host === entry ? index : index + 1
            }
            guard let index = self.entries[..<(end ?? self.entries.endIndex)].lastIndex(where: matches) else {
                throw RouterError.routeNotInStack(name)
            }
            return self.entries[(index + 1)...].flatMap(self.withChildren)
        }
    }

    /// Stores the confirmation to ask for before a screen is left.
    ///
    /// Not in the entry: a screen's context holds that, and the question usually holds the screen.
    func confirmLeaving(_ entry: any AnyStackEntry, by confirmation: LeaveConfirmation?) throws {
        try requirePresence(of: entry)
        confirmations[ObjectIdentifier(entry)] = confirmation
    }

    /// Asks the screens that are about to be left, the topmost first, until none of them objects.
    ///
    /// - Parameter leaving: The entries in question; asked for again after each answer, which takes its time.
    /// - Throws: `CancellationError` when one is to stay, or is being asked already.
    func confirmLeaving(_ leaving: () throws -> [any AnyStackEntry]) async throws {
        if confirmations.isEmpty { return }
        var confirmed: Set<Presentation.ID> = []
        while let entry = try leaving().last(where: {
            confirmations[ObjectIdentifier($0)] != nil && !confirmed.contains($0.id)
        }) {
            let id = entry.id
            guard let confirm = confirmations[ObjectIdentifier(entry)], asked.insert(id).inserted else {
                throw CancellationError()
            }
            defer { asked.remove(id) }
            guard try await confirm() else { throw CancellationError() }
            try Task.checkCancellation()
            confirmed.insert(id)
        }
    }

    private func leave(_ leaving: () throws -> [any AnyStackEntry]) async throws {
        try await confirmLeaving(leaving)
        if let lowest = try leaving().first { remove(lowest) }
    }

    /// Removes a screen with all above it; callers that wait for one of them receive a cancellation.
    func remove(_ entry: any AnyStackEntry) {
        if let index = index(of: entry) {
            remove(index..<entries.endIndex)
        } else if parent(of: entry) != nil {
            end(withChildren(entry).reversed())
        }
    }

    /// Removes all screens below one that is shown as `root`.
    func removeBelow(_ entry: any AnyStackEntry) {
        guard let index = index(of: entry) else { return }
        remove(0..<index)
    }

    func removeAll() {
        remove(entries.indices)
    }

    private func remove(_ range: Range<Int>) {
        let removed = entries[range].flatMap(withChildren)
        entries.removeSubrange(range)
        end(removed.reversed())
    }

    /// Ends entries that are no longer on the stack, the topmost first.
    private func end(_ removed: [any AnyStackEntry]) {
        guard !removed.isEmpty else { return }
        children.removeAll { child in removed.contains { $0 === child.entry } }
        var unasked: [LeaveConfirmation] = []
        for entry in removed {
            entry.presentation?.end()
            // Kept until the end, because releasing a question may release a screen that calls back.
            if let confirmation = confirmations.removeValue(forKey: ObjectIdentifier(entry)) {
                unasked.append(confirmation)
            }
        }
        presenter?.remove(removed.map(\.id))
        for entry in removed {
            entry.cancel()
            events.add(.removed(AnyRoute(entry.anyRoute)))
        }
    }

    /// Rebuilds the screens of some entries, and replaces the present ones; all or none.
    ///
    /// - Throws: The error of a feature or the presenter; nothing has changed then.
    func rebuild(_ former: [any AnyStackEntry], in container: Container) throws {
        replacements = former.map { $0.replacement() }
        var gone = replacements
        defer {
            // Kept until the end, because releasing a question may release a screen that calls back.
            let unasked = gone.map { confirmations.removeValue(forKey: ObjectIdentifier($0)) }
            replacements = []
            withExtendedLifetime(unasked) {}
        }
        let screens = try replacements.map { try $0.screen(in: container) }
        let presentations = replacements.map { $0.newPresentation() }
        do {
            try presenter?.replace(zip(screens, presentations).map { (screen: $0, presentation: $1) })
        } catch {
            presentations.forEach { $0.end() }
            throw error
        }
        for (old, new) in zip(former, replacements) {
            guard let index = index(of: old) else { continue }
            old.presentation?.end()
            entries[index] = new
            end(withChildren(old).dropFirst().reversed())
        }
        gone = former
    }

    private func entries(from entry: any AnyStackEntry) -> [any AnyStackEntry] {
        if let index = index(of: entry) { return entries[index...].flatMap(withChildren) }
        return parent(of: entry) == nil ? [] : withChildren(entry)
    }

    /// Rejects calls of a screen that is gone; one that is being built to replace another is not.
    func requirePresence(of entry: any AnyStackEntry) throws {
        guard contains(entry) || replacements.contains(where: { $0 === entry }) else {
            throw RouterError.screenDismissed(route: entry.routeType)
        }
    }

    private func requireRemovable(_ entry: any AnyStackEntry) throws {
        guard contains(entry) else { throw RouterError.screenDismissed(route: entry.routeType) }
        let isAwaitedFirst = isStarting && entry.isProvisional
        guard !entry.isRoot || isAwaitedFirst else {
            throw RouterError.cannotDismissRoot(route: entry.routeType)
        }
    }
}
