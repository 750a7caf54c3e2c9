import DisplayInterface
import Foundation
import Observation
import RouterServiceInterface

/// A screen on the stack: what it shows now, the action that runs on it, and the error of the last one.
@MainActor
final class ShownScreen {
    let presentation: Presentation
    private let screen: Display.ContentScreen
    private let onChange: @MainActor () -> Void

    private var evaluated: Display.Content?
    private var evaluations = 0
    private var running: Task<Void, Never>?
    private var next: Display.Action?
    private var leaving: Task<Void, Never>?
    private var failure: String?

    init(
        _ screen: Display.ContentScreen, as presentation: Presentation,
        onChange: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.presentation = presentation
        self.onChange = onChange
    }

    /// Whether an action of this screen runs; it takes no other one until then.
    var isBusy: Bool { running != nil }

    /// Whether nothing is going on that would soon change what is shown.
    var isSettled: Bool { !isBusy && leaving == nil && !content.elements.contains(where: \.isProgress) }

    var title: String { content.title }

    /// The error that the last action threw, and then the content's own elements.
    var elements: [Display.Element] {
        (failure.map { [.error($0)] } ?? []) + content.elements
    }

    func appear() {
        if let appear = screen.appear { perform(appear) }
    }

    /// Starts an action, unless one is running.
    func perform(_ action: @escaping Display.Action) {
        guard running == nil else { return }
        failure = nil
        running = Task { [weak self] in
            do {
                try await action()
                self?.end(with: nil)
            } catch is CancellationError {
                self?.end(with: nil)
            } catch {
                self?.end(with: error)
            }
        }
        contentMayHaveChanged()
    }

    /// Starts an action as soon as none is running.
    func performNext(_ action: @escaping Display.Action) {
        guard isBusy else { return perform(action) }
        next = action
    }

    /// Leaves the screen, which may ask first; until it has its answer, further attempts do nothing.
    func leave() {
        guard leaving == nil else { return }
        leaving = Task { [weak self, presentation] in
            await presentation.close()
            self?.leaving = nil
            self?.contentMayHaveChanged()
        }
    }

    /// Gives a field a new text.
    func edit(_ field: Display.Field, to text: String) {
        field.change(text)
        contentMayHaveChanged()
    }

    func cancel() {
        next = nil
        running?.cancel()
    }

    /// Has the content asked for again when it is needed next.
    ///
    /// An observed change is only heard of a moment later, so this is called too wherever one is likely.
    func contentMayHaveChanged() {
        evaluated = nil
        onChange()
    }

    private func end(with error: (any Error)?) {
        running = nil
        failure = error.map(message)
        if let action = next {
            next = nil
            perform(action)
        } else {
            contentMayHaveChanged()
        }
    }

    private var content: Display.Content {
        if let evaluated { return evaluated }
        evaluations += 1
        let evaluation = evaluations
        let content = withObservationTracking(screen.content) { [weak self] in
            // Called before the property has its new value, hence the task.
            Task { @MainActor in self?.observedChange(of: evaluation) }
        }
        evaluated = content
        return content
    }

    private func observedChange(of evaluation: Int) {
        if evaluation == evaluations { contentMayHaveChanged() }
    }

    private func message(of error: any Error) -> String {
        // Without this, Foundation turns an error that has no description of its own into "error 1".
        (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
}

extension Display.Element {
    fileprivate var isProgress: Bool {
        if case .progress = self { true } else { false }
    }
}
