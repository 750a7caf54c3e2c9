import DisplayInterface
import Foundation
import RouterServiceInterface

/// The screens that a terminal was asked to show, the topmost last.
@MainActor
final class ScreenStack {
    private(set) var screens: [StackedScreen] = []

    /// Called after a change of the screens, or of the content of one of them.
    var onChange: @MainActor () -> Void = {}

    var top: StackedScreen? { screens.last }

    /// The screen that has the focus: the topmost one, below those that are shown beside it.
    var active: StackedScreen? { current.first }

    /// The active screen, and those that are shown beside it.
    var current: ArraySlice<StackedScreen> { screens[(screens.lastIndex { !$0.isPeek } ?? 0)...] }

    /// The visible screens, each with those beside it; the first fills the terminal, and the others are dialogs.
    var levels: [[StackedScreen]] {
        screens.reduce(into: []) { levels, screen in
            if levels.isEmpty || screen.presentation.isRoot {
                levels = [[screen]]
            } else if screen.isPeek {
                levels[levels.count - 1].append(screen)
            } else {
                if screen.presentation.style != .modal { levels.removeLast() }
                levels.append([screen])
            }
        }
    }

    /// The end of the titles of all screens as one line, as much as fits the columns.
    func path(columns: Int) -> String {
        var path = ""
        for screen in screens.reversed() {
            let title = TextLayout.line(screen.page.title, to: columns)
            path = path.isEmpty ? title : "\(title) › \(path)"
            if path.utf8.count > 4 * columns { break }
        }
        return TextLayout.cutStart(path, to: columns)
    }

    /// Puts a screen on top and lets it appear.
    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let stacked = try stackedScreen(screen, as: presentation)
        if !stacked.isPeek { current.forEach { $0.disappear() } }
        screens.append(stacked)
        stacked.appear()
        onChange()
    }

    /// Puts screens in the places of others, and lets the topmost appear; all or none.
    ///
    /// One with the same identity is a new version of the former.
    func replace(_ replacements: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        let former = current
        let new = try replacements.mapValues { try stackedScreen($0.screen, as: $0.presentation) }
        // Exchanged at once and released after: what ends with a screen may call the stack again.
        var changed = screens.map { new[$0.presentation.id] ?? $0 }
        for (screen, stacked) in zip(screens, changed) where screen !== stacked {
            if screen.presentation.id == stacked.presentation.id {
                stacked.succeed(screen, isOnTop: former.contains { $0 === screen })
            } else {
                screen.cancel()
            }
        }
        swap(&screens, &changed)
        screens.forEach { $0.contentMayHaveChanged() }
        letAppear(unless: former)
    }

    /// Removes screens, cancels their actions, and lets the new topmost screen appear again.
    ///
    /// Identities that are not on the stack are ignored.
    func remove(_ presentations: [Presentation.ID]) {
        let former = current
        let removed = screens.filter { presentations.contains($0.presentation.id) }
        screens.removeAll { presentations.contains($0.presentation.id) }
        removed.forEach { $0.cancel() }
        // The user's actions above may have changed the content below.
        screens.forEach { $0.contentMayHaveChanged() }
        letAppear(unless: former)
    }

    /// Lets the active screen and those beside it appear, except those that were there before.
    private func letAppear(unless former: ArraySlice<StackedScreen>) {
        for screen in current where !former.contains(where: { $0 === screen }) { screen.appear() }
        onChange()
    }

    /// Cancels all actions, when there is no user to see them any more.
    func cancel() {
        screens.forEach { $0.cancel() }
    }

    private func stackedScreen(_ screen: any Screen, as presentation: Presentation) throws -> StackedScreen {
        let terminal = TypeName((any Display.Terminal).self)
        guard let content = screen as? Display.ContentScreen else {
            throw RouterError.unknownScreen(TypeName(type(of: screen)), presenter: terminal)
        }
        guard [.push, .modal, .root, Display.peek].contains(presentation.style) else {
            throw RouterError.unknownStyle(presentation.style, presenter: terminal)
        }
        return StackedScreen(content, as: presentation) { [weak self] in self?.onChange() }
    }
}

/// A running action, and the screen on which it ends.
@MainActor
private final class RunningAction {
    weak var screen: StackedScreen?
    /// Whether the screen started it when it came on top, and not the user.
    let isAppearance: Bool
    private var task: Task<Void, Never>?

    /// Starts an action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - screen: The screen on which it was started.
    ///   - isAppearance: Whether the screen started it when it came on top.
    ///   - end: Called with the screen of the end, and with the error that was thrown; nil for a cancellation.
    init(
        _ action: @escaping Display.Action, of screen: StackedScreen, isAppearance: Bool,
        end: @escaping @MainActor (StackedScreen, (any Error)?) -> Void
    ) {
        (self.screen, self.isAppearance) = (screen, isAppearance)
        task = Task {
            var failure: (any Error)?
            do {
                try await action()
            } catch is CancellationError {
            } catch {
                failure = error
            }
            if let screen = self.screen { end(screen, failure) }
        }
    }

    func cancel() {
        task?.cancel()
    }
}

/// A screen on the stack: its current content, its running action, and the error of the last one.
@MainActor
final class StackedScreen {
    let presentation: Presentation
    /// The user's position on the screen.
    var view = ScreenView()

    private let screen: Display.ContentScreen
    private let content: Watched<Display.Content>
    private let onChange: @MainActor () -> Void
    /// The screen beside the content's elements.
    private var detail: StackedScreen?
    private var knownPage: Page?
    /// The previous page, whose values a new one can take over.
    private var formerPage: Page?
    private var running: RunningAction?
    private var next: Display.Action?
    /// Whether the screen came on top again while an action of the user ran.
    private var hasMissedAppearing = false
    private var leaving: Task<Void, Never>?
    private var failure: String?
    /// The time at which the running action began.
    private(set) var start = ContinuousClock.now

    init(
        _ screen: Display.ContentScreen, as presentation: Presentation,
        onChange: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.presentation = presentation
        self.onChange = onChange
        content = Watched(screen.content)
        content.onChange = { [weak self] in self?.contentMayHaveChanged() }
    }

    /// Whether the screen is shown beside the one below, which keeps the focus.
    var isPeek: Bool { presentation.style == Display.peek && !presentation.isRoot }

    /// Whether an action of this screen runs; the screen takes no other one until it ends.
    var isBusy: Bool { running != nil }

    /// Whether an action of the user runs, which may be using the typed text.
    var isActing: Bool { running?.isAppearance == false }

    /// Whether the running action was cancelled and has not ended yet.
    private(set) var isCancelled = false

    /// The screen on which an action runs: this one, or the one beside its elements.
    var busy: StackedScreen? { isBusy ? self : detail?.busy }

    /// Whether no running work would soon change the content.
    var isSettled: Bool { isIdle && !page.hasProgress }

    /// Whether neither an action runs nor the screen is being left; the model's own work may show progress.
    var isIdle: Bool {
        // Reading the page updates the screen beside its elements.
        _ = page
        return busy == nil && leaving == nil
    }

    /// The current page: the error of the last action, the content's own elements, and those of the screen beside.
    var page: Page {
        if let knownPage { return knownPage }
        var content = content.value
        // Without the focus, a button has no use.
        if isPeek { content.elements.removeAll { if case .button = $0 { true } else { false } } }
        observe(content.detail)
        let page = Page(content, error: failure, detail: detail?.page, former: formerPage) {
            [content = self.content] list, rows in content.observing { rows.map(list.row) }
        }
        (knownPage, formerPage) = (page, nil)
        return page
    }

    /// The screen whose element has a place: this one, or the one beside its elements.
    func screen(of place: Place) -> StackedScreen {
        guard let detail, !page.own.contains(place.element) else { return self }
        return detail.screen(of: Place(element: place.element - page.own.upperBound, row: place.row))
    }

    /// Keeps, begins or ends the screen beside the elements.
    private func observe(_ embedded: EmbeddedScreen?) {
        let embedded = embedded.flatMap { $0.presentation.isEnded ? nil : $0 }
        guard embedded?.presentation.id != detail?.presentation.id else { return }
        detail?.cancel()
        detail = embedded.map { embedded in
            let screen = StackedScreen(.of(embedded.screen), as: embedded.presentation) { [weak self] in
                // The user's actions there may change the content here, for example by finishing.
                self?.content.forget()
                self?.pageMayHaveChanged()
            }
            screen.appear()
            return screen
        }
    }

    func appear() {
        detail?.appear()
        hasMissedAppearing = isActing
        if let appear = screen.appear { perform(appear, isAppearance: true) }
    }

    /// Another screen is shown above this one, which will appear again after it.
    func disappear() { hasMissedAppearing = false }

    /// Starts an action, unless one is running.
    func perform(_ action: @escaping Display.Action, isAppearance: Bool = false) {
        guard running == nil else { return }
        failure = nil
        begin(action, isAppearance: isAppearance)
    }

    private func begin(_ action: @escaping Display.Action, isAppearance: Bool) {
        start = .now
        (isCancelled, hasMissedAppearing) = (false, false)
        running = RunningAction(action, of: self, isAppearance: isAppearance) { $0.finish(with: $1) }
        contentMayHaveChanged()
    }

    /// Starts an action as soon as none is running.
    func performNext(_ action: @escaping Display.Action) {
        guard isBusy else { return perform(action) }
        next = action
    }

    /// Leaves the screen, which may ask first; until it has its answer, further attempts do nothing.
    func leave() {
        guard leaving == nil else { return }
        leaving = Task { [weak self, presentation] in
            await presentation.close()
            self?.leaving = nil
            self?.contentMayHaveChanged()
        }
    }

    /// Gives a field a new text.
    func edit(_ field: Display.Field, to text: String) {
        field.change(text)
        contentMayHaveChanged()
    }

    /// Cancels the action that runs; the screen is busy until that has ended.
    func cancel() {
        next = nil
        isCancelled = true
        running?.cancel()
        detail?.cancel()
        onChange()
    }

    /// Takes the place of a former version of the screen.
    ///
    /// On top, an action of the former version is cancelled. Below, it waits for a screen above, and continues here:
    /// otherwise that screen would be removed.
    func succeed(_ former: StackedScreen, isOnTop: Bool) {
        view = former.view
        // The new model has not been notified.
        view.focused = nil
        guard !isOnTop else { return former.cancel() }
        former.detail?.cancel()
        running = former.running
        start = former.start
        isCancelled = former.isCancelled
        running?.screen = self
    }

    /// Discards the content, so that it is requested again when it is next needed.
    ///
    /// An observed change is only reported a moment later, so this is also called wherever one is likely.
    func contentMayHaveChanged() {
        content.forget()
        detail?.contentMayHaveChanged()
        pageMayHaveChanged()
    }

    private func pageMayHaveChanged() {
        (knownPage, formerPage) = (nil, knownPage ?? formerPage)
        onChange()
    }

    private func finish(with error: (any Error)?) {
        running = nil
        // Its error stays above the content. An action that the user cancelled is not followed by another one.
        let appear = hasMissedAppearing && !isCancelled ? screen.appear : nil
        failure = failure ?? error.map(Display.message)
        if let action = next {
            next = nil
            perform(action)
        } else if let appear {
            begin(appear, isAppearance: true)
        } else {
            contentMayHaveChanged()
        }
    }
}

extension Display.ContentScreen {
    /// The content screen to show within another one; for any other kind of screen, one that reports it.
    fileprivate static func of(_ screen: any Screen) -> Display.ContentScreen {
        if let content = screen as? Display.ContentScreen { return content }
        let error = RouterError.unknownScreen(
            TypeName(type(of: screen)), presenter: TypeName((any Display.Terminal).self))
        return Display.ContentScreen {
            Display.Content(title: "", elements: [.error(error.localizedDescription)])
        }
    }
}
