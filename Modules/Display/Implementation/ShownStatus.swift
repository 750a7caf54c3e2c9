import DisplayInterface
import Observation

/// What is known of the whole program now, as one line.
@MainActor
final class ShownStatus {
    private let status: (any Display.Status)?
    private var evaluated: String?

    /// Called after the text has changed.
    var onChange: @MainActor () -> Void = {}

    init(_ status: (any Display.Status)?) {
        self.status = status
    }

    /// The text; empty when there is nothing to say.
    ///
    /// It is asked for once after each change, for every question would leave another observer behind.
    var line: String {
        if let evaluated { return evaluated }
        let text = withObservationTracking {
            status?.text
        } onChange: { [weak self] in
            // Called before the property has its new value, hence the task.
            Task { @MainActor in self?.observedChange() }
        }
        let line = PlainText.line(text ?? "")
        evaluated = line
        return line
    }

    private func observedChange() {
        evaluated = nil
        onChange()
    }
}
