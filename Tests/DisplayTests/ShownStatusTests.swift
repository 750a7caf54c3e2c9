import DisplayInterface
import DisplayTesting
import Testing

@testable import DisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ShownStatusTests {
    @Test func noStatusAndNoText_areAnEmptyLine() {
        #expect(ShownStatus(nil).line.isEmpty)
        #expect(ShownStatus(FakeStatus()).line.isEmpty)
    }

    @Test func everyChange_isHeardOfAndShown() async throws {
        let status = FakeStatus("one")
        let shown = ShownStatus(status)
        var lines = [shown.line]
        shown.onChange = { lines.append(shown.line) }
        for text in ["two", nil, "three"] {
            let count = lines.count
            status.text = text
            while lines.count == count { try await yieldUnlessCancelled() }
        }
        #expect(lines == ["one", "two", "", "three"])
    }

    @Test func text_isAskedForOnceAfterEachChange() async throws {
        let status = CountingStatus()
        let shown = ShownStatus(status)
        for _ in 0..<100 { _ = shown.line }
        #expect(status.questions == 1)
        status.source.text = "changed"
        while shown.line != "changed" { try await yieldUnlessCancelled() }
        #expect(status.questions == 2)
    }

    @Test func controlCharactersAndLineEnds_areReplaced() {
        #expect(ShownStatus(FakeStatus("a\u{1B}[2J\r\nb\u{202E}")).line == "a\u{FFFD}[2J b\u{FFFD}")
    }

    @Test func statusThatIsWatched_keepsNothingAlive() {
        let status = FakeStatus("ann")
        weak var shown: ShownStatus?
        do {
            let watching = ShownStatus(status)
            _ = watching.line
            shown = watching
        }
        #expect(shown == nil)
    }
}

/// Counts how often it is asked, and answers with another status.
@MainActor
private final class CountingStatus: Display.Status {
    let source = FakeStatus("first")
    private(set) var questions = 0

    var text: String? {
        questions += 1
        return source.text
    }
}
