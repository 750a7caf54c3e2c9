import Foundation
import NotesInterface

extension Notes {
    /// The reason why something cannot be done with notes.
    enum Failure: LocalizedError, Equatable {
        /// The notes are not those of the user who is signed in.
        case closed
        case gone
        case missingTitle
        /// A note is not stored here, with the reason why the server may have it.
        case unknownNote(String?)
        /// The server refused changes of notes, with the title of the first, the number of the others, and the first reason.
        case refused(title: String, others: Int, reason: String)
        /// A deletion was dropped.
        case changedElsewhere
        /// The notes of a user who signed out could not be removed.
        case notRemoved(author: String, reason: String)
        case wrongNote(requested: UUID, received: UUID)
        case endlessPages, otherServer

        var errorDescription: String? {
            switch self {
            case .closed:
                "These notes are closed, because their user is not signed in any more. Go back and open your notes again."
            case .gone: "This note was deleted."
            case .missingTitle: "Type a title."
            case .unknownNote(nil): "There is no such note. It may have been deleted."
            case .unknownNote(let reason?): "This note is not stored here. \(reason)"
            case .refused(let title, 0, let reason): "'\(title)' could not be synchronised. \(reason)"
            case .refused(let title, let others, let reason):
                "'\(title)' and \(others) more could not be synchronised. \(reason)"
            case .changedElsewhere:
                "It was changed elsewhere, so it was not deleted. Read it, and delete it again if you still want to."
            case .notRemoved(let author, let reason):
                "You are signed out, but notes of \(author) could not be removed from this computer. \(reason)"
            case .wrongNote(let requested, let received):
                "The server responded with the note \(received) instead of \(requested). Try again later."
            case .otherServer: "Another server responds than a moment ago. Synchronise again."
            case .endlessPages: "The server's list of notes does not end. Try again later."
            }
        }
    }
}
