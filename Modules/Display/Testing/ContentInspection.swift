public import DisplayInterface
public import RouterServiceInterface

extension Screen {
    @MainActor
    public func contentScreen() throws -> Display.ContentScreen {
        guard let screen = self as? Display.ContentScreen else {
            throw ContentInspectionError("A \(type(of: self)) is not a Display.ContentScreen.")
        }
        return screen
    }
}

extension Display.ContentScreen {
    /// Runs the screen's `appear` action to its end.
    @MainActor
    public func appears() async throws {
        try await appear?()
    }
}

@MainActor
extension Display.Content {
    /// The elements, followed by the elements of the detail.
    public var allElements: [Display.Element] {
        elements + ((detail?.screen as? Display.ContentScreen)?.content().allElements ?? [])
    }

    /// The texts to read, from top to bottom, without errors and progress.
    public var texts: [String] {
        allElements.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The errors that the content itself shows, from top to bottom.
    public var errors: [String] {
        allElements.compactMap { if case .error(let message) = $0 { message } else { nil } }
    }

    public var progress: [String] {
        allElements.compactMap { if case .progress(let description) = $0 { description } else { nil } }
    }

    /// The titles of buttons and of rows, also of lists, from top to bottom.
    public var choices: [String] {
        allElements.flatMap { $0.choices.map(\.title) }
    }

    public var labels: [String] {
        allElements.compactMap { $0.field?.label }
    }

    /// The current text of a field, even of a secure field.
    public func value(of label: String) throws -> String {
        try field(label).text
    }
}

@MainActor
extension Display.Content {
    /// Presses the first button or row with a title and returns when its action is done.
    public func press(_ title: String) async throws {
        guard let choice = allElements.lazy.flatMap(\.choices).first(where: { $0.title == title }) else {
            throw ContentInspectionError("There is no button or row '\(title)'. There are: \(choices).")
        }
        try await choice.action()
    }

    /// Replaces the text of a field, as a user who types it; nothing is submitted.
    public func type(_ text: String, into label: String) throws {
        try field(label).change(text)
    }

    /// Presses Enter in a field and returns when the action of its submission is done.
    public func submit(_ label: String) async throws {
        guard let submit = try field(label).submit else {
            throw ContentInspectionError("The field '\(label)' has nothing to submit: Enter only moves on.")
        }
        try await submit()
    }

    private func field(_ label: String) throws -> Display.Field {
        guard let field = allElements.lazy.compactMap(\.field).first(where: { $0.label == label }) else {
            throw ContentInspectionError("There is no field '\(label)'. There are: \(labels).")
        }
        return field
    }
}

extension Display.Element {
    @MainActor
    fileprivate var choices: [(title: String, action: Display.Action)] {
        switch self {
        case .button(let button): [(button.title, button.action)]
        case .row(let row): [(row.title, row.action)]
        case .list(let list): (0..<list.count).map(list.row).map { ($0.title, $0.action) }
        case .text, .field, .progress, .error: []
        }
    }

    fileprivate var field: Display.Field? {
        if case .field(let field) = self { field } else { nil }
    }
}

/// A test looked for an element that the screen does not show.
public struct ContentInspectionError: Error, CustomStringConvertible {
    /// The element, and the names of the elements that exist.
    public let description: String

    init(_ description: String) { self.description = description }
}
