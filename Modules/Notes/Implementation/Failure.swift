import Foundation
import NotesInterface

extension Notes {
    /// The reason why something cannot be done with notes.
    enum Failure: LocalizedError, Equatable {
        /// The notes are not those of the user who is signed in.
        case closed
        /// The note was deleted.
        case gone
        /// The time in which a deletion can be undone is over.
        case tooLate
        /// A note without a title was to be saved.
        case missingTitle
        /// A note is neither here nor, as far as it answers, on the server; with the reason why it may be there.
        case unknownNote(String?)
        /// Notes could not be compared with those of the server.
        case notSynchronized(String)
        /// A deletion was dropped, because the user has not seen the current note.
        case notDeleted(title: String)
        /// The notes of a user who signed out could not be removed.
        case notRemoved(author: String, reason: String)
        /// A readable answer of the server that makes no sense.
        case wrongNote(asked: UUID, answered: UUID)
        case endlessPages, otherServer
        /// Notes of the server were left out, because they cannot be read; the name of the first, and the reason.
        case unreadableNotes(count: Int, first: String, reason: String)

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
            case .wrongNote(let asked, let answered):
                "The server answered with the note \(answered) instead of \(asked). Try again later."
            case .otherServer: "Another server answers than a moment ago. Synchronise again."
            case .unreadableNotes(1, let name, let reason):
                "A note of the server is left out: \(name). \(reason)"
            case .unreadableNotes(let count, let name, let reason):
                "\(count) notes of the server are left out, among them \(name). \(reason)"
            case .endlessPages: "The server's list of notes does not end. Try again later."
            }
        }
    }
}
