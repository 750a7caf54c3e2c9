import DisplayInterface

/// The user's position on one screen.
@MainActor
struct ScreenView {
    var focus = Focus()
    /// The text of the focused field, as soon as something was typed there.
    var editor: TextEditor?
    /// The target that was last notified that it has the focus.
    var focused: Focus.Target?
    /// The first visible line.
    var top = ScrollPosition()
    /// The same for the screen beside the elements.
    var detailTop = ScrollPosition()
    /// False after the user has scrolled away from the focus.
    var followsFocus = true
    /// Whether a terminal that prints lines has asked for the fields.
    var isAskedFor = false
}

/// The user's position on a screen, and its changes.
extension StackedScreen {
    var place: Place? { view.focus.place(on: page) }
    var field: Display.Field? { page.field(at: place) }

    /// The elements of the pane with the focus.
    private var pane: Range<Int> { place.map { page.pane(of: $0.element) } ?? page.own }
    private var isInDetail: Bool { pane != page.own }
    /// The first visible line of the pane with the focus.
    private var top: ScrollPosition {
        get { isInDetail ? view.detailTop : view.top }
        set { if isInDetail { view.detailTop = newValue } else { view.top = newValue } }
    }

    /// Lays out the pane with the focus, or another one.
    private func layout(of pane: Range<Int>? = nil, in panes: Panes, isActive: Bool = true) -> Layout {
        let pane = pane ?? self.pane
        return Layout(
            page, pane: pane, columns: pane == page.own ? panes.mainColumns : panes.detailColumns,
            focus: isActive ? place : nil, editor: isActive && field != nil ? view.editor : nil,
            isActive: isActive)
    }

    /// The rows of the pane with the focus.
    private func rows(in panes: Panes) -> Int {
        !isInDetail || panes.detailRows == 0 ? panes.mainRows : panes.detailRows
    }

    /// The visible part of the screen; a detail without the focus is shown from its start.
    ///
    /// The focus is visible on the active screen alone, where numbers and clicks choose.
    func body(in panes: Panes, isActive: Bool) -> Body {
        if isActive, let field { view.editor = editor(of: field) }
        let revealed = isActive && view.followsFocus ? place : nil
        let isInDetail = isActive && isInDetail
        let main = layout(of: page.own, in: panes, isActive: isActive)
            .body(height: panes.mainRows, from: view.top, revealing: revealed)
        let detail = layout(of: page.beside, in: panes, isActive: isActive).body(
            height: isInDetail ? rows(in: panes) : panes.detailRows,
            from: isInDetail ? view.detailTop : ScrollPosition(), revealing: revealed)
        if isActive {
            view.top = main.top
            view.detailTop = detail.top
            if let areaTop = main.areaTop ?? detail.areaTop { view.editor?.top = areaTop }
        }
        guard panes.detailRows > 0 else { return isInDetail ? detail : main }
        return main.joined(by: detail, in: panes)
    }

    /// Notifies a row that it has received the focus.
    ///
    /// - Returns: False if it had the focus before, or need not be notified.
    func reportFocus() -> Bool {
        view.focus.settle(on: page)
        guard let place, let target = Focus.target(at: place, on: page), target != view.focused else {
            return false
        }
        view.focused = target
        guard let onFocus = page.onFocus(at: place) else { return false }
        onFocus()
        return true
    }

    // MARK: Moving

    /// Moves the focus by a number of places or elements.
    ///
    /// - Returns: False when the focus stays where it is.
    @discardableResult
    func move(_ step: (Place, Int, Page) -> Place?, by count: Int) -> Bool {
        guard let place, let next = step(place, count, page), next != place else { return false }
        focus(next)
        return true
    }

    /// Gives a place the focus; the insertion point stays where it is in a field that has it.
    func focus(_ place: Place) {
        if place != self.place { view.editor = nil }
        view.focus.put(place, on: page)
        view.followsFocus = true
    }

    func scroll(by lines: Int, in panes: Panes) {
        top = layout(in: panes).scrolled(top, by: lines, height: rows(in: panes))
        view.followsFocus = false
    }

    /// Scrolls by a page, and moves the focus along.
    func turnPage(by step: Int, in panes: Panes) {
        let former = top
        scroll(by: step * max(1, rows(in: panes) - 1), in: panes)
        guard let place else { return }
        guard top != former else { return go(toEnd: step > 0) }
        let seen = layout(in: panes).body(height: rows(in: panes), from: top, revealing: nil).lines
            .compactMap { $0.spans.first?.place }
        guard !seen.contains(place), let next = step > 0 ? seen.first : seen.last else { return }
        focus(next)
        view.followsFocus = false
    }

    /// Moves the view and the focus to the start or the end of the pane.
    func go(toEnd: Bool) {
        let pane = pane
        let target =
            toEnd ? page.targets.last(where: pane.contains) : page.targets.first(where: pane.contains)
        if let target { focus(Place(element: target, row: toEnd ? page.rows(of: target) - 1 : 0)) }
        top = toEnd ? .end : ScrollPosition()
        view.followsFocus = false
    }

    // MARK: Typing

    /// The text of the field that has the focus, and the insertion point.
    private func editor(of field: Display.Field) -> TextEditor {
        var editor = view.editor ?? TextEditor(field)
        // When a field disappears, the focus may move to one of another kind.
        if editor.isMultiline != (field.rows > 1) { editor = TextEditor(field) }
        editor.update(to: field.text)
        return editor
    }

    /// Edits the focused field, unless an action of the user runs, which may be using its text.
    func edit(with key: Key, in panes: Panes) -> TextEditor.Outcome {
        guard let place, let field = page.field(at: place) else { return .ignored }
        var editor = editor(of: field)
        view.editor = editor
        let lines = field.rows > 1 ? layout(in: panes).textLines(at: place.element) : nil
        let outcome = editor.apply(key, limit: field.limit, in: lines.map { ($0, field.rows) })
        guard outcome != .ignored else { return .ignored }
        let owner = screen(of: place)
        if owner.isActing { return .moved }
        focus(place)
        view.editor = editor
        if outcome == .changed { owner.edit(field, to: editor.text) }
        return outcome
    }
}
