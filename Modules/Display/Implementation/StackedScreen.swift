import DisplayInterface
import Foundation
import RouterServiceInterface

@MainActor
struct ScreenPosition {
    var focus = Focus()
    var editor: TextEditor?
    /// The last focus of which a row was notified.
    var notified: Focus?
    /// The first visible line of the pane of the screen's own elements, and of the pane of its detail.
    var top = 0
    var detailTop = 0
    /// False after the user has scrolled away from the focus.
    var followsFocus = true
    var hasPrompted = false
    var isEdited = false
}

/// A screen on the stack: its content, its running action, the error of the last action, and the user's position.
@MainActor
final class StackedScreen {
    let presentation: Presentation
    var position = ScreenPosition()

    private let screen: Display.ContentScreen
    private let content: ObservedValue<Display.Content>
    private let onChange: @MainActor () -> Void
    private var detail: StackedScreen?
    private var knownPage: Page?
    private var formerPage: Page?
    private var running: RunningAction?
    /// Whether the screen came on top again while an action of the user was running, and has not been covered since then.
    var hasMissedAppearing = false
    private var leaving: Task<Void, Never>?
    private var failure: Failure?

    init(
        _ screen: Display.ContentScreen, as presentation: Presentation,
        onChange: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.presentation = presentation
        self.onChange = onChange
        content = ObservedValue(screen.content)
        content.onChange = { [weak self] in self?.contentMayHaveChanged() }
    }

    var isBusy: Bool { running != nil }

    /// Whether an action of the user is running, which may use the typed text.
    var isActing: Bool { running?.isAppearance == false }

    var action: RunningAction? { running ?? detail?.action }

    /// Whether no action is running and the screen is not being left.
    var isIdle: Bool {
        // Reading the page updates the detail.
        _ = page
        return action == nil && leaving == nil
    }

    /// The content with the error of the last action, followed by the elements of the detail.
    var page: Page {
        if let knownPage { return knownPage }
        let content = content.value
        observe(content.detail)
        let page = Page(content, failure: failure, detail: detail?.page, former: formerPage) {
            [content = self.content] list, row in content.observing { list.row(row) }
        }
        knownPage = page
        formerPage = nil
        return page
    }

    func screen(of place: Place) -> StackedScreen {
        guard let detail, !page.own.contains(place.element) else { return self }
        return detail.screen(of: Place(element: place.element - page.own.upperBound, row: place.row))
    }

    private func observe(_ embedded: EmbeddedScreen?) {
        let embedded = embedded.flatMap { $0.presentation.isEnded ? nil : $0 }
        guard embedded?.presentation.id != detail?.presentation.id else { return }
        detail?.cancel()
        detail = embedded.map { embedded in
            let screen = StackedScreen(content(of: embedded), as: embedded.presentation) { [weak self] in
                // An action on the detail may change this content, for example when the detail finishes.
                self?.contentMayHaveChanged(fromDetail: true)
            }
            screen.appear()
            return screen
        }
    }

    /// The content of an embedded screen, or an error in place of another kind of screen.
    private func content(of embedded: EmbeddedScreen) -> Display.ContentScreen {
        do { return try Display.ContentScreen(embedded.screen) } catch {
            let message = errorMessage(of: error)
            return Display.ContentScreen { Display.Content(title: "", elements: [.error(message)]) }
        }
    }

    func appear() {
        detail?.appear()
        hasMissedAppearing = isActing
        if let appear = screen.appear { perform(appear, isAppearance: true) }
    }

    func perform(
        _ action: @escaping Display.Action, isAppearance: Bool = false, from origin: ActionOrigin? = nil
    ) {
        guard running == nil else { return }
        failure = nil
        hasMissedAppearing = false
        running = RunningAction(action, of: self, isAppearance: isAppearance, from: origin)
        contentMayHaveChanged()
    }

    /// Leaves the screen, which may ask the user first; another call meanwhile does nothing.
    func leave() {
        guard leaving == nil else { return }
        leaving = Task { [weak self, presentation] in
            await presentation.close()
            self?.leaving = nil
            self?.contentMayHaveChanged()
        }
    }

    func edit(_ field: Display.Field, to text: String) {
        position.isEdited = true
        field.change(text.precomposedStringWithCanonicalMapping)
        contentMayHaveChanged()
    }

    /// Cancels the running action; the screen is busy until the action has ended.
    func cancel() {
        running?.cancel()
        detail?.cancel()
        onChange()
    }

    /// Takes the place of a former version of the screen.
    ///
    /// On top, the action of the former version is cancelled. Below, the action waits for a screen above and continues here,
    /// because cancelling it would remove that screen.
    func succeed(_ former: StackedScreen, isOnTop: Bool) {
        position = former.position
        position.notified = nil
        guard !isOnTop else { return former.cancel() }
        former.detail?.cancel()
        running = former.running
        running?.screen = self
    }

    /// Discards the content, which is requested again when it is needed.
    ///
    /// Observation reports a change a moment later, so this method is also called after work that may have changed the content.
    func contentMayHaveChanged(fromDetail: Bool = false) {
        content.forget()
        if !fromDetail { detail?.contentMayHaveChanged() }
        formerPage = knownPage ?? formerPage
        knownPage = nil
        onChange()
    }

    func finish(with error: (any Error)?) {
        // After an action that the user cancelled, the screen does not appear again.
        let appear = hasMissedAppearing && running?.isCancelled != true ? screen.appear : nil
        let failure =
            failure ?? error.map { Failure(message: errorMessage(of: $0), field: running?.origin?.field) }
        running = nil
        if let appear { perform(appear, isAppearance: true) }
        self.failure = failure
        contentMayHaveChanged()
    }
}

// MARK: Position
extension StackedScreen {
    var place: Place? { position.focus.place(on: page) }
    var field: Display.Field? { page.field(at: place) }
    var fields: [Display.Field] {
        page.elements[page.own].compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    /// Whether a field has the focus at first, because the screen begins with it.
    var isForm: Bool { !fields.isEmpty && page.field(at: Focus().place(on: page)) != nil }
    /// Whether the user has begun to fill in the form, which other programs must not cover until it is left.
    var isFormInUse: Bool { position.isEdited && isForm }

    private var isInDetail: Bool { place.map { !page.own.contains($0.element) } ?? false }
    private var top: Int {
        get { isInDetail ? position.detailTop : position.top }
        set { if isInDetail { position.detailTop = newValue } else { position.top = newValue } }
    }

    private func layout(ofDetail isDetail: Bool, in pane: Pane, isActive: Bool = true) -> Layout {
        Layout(
            page, pane: isDetail ? page.beside : page.own, columns: pane.content.columns,
            focus: isActive ? place : nil, editor: isActive && field != nil ? position.editor : nil,
            running: isActive ? action : nil, isActive: isActive)
    }

    /// Draws the own elements and the detail, or only the pane with the focus where both do not fit.
    func draw(in panes: Panes, isActive: Bool, on frame: inout Frame) {
        if let area = panes.dimmed { frame.dim(area) }
        if isActive, let field { position.editor = editor(of: field) }
        let isInDetail = isActive && isInDetail
        // The arrow of the own elements may stand on the upper edge of the detail.
        for isDetail in panes.detail == nil ? [isInDetail] : [true, false] {
            let pane = panes.pane(ofDetail: isDetail)
            let isFocused = isActive && isDetail == isInDetail
            let start = isDetail ? (isFocused ? position.detailTop : 0) : position.top
            let body = layout(ofDetail: isDetail, in: pane, isActive: isActive).body(
                height: pane.content.rows, from: start,
                revealing: isActive && position.followsFocus ? place : nil)
            if isActive {
                if isDetail { position.detailTop = body.top } else { position.top = body.top }
                if let areaTop = body.areaTop { position.editor?.top = areaTop }
            }
            let title = isDetail ? page.detailTitle : page.title
            frame.draw(body, in: pane, title: title, isActive: isFocused)
        }
    }

    /// Notifies the row that has received the focus, and returns whether a row was notified.
    func reportFocus() -> Bool {
        position.focus.settle(on: page)
        guard let place, let focus = Focus(at: place, on: page), !focus.isSame(as: position.notified) else {
            return false
        }
        position.notified = focus
        guard let onFocus = page.onFocus(at: place) else { return false }
        onFocus()
        return true
    }

    /// Moves the focus, and returns whether it moved.
    @discardableResult
    func move(_ step: (Place, Int, Page) -> Place?, by count: Int) -> Bool {
        guard let place, let next = step(place, count, page), next != place else { return false }
        focus(next)
        return true
    }

    /// Sets the focus; in the field that has the focus, the insertion point stays.
    func focus(_ place: Place) {
        if place != self.place { position.editor = nil }
        if let focus = Focus(at: place, on: page) { position.focus = focus }
        position.followsFocus = true
    }

    func scroll(by lines: Int, in panes: Panes) {
        let pane = panes.pane(ofDetail: isInDetail)
        top = layout(ofDetail: isInDetail, in: pane).scrolled(top, by: lines, height: pane.content.rows)
        position.followsFocus = false
    }

    func turnPage(by step: Int, in panes: Panes) {
        let (former, pane) = (top, panes.pane(ofDetail: isInDetail))
        scroll(by: step * max(1, pane.content.rows - 1), in: panes)
        guard let place else { return }
        guard top != former else { return go(toEnd: step > 0) }
        let visible = layout(ofDetail: isInDetail, in: pane)
            .body(height: pane.content.rows, from: top, revealing: nil).lines
            .compactMap { $0.spans.first?.place }
        guard !visible.contains(place), let next = step > 0 ? visible.first : visible.last else { return }
        focus(next)
        position.followsFocus = false
    }

    func go(toEnd: Bool) {
        let pane = isInDetail ? page.beside : page.own
        let targets = page.targets.filter(pane.contains)
        if let target = toEnd ? targets.last : targets.first {
            focus(Place(element: target, row: toEnd ? page.rows(of: target) - 1 : 0))
        }
        top = toEnd ? .max : 0
        position.followsFocus = false
    }

    private func editor(of field: Display.Field) -> TextEditor {
        var editor = position.editor ?? TextEditor(field)
        // When a field disappears, the focus may move from a line of text to a text area.
        if editor.isMultiline != (field.rows > 1) { editor = TextEditor(field) }
        editor.update(to: field.text)
        return editor
    }

    /// Edits the focused field, unless an action of the user runs.
    func edit(with key: Key, in panes: Panes) -> TextEditor.Outcome {
        guard let place, let field = page.field(at: place) else { return .ignored }
        var editor = editor(of: field)
        position.editor = editor
        let pane = panes.pane(ofDetail: isInDetail)
        let lines =
            field.rows > 1 ? layout(ofDetail: isInDetail, in: pane).textLines(at: place.element) : nil
        let outcome = editor.apply(key, limit: field.limit, in: lines.map { ($0, field.rows) })
        guard outcome != .ignored else { return .ignored }
        let owner = screen(of: place)
        if owner.isActing { return .moved }
        focus(place)
        position.editor = editor
        if outcome == .changed { owner.edit(field, to: editor.text) }
        return outcome
    }
}
