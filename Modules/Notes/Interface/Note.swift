public import Foundation

extension Notes {
    /// A note that a user wrote.
    public struct Note: Identifiable, Hashable, Sendable, Codable {
        /// The most Unicode scalars of a title, as the server counts.
        public static let longestTitle = 200
        /// The most Unicode scalars of a text, as the server counts.
        public static let longestText = 10_000

        /// The identifier, which the program that creates the note makes.
        public let id: UUID
        /// The title, one line.
        public var title: String
        /// The text, of any number of lines.
        public var text: String
        /// The time at which it was saved last.
        public var changed: Date
        /// The server's version that it was made from; nil for a note that the server has not had.
        public var version: String?

        public init(
            id: UUID = UUID(), title: String, text: String, changed: Date = .now, version: String? = nil
        ) {
            (self.id, self.title, self.text) = (id, title, text)
            (self.changed, self.version) = (changed, version)
        }

        /// Whether two notes have the same title and text, byte by byte, as the server compares.
        public func hasContent(of other: Note) -> Bool {
            title.utf8.elementsEqual(other.title.utf8) && text.utf8.elementsEqual(other.text.utf8)
        }
    }

    /// Text that a user typed, and has not saved.
    public struct Draft: Hashable, Sendable, Codable {
        /// The typed title.
        public var title: String
        /// The typed text.
        public var text: String
        /// The note before it was changed; nil for a new one.
        public let original: Note?

        public init(title: String, text: String, original: Note?) {
            (self.title, self.text, self.original) = (title, text, original)
        }
    }

    /// A note as the user has it, and whether the server has it too.
    public struct Entry: Identifiable, Hashable, Sendable {
        /// The server's version of a note, compared with the user's.
        public enum Status: Hashable, Sendable {
            /// The same.
            case sent
            /// An older version, or nothing: it is sent as soon as the server answers, and again later where the server
            /// refused it, for the given reason.
            case unsent(refusal: String?)
            /// Nothing, because the user wants the note kept here only.
            case kept
            /// Nothing, because the user has not saved it: the note is a ``Draft``.
            case draft
            /// Another version, which was saved elsewhere; nil where the note was deleted there.
            case conflict(theirs: Note?)
        }

        /// The note.
        public let note: Note
        /// The server's version, compared with the user's.
        public let status: Status

        public init(note: Note, status: Status) { (self.note, self.status) = (note, status) }

        /// The identifier of the note.
        public var id: UUID { note.id }
    }

    /// A resolution for a note that was changed here and elsewhere.
    public enum Choice: Hashable, Sendable, CaseIterable {
        /// The user's version replaces the server's.
        case keepMine
        /// The user's version is dropped.
        case keepTheirs
        /// The server's version stays, and the user's becomes a note of its own.
        case keepBoth
    }
}
