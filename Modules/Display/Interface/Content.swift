public import RouterServiceInterface

/// The content of screens, and the terminal that shows it.
public enum Display {}

extension Display {
    /// The current content of a screen: a title, elements from top to bottom, and a screen beside them.
    public struct Content {
        /// The title, on one line.
        public let title: String
        public var elements: [Element]
        /// A screen beside the elements, or below them in a narrow terminal, such as a preview of the row that has the focus.
        ///
        /// The focus moves on to its elements; it has actions and errors of its own.
        public let detail: EmbeddedScreen?

        public init(title: String, elements: [Element], detail: EmbeddedScreen? = nil) {
            self.title = title
            self.elements = elements
            self.detail = detail
        }
    }

    /// One thing on a screen.
    public enum Element {
        /// Text to read.
        case text(String)
        /// Text that the user types.
        case field(Field)
        /// An action of the user.
        case button(Button)
        /// An entry of a list that leads further.
        case row(Row)
        /// Any number of rows.
        case list(List)
        /// A description of work in progress, for which a terminal that prints lines waits at most 5 seconds.
        case progress(String)
        /// A description of an error and its remedy, for the user.
        case error(String)
    }

    /// Text that the user types: one line, or several in a ``textArea(_:text:rows:limit:change:)``.
    public struct Field {
        /// The highest limit of a field: 16,384 Unicode scalars.
        public static let maximum = 1 << 14

        /// The name of the text, for example `User name`.
        public let label: String
        public let text: String
        /// Whether the text must not be readable on the screen.
        public let isSecure: Bool
        /// The highest number of Unicode scalars; longer input is refused with a message.
        public let limit: Int
        /// The number of visible lines; one in a field of one line.
        public private(set) var rows = 1
        /// Receives the whole text after each change.
        public let change: @MainActor (String) -> Void
        /// The action of Enter in a field of one line; nil if Enter moves to the next element.
        public let submit: Action?

        /// Creates a field of one line; a limit above ``maximum`` counts as ``maximum``.
        public init(
            _ label: String, text: String, isSecure: Bool = false, limit: Int = Field.maximum,
            submit: Action? = nil, change: @escaping @MainActor (String) -> Void
        ) {
            self.label = label
            self.text = text
            self.isSecure = isSecure
            self.limit = min(limit, Field.maximum)
            self.change = change
            self.submit = submit
        }

        /// Creates a field for several lines, in which Enter begins a new line, and at least two lines are visible.
        ///
        /// Line ends in the text are `\n`, even if the user pasted others.
        public static func textArea(
            _ label: String, text: String, rows: Int = 8, limit: Int = Field.maximum,
            change: @escaping @MainActor (String) -> Void
        ) -> Field {
            var field = Field(label, text: text, limit: limit, change: change)
            field.rows = max(2, rows)
            return field
        }
    }

    /// An action of the user.
    public struct Button {
        /// The name of the action, in the imperative.
        public let title: String
        public let action: Action

        public init(_ title: String, action: @escaping Action) {
            self.title = title
            self.action = action
        }
    }

    /// The meaning of a text, which a full-screen terminal shows in a colour of the user's theme.
    public enum Role: String, Codable, Sendable {
        case accent, muted, positive, warning, negative
    }

    /// A short text with its meaning, for example a date or a state at the end of a row.
    public struct Fact {
        public let text: String
        public let role: Role

        public init(_ text: String, _ role: Role = .muted) {
            self.text = text
            self.role = role
        }
    }

    /// An entry of a list that leads further.
    public struct Row {
        /// The name of the destination.
        public let title: String
        /// Additional text, on the same line.
        public let detail: String?
        /// Texts at the end of the line, the most important first: a narrow terminal leaves out the last.
        public let facts: [Fact]
        /// Called when the row receives the focus, before the focus is drawn; line mode has no focus.
        public let onFocus: (@MainActor () -> Void)?
        public let action: Action

        public init(
            _ title: String, detail: String? = nil, facts: [Fact] = [],
            onFocus: (@MainActor () -> Void)? = nil, action: @escaping Action
        ) {
            self.title = title
            self.detail = detail
            self.facts = facts
            self.onFocus = onFocus
            self.action = action
        }
    }

    /// The work of a user's action.
    ///
    /// While an action runs, its screen takes no other action. The screen shows an error of the action until the next action,
    /// except `UserDeclined` and `CancellationError`: they mean that the user changed course.
    public typealias Action = @MainActor () async throws -> Void
}

extension Display {
    /// Rows of which only the visible ones are requested, so that a hundred thousand cost as much as ten.
    ///
    /// A row is requested again after a change of an `@Observable` property that the content or a row has read.
    public struct List {
        public let count: Int
        /// The identity of the row at an index below ``count``: the focus stays on it when other rows come or go.
        public let id: @MainActor (Int) -> AnyHashable
        public let row: @MainActor (Int) -> Row

        /// Creates a list of values as they are now, with a row for each.
        @MainActor
        public init<Values: RandomAccessCollection, ID: Hashable>(
            _ values: Values, id: @escaping @MainActor (Values.Element) -> ID,
            row: @escaping @MainActor (Values.Element) -> Row
        ) {
            func value(at index: Int) -> Values.Element {
                values[values.index(values.startIndex, offsetBy: index)]
            }
            count = values.count
            self.id = { AnyHashable(id(value(at: $0))) }
            self.row = { row(value(at: $0)) }
        }
    }
}

extension Display {
    /// A screen whose content follows from the state of its model.
    ///
    /// The content is requested again whenever an `@Observable` property that it read has changed.
    public struct ContentScreen: Screen {
        /// The action that runs when the screen is first shown and whenever it is on top again; usually, it loads data.
        ///
        /// It waits for an action of the user on the screen, and is skipped if the user cancels that action.
        public let appear: Action?
        public let content: @MainActor () -> Content

        public init(appear: Action? = nil, content: @escaping @MainActor () -> Content) {
            self.appear = appear
            self.content = content
        }
    }
}
