public import Foundation
public import RouterServiceInterface

extension Notes {
    /// A route that needs the author's notes, which are opened first, after a sign-in where it takes one.
    public protocol AuthorsRoute: Route {}

    /// Leads to the user's notes.
    public struct List: AuthorsRoute {
        /// `notes.list` in links.
        public static let identifier = "notes.list"

        public init() {}
    }

    /// Leads to the form in which a note is written; finishes with the saved note.
    public struct Editor: AuthorsRoute {
        /// The output that the caller receives.
        public typealias Output = Note

        /// `notes.editor` in links.
        public static let identifier = "notes.editor"

        /// The identifier of the note; nil for a new one.
        public let id: UUID?
        /// The title that the form of a new note begins with.
        public let title: String?

        public init(id: UUID? = nil, title: String? = nil) { (self.id, self.title) = (id, title) }
    }

    /// Opens the list and, above it, the form for a note.
    public struct Edit: Route {
        /// `notes.edit` in links.
        public static let identifier = "notes.edit"

        /// The identifier of the note.
        public let id: UUID

        public init(id: UUID) { self.id = id }
    }

    /// Sends all unsent changes and reads all notes, without a screen.
    public struct Synchronize: AuthorsRoute {
        /// `notes.synchronize` in links.
        public static let identifier = "notes.synchronize"

        public init() {}
    }
}

extension Notes {
    /// Leads to a preview of the note in focus, to be embedded in another screen or shown beside it.
    ///
    /// It finishes with the user's request for the note.
    public struct Preview: AuthorsRoute {
        /// The output that the screen around it receives.
        public enum Output: Hashable, Sendable {
            /// The user wants to change the note.
            case edit(UUID)
            /// The user wants to delete the note.
            case delete(UUID)
        }

        /// `notes.preview` in links.
        public static let identifier = "notes.preview"

        public init() {}
    }
}
