import RouterServiceInterface
import RouterServiceProgram

/// The entries from the first screen to the topmost.
///
/// The router's stack and the presenter's change together, and here only.
///
/// **Nothing foreign is released during a write**: a screen, a question or a presentation may call the router when it
/// is released. It is moved out, the stack is written, and only then is it released. The same holds for every stored
/// closure, service and screen of the router, the presenters and the testing kit.
@MainActor
final class NavigationStack {
    private(set) var entries: [StackEntry] = []
    private(set) var presenter: (any Presenter)?
    /// Whether the first screen is about to take the place of those that interceptors show before it.
    var isStarting = false
    private let events: RouterEvents
    private var count = 0
    /// The number of times that entries were removed.
    private(set) var removals = 0
    /// The screens whose confirmations are pending.
    private var asked: Set<ObjectIdentifier> = []

    init(events: RouterEvents) { self.events = events }

    var isEmpty: Bool { entries.isEmpty }

    /// Sets or removes the presenter of all screens.
    func use(_ presenter: (any Presenter)?) {
        _ = exchange(&self.presenter, with: presenter)
    }

    func nextID() -> Presentation.ID {
        count += 1
        return Presentation.ID(count)
    }

    /// The entry of a context, whose screen is on the stack, or embedded in one that is.
    ///
    /// - Throws: `RouterError.Rejection.screenDismissed` where the screen was removed or replaced.
    func entry(of context: any AnyScreenContext) throws -> StackEntry {
        var (own, outer): (StackEntry?, (any AnyScreenContext)?) = (context.entry, context)
        while let current = outer, let entry = current.entry, entry.shown.context === current {
            if entry.position != nil, let own { return own }
            outer = entry.parent
        }
        throw RouterError.rejected(.screenDismissed, route: context.routeType)
    }

    /// Builds the screen of a new entry and shows it in a place; all or nothing.
    func show(
        _ entry: StackEntry, at place: ScreenPlace, building build: () throws -> any Screen
    ) throws {
        guard let presenter else { throw RouterError.rejected(.notStarted, route: entry.routeType) }
        let start = events.start()
        // It has its place while it is being built, so that a screen that finishes at once is treated alike.
        switch place {
        case .top:
            entry.position = entries.count
            entries.append(entry)
        case .insteadOf(let former, _):
            guard let place = former.position else {
                throw RouterError.rejected(.screenDismissed, route: former.routeType)
            }
            entries.insert(entry, at: place + 1)
            renumber(from: place + 1)
        case .within(let parent, _): parent.entry?.shown.children.append(entry)
        }
        do {
            let screen = try build()
            switch place {
            case .top:
                guard entry.position != nil else { return }
                try presenter.show(screen, as: presentation(of: entry))
            case .insteadOf(let former, let leaving):
                if entry.position != nil {
                    try presenter.replace([former.id: (screen, presentation(of: entry))])
                }
                if let place = entry.position, let topmost = leaving.compactMap(\.position).max(),
                    topmost > place
                {
                    remove(place + 1..<topmost + 1)
                }
                if let place = former.position { remove(place..<place + 1) }
            case .within(_, let receive):
                _ = try self.entry(of: entry.shown.context)
                receive(EmbeddedScreen(screen, as: presentation(of: entry)))
            }
        } catch {
            if let place = entry.position { remove(place..<place + 1) } else { remove(entry) }
            throw error
        }
        guard entry.isThere else {
            // It finished while it was being shown, when the presenter may not have had it yet.
            return presenter.remove([entry.id])
        }
        events.add(.presented(AnyRoute(entry.route), as: entry.style, in: events.duration(since: start)))
    }

    /// Creates a presentation of an entry's screen, for the presenter to keep.
    private func presentation(of entry: StackEntry) -> Presentation {
        let context = entry.shown.context
        let presentation = Presentation(
            id: entry.id, style: entry.style, isRoot: entry.isRoot,
            onDrop: { [weak self, weak context] in context.map { self?.drop($0) } },
            onClose: { [weak self, weak context] in
                if let context { await self?.close(context) }
            })
        context.presentation = presentation
        return presentation
    }

    /// Delivers an output and removes its screen.
    func finish<R: Route>(_ context: ScreenContext<R>, with output: R.Output) throws {
        let already = RouterError.rejected(.alreadyFinished, route: context.routeType)
        if context.isFinished { throw already }
        let entry = try removableEntry(of: context)
        events.add(.finished(AnyRoute(entry.route)))
        context.deliver(output)
        // A screen that is shown before the first one stays until that takes its place.
        if !entry.isRoot { remove(entry) }
    }

    /// Removes a screen because the user leaves it, unless a screen that would be removed is to stay.
    func close(_ context: any AnyScreenContext) async {
        guard let entry = try? entry(of: context), !entry.isRoot else { return }
        try? await leave { self.entries(from: entry) }
    }

    /// Removes a screen that the presenter has dropped.
    func drop(_ context: any AnyScreenContext) {
        if let entry = try? entry(of: context), !entry.isRoot { remove(entry) }
    }

    /// Removes a screen because its feature asks for it.
    func dismiss(_ context: any AnyScreenContext) async throws {
        let entry = try removableEntry(of: context)
        guard !entry.isRoot else { return entry.cancelResult() }
        try await leave { self.entries(from: entry) }
    }

    /// Removes screens until the nearest one below a screen that shows a type of route is the topmost; without a screen,
    /// from the topmost one down.
    func dismiss(to route: TypeName, below context: (any AnyScreenContext)?) async throws {
        try await leave {
            let end = try context.map { context in
                let entry = try self.entry(of: context)
                var host = entry
                while let parent = host.parent?.entry { host = parent }
                guard let index = host.position else {
                    throw RouterError.rejected(.screenDismissed, route: context.routeType)
                }
                // The screen in which an embedded one is shown is below that.
                return host === entry ? index : index + 1
            }
            guard
                let index = self.entries[..<(end ?? self.entries.endIndex)].lastIndex(where: {
                    $0.routeType == route
                })
            else {
                throw RouterError.routeNotInStack(route)
            }
            return self.entries[(index + 1)...].flatMap(\.withChildren)
        }
    }

    /// Stores the confirmation to ask for before a screen is left.
    func confirmLeaving(_ context: any AnyScreenContext, by confirmation: LeaveConfirmation?) throws {
        let entry = try entry(of: context)
        _ = exchange(&entry.shown.confirmation, with: confirmation)
    }

    /// Asks the screens that are about to be left, the topmost first, until none of them objects.
    ///
    /// - Parameter leaving: The entries in question; asked for again after each answer, which takes its time.
    /// - Throws: `CancellationError` when one is to stay, or is being asked already.
    func confirmLeaving(_ leaving: () throws -> [StackEntry]) async throws {
        var confirmed: [ObjectIdentifier: any AnyScreenContext] = [:]
        while let screen = try leaving().last(where: {
            $0.shown.confirmation != nil && confirmed[ObjectIdentifier($0.shown.context)] == nil
        })?.shown {
            // One that replaces it meanwhile is asked too.
            let id = ObjectIdentifier(screen.context)
            guard let confirm = screen.confirmation, asked.insert(id).inserted else {
                throw CancellationError()
            }
            defer { asked.remove(id) }
            guard try await untilCancelled(confirm) else { throw CancellationError() }
            try Task.checkCancellation()
            confirmed[id] = screen.context
        }
    }

    /// Removes entries that may be left; what is opened above them while a screen is asked stays.
    private func leave(_ leaving: () throws -> [StackEntry]) async throws {
        let left = try await confirmed(leaving)
        let places = left.compactMap(\.position)
        if let lowest = places.min(), let topmost = places.max() {
            remove(lowest..<topmost + 1)
        } else if let embedded = left.first {
            remove(embedded)
        }
    }

    /// The entries of some that may be left, without what is opened above them while a screen is asked.
    func confirmed(_ leaving: () throws -> [StackEntry]) async throws -> [StackEntry] {
        let first = try leaving()
        guard first.contains(where: { $0.shown.confirmation != nil }) else { return first }
        let known = Set(first.map { ObjectIdentifier($0) })
        func stillLeaving() throws -> [StackEntry] {
            try leaving().filter { known.contains(ObjectIdentifier($0)) }
        }
        try await confirmLeaving(stillLeaving)
        return try stillLeaving()
    }

    /// Removes a screen with all above it; callers that wait for one of them receive a cancellation.
    func remove(_ entry: StackEntry) {
        if let index = entry.position {
            remove(index..<entries.endIndex)
        } else {
            release(entries(from: entry).reversed())
        }
    }

    func remove(_ range: Range<Int>) {
        let removed = entries[range].flatMap(\.withChildren)
        entries.removeSubrange(range)
        renumber(from: range.lowerBound)
        release(removed.reversed())
    }

    private func renumber(from lowest: Int) {
        for index in entries[lowest...].indices { entries[index].position = index }
    }

    /// Releases the screens of entries that are no longer on the stack, the topmost first, and cancels their results.
    private func release(_ removed: [StackEntry]) {
        guard !removed.isEmpty else { return }
        removals += 1
        var released: [LeaveConfirmation] = []
        for entry in removed {
            entry.parent?.entry?.shown.children.removeAll { $0 === entry }
            (entry.position, entry.parent) = (nil, nil)
            entry.shown.context.presentation?.end()
            if let confirmation = entry.shown.confirmation.take() { released.append(confirmation) }
        }
        presenter?.remove(removed.map(\.id))
        for entry in removed {
            entry.cancelResult()
            events.add(.removed(AnyRoute(entry.route)))
        }
    }

    /// Rebuilds the screens of some entries, and replaces the present ones; all or none.
    ///
    /// The calls of the present screens are rejected from the first moment.
    ///
    /// - Throws: The error of a feature or the presenter; nothing has changed then.
    func rebuild(_ affected: [StackEntry], in container: Container) throws {
        let former = affected.map { entry in
            let context = entry.shown.context.successor()
            return exchange(&entry.shown, with: ShownScreen(context: context, isTentative: true))
        }
        var replacements: [Presentation.ID: (screen: any Screen, presentation: Presentation)] = [:]
        do {
            let built = try affected.map { ($0, try $0.shown.context.screen(in: container)) }
            // Building one screen may have removed another.
            for (entry, screen) in built where entry.position != nil {
                replacements[entry.id] = (screen, presentation(of: entry))
            }
            try presenter?.replace(replacements)
        } catch {
            for (entry, screen) in zip(affected, former) { _ = exchange(&entry.shown, with: screen) }
            replacements.values.forEach { $0.presentation.end() }
            release(affected.filter { $0.position == nil }.flatMap { $0.withChildren.dropFirst() }.reversed())
            throw error
        }
        for entry in affected { entry.shown.isTentative = false }
        former.forEach { $0.context.presentation?.end() }
        release(former.flatMap(\.children).flatMap(\.withChildren).reversed())
    }

    /// An entry, those above it, and those that are embedded in them; nothing where it is gone.
    func entries(from entry: StackEntry) -> [StackEntry] {
        if let index = entry.position { return entries[index...].flatMap(\.withChildren) }
        return entry.parent == nil ? [] : entry.withChildren
    }

    private func removableEntry(of context: any AnyScreenContext) throws -> StackEntry {
        let entry = try entry(of: context)
        guard !entry.shown.isTentative else {
            throw RouterError.rejected(.screenDismissed, route: entry.routeType)
        }
        let isAwaitedFirst = isStarting && entry.isProvisional
        guard !entry.isRoot || isAwaitedFirst else {
            throw RouterError.rejected(.cannotDismissRoot, route: entry.routeType)
        }
        return entry
    }
}
