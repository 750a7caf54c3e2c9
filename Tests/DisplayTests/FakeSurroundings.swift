import DisplayInterface
import Observation

/// A status that a test sets.
@Observable
@MainActor
final class FakeStatus: Display.Status {
    var text: String?
    let about: [String] = []

    init(_ text: String? = nil) {
        self.text = text
    }
}

/// A trace of one event.
@MainActor
final class FakeTrace: Display.Trace {
    let stack = ["profile.overview|{}"]
    let events = ["presented profile.overview|{}"]
    let services = ["any HTTP.Client"]
}
