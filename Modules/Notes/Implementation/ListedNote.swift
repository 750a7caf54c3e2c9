import Foundation
import NotesInterface

extension Notes.Note {
    /// The most Unicode scalars of a title, and of a text, that the server takes.
    static let maximumTitle = 200
    static let maximumText = 10_000

    func hasContent(of other: Notes.Note) -> Bool { title == other.title && text == other.text }
}

extension Notes {
    /// Text that a user typed, and has not saved.
    struct Draft: Hashable, Sendable, Codable {
        var title: String
        var text: String
        /// The note before it was changed; nil for a new note.
        var original: Note?
        var begun = Date.now

        /// Whether the draft has the text of a note.
        func hasContent(of note: Note?) -> Bool { title == note?.title ?? "" && text == note?.text ?? "" }
    }

    /// A note as the user has it, and its status on the server.
    struct ListedNote: Identifiable, Hashable, Sendable {
        enum Status: Hashable, Sendable {
            /// The server has the same version.
            case sent
            /// The server has an older version or none.
            case unsent
            /// The user has not saved the note.
            case draft
            /// The server has another version, which was saved elsewhere; nil where the note was deleted there.
            case conflict(theirs: Note?)
        }

        let note: Note
        let status: Status
        var draft: Draft?

        var id: UUID { note.id }
        /// The title and the text as the user typed or saved them last.
        var title: String { draft?.title ?? note.title }
        var text: String { draft?.text ?? note.text }
    }

    /// A resolution for a note that was changed here and elsewhere.
    enum Choice: Hashable, Sendable, CaseIterable {
        case keepMine, keepTheirs
        /// The server's version stays, and the user's version becomes a note of its own.
        case keepBoth
    }
}
