public import Foundation
public import RouterServiceInterface

extension Notes {
    /// Leads to the user's notes.
    public struct List: Route {
        /// `notes.list` in links.
        public static let identifier = "notes.list"

        /// Creates a route to the list.
        public init() {}
    }

    /// Leads to the form in which a note is written; finishes with what was saved.
    public struct Editor: Route {
        /// What the caller gets back.
        public typealias Output = Note

        /// `notes.editor` in links.
        public static let identifier = "notes.editor"

        /// Which note; nil for a new one.
        public let id: UUID?

        /// Creates a route to the form.
        public init(id: UUID? = nil) { self.id = id }
    }

    /// Opens the list and, above it, the form for a note.
    public struct Edit: Route {
        /// `notes.edit` in links.
        public static let identifier = "notes.edit"

        /// Which note.
        public let id: UUID

        /// Creates a route that opens the list and the form.
        public init(id: UUID) { self.id = id }
    }

    /// Sends what is unsent and reads all notes, without a screen.
    public struct Synchronize: Route {
        /// `notes.synchronize` in links.
        public static let identifier = "notes.synchronize"

        /// Creates a route that synchronises.
        public init() {}
    }
}

extension Notes {
    /// Leads to a preview of the note that has the ``Focus``, to be embedded in another screen.
    ///
    /// It finishes with what the user wants to do with the note.
    public struct Preview: Route {
        /// What the screen around it gets back.
        public enum Output: Hashable, Sendable {
            /// The user wants to change the note.
            case edit(UUID)
            /// The user wants to delete the note.
            case delete(UUID)
        }

        /// `notes.preview` in links.
        public static let identifier = "notes.preview"

        /// Creates a route to the preview.
        public init() {}
    }

    /// Which note is looked at: what a list and a preview know of each other.
    ///
    /// A service of the scope ``session``.
    @MainActor
    public protocol Focus: AnyObject {
        /// The note; nil where there is none.
        ///
        /// Observable.
        var id: UUID? { get set }
    }
}
