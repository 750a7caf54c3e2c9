import Foundation
import NotesInterface

extension Notes {
    /// The reason why something cannot be done with notes.
    enum Failure: LocalizedError, Equatable {
        /// The notes are not those of the user who is signed in.
        case closed
        case gone
        /// The time in which a deletion can be undone is over.
        case tooLate
        case missingTitle
        /// A note is not stored here, with the reason why the server may have it.
        case unknownNote(String?)
        case notSynchronized(String)
        /// A deletion was dropped, because the note was changed elsewhere.
        case notDeleted(title: String)
        /// The notes of a user who signed out could not be removed.
        case notRemoved(author: String, reason: String)
        case wrongNote(requested: UUID, received: UUID)
        case endlessPages, otherServer
        /// Notes of the server are left out, with the reason of the first.
        case unreadableNotes(count: Int, reason: String)

        var errorDescription: String? {
            switch self {
            case .closed:
                "These notes are closed, because their user is not signed in any more. Go back and open your notes again."
            case .gone: "This note was deleted."
            case .tooLate: "The note is deleted, and can no longer be restored."
            case .missingTitle: "Type a title."
            case .unknownNote(nil): "There is no such note. It may have been deleted."
            case .unknownNote(let reason?): "This note is not stored here. \(reason)"
            case .notSynchronized(let reason): reason
            case .notDeleted(let title):
                "'\(title)' was changed elsewhere, so it was not deleted. Read it, and delete it again if you still want to."
            case .notRemoved(let author, let reason):
                "You are signed out, but notes of \(author) could not be removed from this computer. \(reason)"
            case .wrongNote(let requested, let received):
                "The server answered with the note \(received) instead of \(requested). Try again later."
            case .otherServer: "Another server answers than a moment ago. Synchronise again."
            case .unreadableNotes(1, let reason): "A note of the server is left out. \(reason)"
            case .unreadableNotes(let count, let reason):
                "\(count) notes of the server are left out. \(reason)"
            case .endlessPages: "The server's list of notes does not end. Try again later."
            }
        }
    }
}
