import Foundation
import NotesInterface
import Observation

/// Which note is looked at in the session.
@Observable
@MainActor
final class SharedFocus: Notes.Focus {
    var id: UUID?
}
