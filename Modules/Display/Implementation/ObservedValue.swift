import Observation

/// A value derived from observable state, evaluated once after each change.
@MainActor
final class ObservedValue<Value> {
    private let evaluate: @MainActor () -> Value
    private var known: Value?
    private var evaluations = 0

    var onChange: @MainActor () -> Void = {}

    init(_ evaluate: @escaping @MainActor () -> Value) {
        self.evaluate = evaluate
    }

    var value: Value {
        if let known { return known }
        evaluations += 1
        let value = observing(evaluate)
        known = value
        return value
    }

    func observing<Result>(_ read: @MainActor () -> Result) -> Result {
        let evaluation = evaluations
        return withObservationTracking(read) { [weak self] in
            // The property receives its new value after this call.
            Task { @MainActor in self?.observedChange(of: evaluation) }
        }
    }

    func forget() { known = nil }

    private func observedChange(of evaluation: Int) {
        guard evaluation == evaluations else { return }
        known = nil
        onChange()
    }
}
