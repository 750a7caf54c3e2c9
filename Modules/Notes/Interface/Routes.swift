public import Foundation
public import RouterServiceInterface

extension Notes {
    /// A route before which the author's notes are opened, after a sign-in if necessary.
    public protocol AuthorsRoute: Route {}

    /// Leads to the user's notes.
    public struct List: AuthorsRoute {
        public static let identifier = "notes.list"

        public init() {}
    }

    /// Leads to the form in which a note is written; finishes with the saved note.
    public struct Editor: AuthorsRoute {
        public typealias Output = Note

        public static let identifier = "notes.editor"

        /// The identifier of the note; nil for a new note.
        public let id: UUID?
        /// The title with which the form of a new note begins.
        public let title: String?

        public init(id: UUID? = nil, title: String? = nil) {
            self.id = id
            self.title = title
        }
    }

    /// Opens the list and, above it, the form for a note.
    public struct Edit: Route {
        public static let identifier = "notes.edit"

        public let id: UUID

        public init(id: UUID) { self.id = id }
    }

    /// Leads to a preview of the note in focus, which another screen embeds.
    public struct Preview: AuthorsRoute {
        public static let identifier = "notes.preview"

        public init() {}
    }
}
