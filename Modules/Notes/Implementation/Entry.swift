import Foundation
import NotesInterface

extension Notes.Note {
    /// The most Unicode scalars of a title, as the server counts.
    static let maximumTitle = 200
    /// The most Unicode scalars of a text, as the server counts.
    static let maximumText = 10_000

    /// Whether two notes have the same title and text.
    func hasContent(of other: Notes.Note) -> Bool { Change.Content.save(self) == .save(other) }
}

extension Notes {
    /// Text that a user typed, and has not saved.
    struct Draft: Hashable, Sendable, Codable {
        var title: String
        var text: String
        /// The note before it was changed; nil for a new one.
        var original: Note?

        init(title: String, text: String, original: Note?) {
            self.title = title
            self.text = text
            self.original = original
        }

        /// Creates a draft with the text of another draft.
        init(_ draft: Draft, of original: Note) {
            self.init(title: draft.title, text: draft.text, original: original)
        }
    }

    /// A note as the user has it, and whether the server has it too.
    struct Entry: Identifiable, Hashable, Sendable {
        /// The server's version of a note, compared with the user's.
        enum Status: Hashable, Sendable {
            /// The same.
            case sent
            /// An older version, or nothing: it is sent as soon as the server answers, and again later where the server
            /// refused it, for the given reason.
            case unsent(refusal: String?)
            /// Nothing, because the user wants the note kept here only.
            case kept
            /// Nothing, because the user has not saved it: the note is a draft.
            case draft
            /// Another version, which was saved elsewhere; nil where the note was deleted there.
            case conflict(theirs: Note?)
        }

        let note: Note
        var status: Status
        /// What was typed and not saved.
        var draft: Draft?

        var id: UUID { note.id }
    }

    /// A resolution for a note that was changed here and elsewhere.
    enum Choice: Hashable, Sendable, CaseIterable {
        /// The user's version replaces the server's.
        case keepMine
        /// The user's version is dropped.
        case keepTheirs
        /// The server's version stays, and the user's becomes a note of its own.
        case keepBoth
    }
}
