import DisplayInterface
import RouterServiceInterface

/// Where a person is on one screen: what has the focus, where in a field typing continues, and what part is seen.
@MainActor
struct ScreenView {
    private var focus = ScreenFocus()
    /// Characters of the focused field before the insertion point; nil at the end of the text.
    private var cursor: Int?
    private var scroll = 0
    /// False after the person has scrolled away from the focus.
    private var reveals = true

    func focusedField(of screen: ShownScreen) -> Display.Field? {
        let elements = screen.elements
        guard let index = focus.index(in: elements), case .field(let field) = elements[index] else {
            return nil
        }
        return field
    }

    /// The frame that shows a screen as it is now.
    mutating func layOut(
        _ screen: ShownScreen, path: String, status: String, size: TerminalDevice.Size
    ) -> Frame {
        let elements = screen.elements
        focus.settleOnce(in: elements)
        let frame = Frame(
            Frame.Scene(
                path: path, status: status, elements: elements, focus: focus.index(in: elements),
                cursor: cursor ?? .max, scroll: scroll, reveals: reveals, keyHelp: keyHelp(for: screen),
                size: size))
        scroll = frame.scroll
        return frame
    }

    /// Moves, edits or acts.
    mutating func take(_ key: Key, on screen: ShownScreen, pageHeight: Int) {
        switch key {
        case .tab: move(by: 1, on: screen, wraps: true)
        case .backTab: move(by: -1, on: screen, wraps: true)
        case .down: move(by: 1, on: screen, wraps: false)
        case .up: move(by: -1, on: screen, wraps: false)
        case .pageDown: look(by: pageHeight)
        case .pageUp: look(by: -pageHeight)
        case .enter: act(on: screen)
        default: edit(with: key, on: screen)
        }
    }

    private mutating func move(by step: Int, on screen: ShownScreen, wraps: Bool) {
        if focus.move(by: step, in: screen.elements, wraps: wraps) {
            cursor = nil
            reveals = true
        } else if !wraps {
            look(by: step)
        }
    }

    private mutating func look(by lines: Int) {
        scroll = max(0, scroll + lines)
        reveals = false
    }

    private mutating func act(on screen: ShownScreen) {
        let elements = screen.elements
        guard let index = focus.index(in: elements) else { return }
        focus.settle(in: elements)
        reveals = true
        switch elements[index] {
        case .button(let button): screen.perform(button.action)
        case .row(let row): screen.perform(row.action)
        case .field(let field):
            if let submit = field.submit {
                screen.perform(submit)
            } else {
                move(by: 1, on: screen, wraps: true)
            }
        case .text, .progress, .error: break
        }
    }

    /// Edits the focused field, unless an action runs that may be using its text.
    private mutating func edit(with key: Key, on screen: ShownScreen) {
        guard let field = focusedField(of: screen), !screen.isBusy else { return }
        var editor = LineEditor(field.text, cursor: cursor ?? .max)
        guard editor.apply(key) else { return }
        focus.settle(in: screen.elements)
        reveals = true
        cursor = editor.cursor
        if editor.text != field.text { screen.edit(field, to: editor.text) }
    }

    private func keyHelp(for screen: ShownScreen) -> String {
        let field = focusedField(of: screen)
        var entries: [String] = []
        if screen.isBusy {
            entries = ["… working"]
        } else {
            if focus.index(in: screen.elements) != nil { entries = ["↑↓ Tab move"] }
            if let field {
                entries.append(field.submit == nil ? "Enter next" : "Enter submit")
            } else if !entries.isEmpty {
                entries.append("Enter choose")
            }
        }
        if !screen.presentation.isRoot { entries.append("Esc back") }
        entries.append(field == nil ? "q quit" : "Ctrl-C quit")
        return entries.joined(separator: "  ")
    }
}
