import DisplayInterface
import DisplayTesting
import Testing

@testable import DisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ObservedValueTests {
    @Test func value_isEvaluatedOnceAfterEachChange_whichIsReported() async throws {
        let status = FakeStatus("one")
        var evaluations = 0
        let observed = ObservedValue {
            evaluations += 1
            return status.text
        }
        var texts = [observed.value]
        observed.onChange = { texts.append(observed.value) }
        for text in ["two", nil, "three"] {
            for _ in 0..<100 { _ = observed.value }
            let count = texts.count
            status.text = text
            while texts.count == count { try await yieldUnlessCancelled() }
        }
        #expect(texts == ["one", "two", nil, "three"])
        #expect(evaluations == 4)
    }

    @Test func whatIsReadLater_belongsToTheValue() async throws {
        let (status, other) = (FakeStatus("a"), FakeStatus("b"))
        var changes = 0
        let observed = ObservedValue { status.text }
        observed.onChange = { changes += 1 }
        #expect(observed.value == "a")
        #expect(observed.observing { other.text } == "b")
        other.text = "c"
        while changes == 0 { try await yieldUnlessCancelled() }
    }

    @Test func observation_keepsNothingAlive() {
        let status = FakeStatus("ann")
        weak var observed: ObservedValue<String?>?
        do {
            let text = ObservedValue { status.text }
            _ = text.value
            observed = text
        }
        #expect(observed == nil)
    }
}
