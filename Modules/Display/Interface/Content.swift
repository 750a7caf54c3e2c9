public import RouterServiceInterface

/// What a screen shows, and the terminal that shows it.
public enum Display {}

extension Display {
    /// What a screen shows now: a title, elements from top to bottom, and a screen beside them.
    public struct Content {
        /// The title, one line.
        public let title: String
        /// The elements from top to bottom.
        public let elements: [Element]
        /// A screen of its own, such as a preview of the row that has the focus: beside the elements, or below them where
        /// the terminal is narrow.
        ///
        /// Its elements follow the others for the focus; its actions and their errors are its own. Its title is not shown.
        public let detail: EmbeddedScreen?

        /// Creates content.
        public init(title: String, elements: [Element], detail: EmbeddedScreen? = nil) {
            self.title = title
            self.elements = elements
            self.detail = detail
        }
    }

    /// One thing on a screen.
    public enum Element {
        /// Words to read.
        case text(String)
        /// Text that the user types.
        case field(Field)
        /// Something that the user may do.
        case button(Button)
        /// An entry of a list that leads further.
        case row(Row)
        /// Rows of which there may be many; only those that are seen are asked for.
        case list(List)
        /// Work that is going on, in words.
        ///
        /// A terminal that prints lines waits until it is gone before it prints the screen.
        case progress(String)
        /// What went wrong and what the user can do about it.
        case error(String)
    }

    /// Text that the user types: a line, or, in a ``textArea(_:text:rows:limit:change:)``, as many as they like.
    public struct Field {
        /// The most that any field takes, in Unicode scalars: 1,048,576.
        public static let maximum = 1 << 20

        /// What to type, for example `User name`.
        public let label: String
        /// What the field holds now.
        public let text: String
        /// Whether the text must not be readable on the screen.
        public let isSecure: Bool
        /// How long the text may be, in Unicode scalars; what would make it longer is refused, and the user is shown why.
        public let limit: Int
        /// How many lines of the text are seen at a time; one where it cannot have more.
        public private(set) var rows = 1
        /// Receives the whole text after each change.
        public let change: @MainActor (String) -> Void
        /// What Enter does in a field of one line; nil where Enter moves on to the next element.
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
        /// Of the lines, as many as there are rows are seen at a time, two at least.
        public static func textArea(
            _ label: String, text: String, rows: Int = 8, limit: Int = Field.maximum,
            change: @escaping @MainActor (String) -> Void
        ) -> Field {
            var field = Field(label, text: text, limit: limit, change: change)
            field.rows = max(2, rows)
            return field
        }
    }

    /// Something that the user may do.
    public struct Button {
        /// What it does, in the imperative.
        public let title: String
        /// Does it.
        public let action: Action

        /// Creates a button.
        public init(_ title: String, action: @escaping Action) {
            self.title = title
            self.action = action
        }
    }

    /// An entry of a list that leads further.
    public struct Row {
        /// Where it leads.
        public let title: String
        /// More about it, on the same line.
        public let detail: String?
        /// Called when the row is given the focus, before it is shown there; not in line mode, where nothing has the focus.
        public let onFocus: (@MainActor () -> Void)?
        /// Goes there.
        public let action: Action

        /// Creates a row.
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

    /// What happens when the user acts.
    ///
    /// While it runs, its screen is busy and takes no other action. An error that it throws is shown on its
    /// screen until the next action; a `CancellationError` is not, for it means that the user changed course.
    public typealias Action = @MainActor () async throws -> Void
}

extension Display {
    /// Rows of which only those that are seen are asked for, so that a hundred thousand cost what ten do.
    ///
    /// The rows are asked for again after a change of an `@Observable` property that the content or one of them read.
    public struct List {
        /// How many rows there are.
        public let count: Int
        /// What a row at an index is told apart by: the focus stays on it when other rows come or go.
        public let id: @MainActor (Int) -> AnyHashable
        /// The row at an index below ``count``.
        public let row: @MainActor (Int) -> Row

        /// Creates a list.
        public init(
            count: Int, id: @escaping @MainActor (Int) -> AnyHashable, row: @escaping @MainActor (Int) -> Row
        ) {
            self.count = max(0, count)
            self.id = id
            self.row = row
        }

        /// Creates a list with a row for each item.
        @MainActor
        public init<Item: Identifiable>(_ items: [Item], row: @escaping @MainActor (Item) -> Row) {
            self.init(count: items.count, id: { AnyHashable(items[$0].id) }, row: { row(items[$0]) })
        }
    }
}

extension Display {
    /// A screen whose content follows from the state of its model.
    ///
    /// The content is asked for again whenever an `@Observable` property that it read has changed.
    public struct ContentScreen: Screen {
        /// What runs when the screen is first shown, and whenever it is on top again; loading what is not known
        /// yet, usually.
        ///
        /// Left out while another action of the screen runs, which knows what it led to; where that fails, it runs then.
        public let appear: Action?
        /// What the screen shows now.
        public let content: @MainActor () -> Content

        /// Creates a screen.
        public init(appear: Action? = nil, content: @escaping @MainActor () -> Content) {
            self.appear = appear
            self.content = content
        }
    }
}
