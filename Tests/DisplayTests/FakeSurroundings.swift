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

    var fact: Display.Fact? { text.map { Display.Fact($0) } }
}

/// A trace of one event.
@MainActor
final class FakeTrace: Display.Trace {
    let stack = ["profile.overview|{}"]
    let events = [
        Display.TraceEvent("created", .muted, "any HTTP.Client", at: .now),
        Display.TraceEvent(
            "presented", .positive, "profile.overview", values: "{}", at: .now + .milliseconds(12)),
    ]
    let services = ["any HTTP.Client"]
}
