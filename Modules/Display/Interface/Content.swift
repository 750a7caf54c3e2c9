extension Display {
    /// What a screen shows now: a title and elements from top to bottom.
    public struct Content {
        /// The title, one line.
        public let title: String
        /// The elements from top to bottom.
        public let elements: [Element]

        /// Creates content.
        public init(title: String, elements: [Element]) {
            self.title = title
            self.elements = elements
        }
    }

    /// One thing on a screen.
    public enum Element {
        /// Words to read.
        case text(String)
        /// A line that the user types.
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

    /// A line that the user types.
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
        /// Receives the whole text after each change.
        public let change: @MainActor (String) -> Void
        /// What Enter does in this field; nil where Enter moves on to the next element.
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
        /// Goes there.
        public let action: Action

        /// Creates a row.
        public init(_ title: String, detail: String? = nil, action: @escaping Action) {
            self.title = title
            self.detail = detail
            self.action = action
        }
    }

    /// What happens when the user acts.
    ///
    /// While it runs, its screen is busy and takes no other action. An error that it throws is shown on its
    /// screen until the next action; a `CancellationError` is not, for it means that the user changed course.
    public typealias Action = @MainActor () async throws -> Void
}
