import Foundation
import Observation

/// The note in focus, which a list and a preview share.
@Observable
@MainActor
final class SharedFocus {
    var id: UUID?
}
