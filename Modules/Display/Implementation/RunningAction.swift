import DisplayInterface
import RouterServiceInterface

/// A running action; when a module is replaced, the new version of its screen receives it.
@MainActor
final class RunningAction {
    weak var screen: StackedScreen?
    /// Whether the action began because the screen came on top.
    let isAppearance: Bool
    /// The place from which the user began the action; nil if the user did not begin it.
    let origin: ActionOrigin?
    let start = ContinuousClock.now
    private(set) var isCancelled = false
    private var task: Task<Void, Never>?

    init(
        _ action: @escaping Display.Action, of screen: StackedScreen, isAppearance: Bool,
        from origin: ActionOrigin?
    ) {
        self.screen = screen
        self.origin = origin
        self.isAppearance = isAppearance
        task = Task {
            var failure: (any Error)?
            do { try await action() } catch { failure = error }
            if failure is CancellationError || failure is UserDeclined { failure = nil }
            self.screen?.finish(with: failure)
        }
    }

    /// Whether the action may be too short to be seen.
    var isBrief: Bool { ContinuousClock.now - start < .milliseconds(200) }

    /// The sign of the action beside its element.
    var spinner: String? { isBrief ? nil : Frame.spinner(after: ContinuousClock.now - start) }

    func cancel() {
        isCancelled = true
        task?.cancel()
    }
}

struct ActionOrigin {
    let focus: Focus
    /// The label of the last field above the element in its form, below which an error of the action is shown.
    let field: String?
}

struct Failure {
    let message: String
    /// The label of the field below which the message is shown; nil for the start of the page.
    let field: String?

    func index(in elements: [Display.Element]) -> Int {
        let field = elements.firstIndex { element in
            if case .field(let field) = element { field.label == self.field } else { false }
        }
        return field.map { $0 + 1 } ?? 0
    }
}
