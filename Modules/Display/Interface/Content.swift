public import RouterServiceInterface

/// The content of screens, and the terminal that shows it.
public enum Display {}

extension Display {
    /// The current content of a screen: a title, elements from top to bottom, and a screen beside them.
    public struct Content {
        /// The title, one line.
        public let title: String
        /// The elements from top to bottom.
        public var elements: [Element]
        /// A screen of its own, such as a preview of the row that has the focus: beside the elements, or below them where
        /// the terminal is narrow.
        ///
        /// Its elements follow the others for the focus; its actions and their errors are its own. Its title is not shown.
        public let detail: EmbeddedScreen?
        /// The actions of letters where the focus is not in a field; not in line mode, which has no keys.
        ///
        /// The letters `j`, `k`, `n`, `q`, `t` and `y` are the terminal's own.
        public let keys: [Character: Button]

        public init(
            title: String, elements: [Element], detail: EmbeddedScreen? = nil, keys: [Character: Button] = [:]
        ) {
            self.title = title
            self.elements = elements
            self.detail = detail
            self.keys = keys
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
        /// Rows, possibly many; only the visible ones are requested.
        case list(List)
        /// A description of work in progress.
        ///
        /// A terminal that prints lines waits until it is gone before it prints the screen, for at most 5 seconds.
        case progress(String)
        /// A description of an error and its remedy, for the user.
        case error(String)
    }

    /// Text that the user types: a line, or, in a ``textArea(_:text:rows:limit:change:)``, as many as they like.
    public struct Field {
        /// The most that any field takes, in Unicode scalars: 16,384.
        public static let maximum = 1 << 14

        /// The name of the text to type, for example `User name`.
        public let label: String
        /// The current text of the field.
        public let text: String
        /// Whether the text must not be readable on the screen.
        public let isSecure: Bool
        /// The most Unicode scalars of the text; input that would exceed it is refused, and the user is shown why.
        public let limit: Int
        /// The number of lines of the text that are visible at a time; one if it cannot have more.
        public private(set) var rows = 1
        /// Receives the whole text after each change.
        public let change: @MainActor (String) -> Void
        /// The action of Enter in a field of one line; nil if Enter moves on to the next element.
        public let submit: Action?

        /// Creates a field; a limit above ``maximum`` counts as that.
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

        /// Creates a field for several lines, in which Enter begins a new one.
        ///
        /// A text that is higher than the field is scrolled in it. Line ends in the text are `\n`, however they were typed or
        /// pasted.
        /// The number of lines that are visible at a time is `rows`, but at least two.
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
        /// The action of the button.
        public let action: Action

        public init(_ title: String, action: @escaping Action) {
            self.title = title
            self.action = action
        }
    }

    /// An entry of a list that leads further.
    public struct Row {
        /// The name of the destination.
        public let title: String
        /// Additional text, on the same line.
        public let detail: String?
        /// Called when the row receives the focus, before it is shown there; not in line mode, which has no focus.
        public let onFocus: (@MainActor () -> Void)?
        /// The action that leads to the destination.
        public let action: Action

        public init(
            _ title: String, detail: String? = nil, onFocus: (@MainActor () -> Void)? = nil,
            action: @escaping Action
        ) {
            self.title = title
            self.detail = detail
            self.onFocus = onFocus
            self.action = action
        }
    }

    /// The work that a user's action starts.
    ///
    /// While it runs, its screen is busy and takes no other action. An error that it throws is shown on its
    /// screen until the next action; a `CancellationError` is not: it means that the user changed course.
    public typealias Action = @MainActor () async throws -> Void
}

extension Display {
    /// Rows of which only the visible ones are requested, so that a hundred thousand cost as much as ten.
    ///
    /// A row is requested again after a change of an `@Observable` property that the content or one of them read.
    public struct List {
        /// The number of rows.
        public let count: Int
        /// The identity of the row at an index below ``count``: the focus stays on it when other rows come or go.
        public let id: @MainActor (Int) -> AnyHashable
        /// The row at an index below ``count``.
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
        /// The action that runs when the screen is first shown and whenever it is on top again; usually, it
        /// loads data that is not known yet.
        ///
        /// Delayed while an action of the user runs on the screen, and skipped if the user cancels that action.
        public let appear: Action?
        /// The current content of the screen.
        public let content: @MainActor () -> Content

        public init(appear: Action? = nil, content: @escaping @MainActor () -> Content) {
            self.appear = appear
            self.content = content
        }
    }
}

extension Display {
    /// The style of a screen in a narrow pane beside the one below, which keeps the focus; Esc closes it.
    ///
    /// A style of this terminal's own: to routers it is a name as any other, and a presenter that does not know it throws
    /// `RouterError.unknownStyle`. In line mode, the screen is printed as if it were pushed.
    public static let peek = PresentationStyle("peek")
}
