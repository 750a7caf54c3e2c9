import Foundation
import NotesInterface
import Observation

/// The note in focus in the session.
@Observable
@MainActor
final class SharedFocus: Notes.Focus {
    var id: UUID?
}
