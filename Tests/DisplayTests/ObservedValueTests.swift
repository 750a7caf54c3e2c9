import DisplayInterface
import DisplayTesting
import Testing

@testable import DisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ObservedValueTests {
    @Test func everyChange_isReported() async throws {
        let status = FakeStatus("one")
        let observed = ObservedValue { status.text }
        var texts = [observed.value]
        observed.onChange = { texts.append(observed.value) }
        for text in ["two", nil, "three"] {
            let count = texts.count
            status.text = text
            while texts.count == count { try await yieldUnlessCancelled() }
        }
        #expect(texts == ["one", "two", nil, "three"])
    }

    @Test func value_isEvaluatedOnceAfterEachChange() async throws {
        let status = FakeStatus("first")
        var evaluations = 0
        let observed = ObservedValue {
            evaluations += 1
            return status.text
        }
        for _ in 0..<100 { _ = observed.value }
        #expect(evaluations == 1)
        status.text = "changed"
        while observed.value != "changed" { try await yieldUnlessCancelled() }
        #expect(evaluations == 2)
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
