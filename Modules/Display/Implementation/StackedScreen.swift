import DisplayInterface
import RouterServiceInterface

/// A running action, which may end on another version of its screen than it began on.
@MainActor
final class RunningAction {
    weak var screen: StackedScreen?
    /// Whether the screen started it when it came on top, and not the user.
    let isAppearance: Bool
    let start = ContinuousClock.now
    /// Whether it was cancelled and has not ended yet.
    private(set) var isCancelled = false
    private var task: Task<Void, Never>?

    init(_ action: @escaping Display.Action, of screen: StackedScreen, isAppearance: Bool) {
        self.screen = screen
        self.isAppearance = isAppearance
        task = Task {
            var failure: (any Error)?
            do { try await action() } catch { failure = error }
            self.screen?.finish(with: failure is CancellationError ? nil : failure)
        }
    }

    func cancel() {
        isCancelled = true
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

    /// The action that runs on this screen, or on the one beside its elements.
    var action: RunningAction? { running ?? detail?.action }

    /// Whether no running work would soon change the content.
    var isSettled: Bool { isIdle && !page.hasProgress }

    /// Whether neither an action runs nor the screen is being left; the model's own work may show progress.
    var isIdle: Bool {
        // Reading the page updates the screen beside its elements.
        _ = page
        return action == nil && leaving == nil
    }

    /// The current page: the error of the last action, the content's own elements, and those of the screen beside.
    var page: Page {
        if let knownPage { return knownPage }
        var content = content.value
        // Without the focus, a button has no use.
        if isPeek { content.elements.removeAll { if case .button = $0 { true } else { false } } }
        observe(content.detail)
        let page = Page(content, error: failure, detail: detail?.page, former: formerPage) {
            [content = self.content] list, row in content.observing { list.row(row) }
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
        hasMissedAppearing = false
        running = RunningAction(action, of: self, isAppearance: isAppearance)
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

    fileprivate func finish(with error: (any Error)?) {
        // Its error stays above the content. An action that the user cancelled is not followed by another one.
        let appear = hasMissedAppearing && running?.isCancelled != true ? screen.appear : nil
        running = nil
        failure = failure ?? error.map(errorMessage)
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
            Display.Content(title: "", elements: [.error(errorMessage(of: error))])
        }
    }
}
