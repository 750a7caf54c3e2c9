import RouterServiceInterface
import RouterServiceProgram

/// The entries from the first screen to the topmost; the only place where they and the presenter's screens change.
///
/// **Nothing foreign is released during a write**: a screen, a question, a presentation or a service may call the router when it
/// is released. It is moved out, the write is finished, and only then is it released.
@MainActor
final class NavigationStack {
    private(set) var entries: [StackEntry] = []
    private(set) var presenter: (any Presenter)?
    /// The openings of the first screens, until these are shown; interceptors may show other screens before.
    private(set) var starting: [Opening]?
    /// The number of changes of the entries, their screens and their questions.
    var changes = 0
    /// The number of times that entries were removed, or a first screen was shown above other screens.
    private(set) var disruptions = 0
    private let events: RouterEvents
    private var count = 0

    init(events: RouterEvents) { self.events = events }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether the first screen is shown.
    var isStarted: Bool { !entries.isEmpty && starting == nil }

    func begin(with openings: [Opening]) { starting = openings }

    func use(_ presenter: any Presenter) {
        _ = exchange(&self.presenter, with: presenter)
    }

    func endStart(isShown: Bool) {
        if !isShown {
            remove(entries.flatMap(\.withChildren))
            _ = presenter.take()
        }
        starting = nil
    }

    /// The entry of a context whose screen is on the stack, or embedded in a screen on the stack.
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

    /// An entry, the entries above it, and the entries embedded in them; empty where the entry is gone.
    func entries(from entry: StackEntry) -> [StackEntry] {
        if let index = entry.position { return entries[index...].flatMap(\.withChildren) }
        return entry.parent == nil ? [] : entry.withChildren
    }

    /// Builds the screen of a context and shows it in a place; nothing is shown after an error.
    func show<R: Route>(
        _ context: ScreenContext<R>, at place: ScreenPlace, as style: PresentationStyle,
        for receiver: OutputReceiver?, building build: () throws -> any Screen
    ) throws -> StackEntry {
        guard let presenter else { throw RouterError.rejected(.notStarted, route: context.routeType) }
        let start = events.start()
        count += 1
        let entry = StackEntry(id: count, context: context, style: style, for: receiver)
        // Inserted before `build`, so that a screen that finishes inside it is removed like any other.
        switch place {
        case .top:
            entry.isRoot = style == .root || isEmpty
            entry.position = entries.count
            entries.append(entry)
        case .insteadOf(let former):
            guard let below = former.position else { throw dismissed(former) }
            entry.isRoot = former.isRoot
            entries.insert(entry, at: below + 1)
            renumber(from: below + 1)
        case .within(let parent, _):
            entry.parent = parent
            parent.entry?.shown.children.append(entry)
        }
        changes += 1
        if entry.isRoot { disruptions += 1 }
        do {
            let screen = try build()
            switch place {
            case .top:
                guard entry.position != nil else { return entry }
                try presenter.show(screen, as: presentation(of: entry))
            case .insteadOf(let former):
                guard entry.position != nil else { return entry }
                guard former.position != nil else { throw dismissed(former) }
                try presenter.replace([former.id: (screen, presentation(of: entry))])
            case .within(_, let receive):
                _ = try self.entry(of: context)
                receive(EmbeddedScreen(screen, as: presentation(of: entry)))
            }
        } catch {
            remove(entry.withChildren)
            throw error
        }
        // A screen may finish while it is being shown, before the presenter has it.
        if entry.isThere {
            events.add(.presented(AnyRoute(entry.route), as: style, in: events.duration(since: start)))
        } else {
            presenter.remove([entry.id])
        }
        return entry
    }

    private func dismissed(_ entry: StackEntry) -> RouterError {
        .rejected(.screenDismissed, route: entry.routeType)
    }

    func presentation(of entry: StackEntry) -> Presentation {
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

    func finish<R: Route>(_ context: ScreenContext<R>, with output: R.Output) throws {
        if context.isFinished { throw RouterError.rejected(.alreadyFinished, route: context.routeType) }
        let entry = try removableEntry(of: context)
        events.add(.finished(AnyRoute(entry.route)))
        context.isFinished = true
        entry.deliver(.success(output))
        // A screen that is shown before the first one stays until that takes its place.
        if !entry.isRoot { remove(entries(from: entry)) }
    }

    /// Removes a screen that the presenter has dropped, with all above it.
    func drop(_ context: any AnyScreenContext) {
        if let entry = try? entry(of: context), !entry.isRoot { remove(entries(from: entry)) }
    }

    /// Removes entries, also embedded entries; callers that wait for their outputs receive none.
    func remove(_ entries: [StackEntry]) {
        let removed = entries.filter(\.isThere)
        if let lowest = removed.compactMap(\.position).min() {
            for entry in removed { entry.position = nil }
            let kept = self.entries[lowest...].filter { $0.position != nil }
            self.entries.replaceSubrange(lowest..., with: kept)
            renumber(from: lowest)
        }
        release(removed.reversed())
    }

    private func renumber(from lowest: Int) {
        for index in entries[lowest...].indices { entries[index].position = index }
    }

    /// Releases the screens of removed entries, the topmost first, and ends the waits for their outputs.
    func release(_ removed: [StackEntry]) {
        guard !removed.isEmpty else { return }
        changes += 1
        disruptions += 1
        var released: [LeaveConfirmation] = []
        for entry in removed {
            entry.parent?.entry?.shown.children.removeAll { $0 === entry }
            entry.position = nil
            entry.parent = nil
            entry.shown.context.presentation?.end()
            if let confirmation = entry.shown.confirmation.take() { released.append(confirmation) }
        }
        presenter?.remove(removed.map(\.id))
        for entry in removed {
            entry.deliver(.failure(UserDeclined()))
            events.add(.removed(AnyRoute(entry.route)))
        }
    }

    func removableEntry(of context: any AnyScreenContext) throws -> StackEntry {
        let entry = try entry(of: context)
        guard !entry.shown.isTentative else { throw dismissed(entry) }
        // A screen before the first screen finishes, so that its interceptor can decide.
        let isBeforeTheFirst = starting != nil && entry.style != .root
        guard !entry.isRoot || isBeforeTheFirst else {
            throw RouterError.rejected(.cannotDismissRoot, route: entry.routeType)
        }
        return entry
    }
}
