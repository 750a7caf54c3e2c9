import DisplayInterface
import DisplayTesting
import Testing

@testable import DisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct WatchedTests {
    @Test func everyChange_isHeardOfAndShown() async throws {
        let status = FakeStatus("one")
        let watched = Watched { status.text }
        var texts = [watched.value]
        watched.onChange = { texts.append(watched.value) }
        for text in ["two", nil, "three"] {
            let count = texts.count
            status.text = text
            while texts.count == count { try await yieldUnlessCancelled() }
        }
        #expect(texts == ["one", "two", nil, "three"])
    }

    @Test func value_isAskedForOnceAfterEachChange() async throws {
        let status = FakeStatus("first")
        var questions = 0
        let watched = Watched {
            questions += 1
            return status.text
        }
        for _ in 0..<100 { _ = watched.value }
        #expect(questions == 1)
        status.text = "changed"
        while watched.value != "changed" { try await yieldUnlessCancelled() }
        #expect(questions == 2)
    }

    @Test func whatIsReadLater_belongsToTheValue() async throws {
        let (status, other) = (FakeStatus("a"), FakeStatus("b"))
        var changes = 0
        let watched = Watched { status.text }
        watched.onChange = { changes += 1 }
        #expect(watched.value == "a")
        #expect(watched.observing { other.text } == "b")
        other.text = "c"
        while changes == 0 { try await yieldUnlessCancelled() }
    }

    @Test func whatIsWatched_keepsNothingAlive() {
        let status = FakeStatus("ann")
        weak var watched: Watched<String?>?
        do {
            let watching = Watched { status.text }
            _ = watching.value
            watched = watching
        }
        #expect(watched == nil)
    }
}
