import DisplayInterface

/// Actions that other programs ask for: each begins as an action of the screen on top, while the user types nothing.
@MainActor
final class Requests {
    private var waiting: [Display.Action] = []

    /// Called when a request is added.
    var onChange: @MainActor () -> Void = {}

    var isEmpty: Bool { waiting.isEmpty }

    func add(_ action: @escaping Display.Action) {
        waiting.append(action)
        onChange()
    }

    /// Begins the oldest request, unless an action of the screen runs.
    func begin(on screen: StackedScreen) {
        if !waiting.isEmpty, !screen.isBusy { screen.perform(waiting.removeFirst()) }
    }
}

/// The questions that wait for the user's answer, the oldest first.
@MainActor
final class Questions {
    private struct Question {
        let number: Int
        let text: String
        let answer: CheckedContinuation<Bool, Never>
    }

    private var waiting: [Question] = []
    private var count = 0
    /// Whether no more answers will come.
    private var isOver = false

    /// Called when a question is added, or removed without an answer.
    var onChange: @MainActor () -> Void = {}

    /// The question that is to be answered first.
    var first: String? { waiting.first?.text }

    /// Waits for the answer to a question.
    ///
    /// - Returns: The answer; false when the task is cancelled, or there is no user to ask.
    func ask(_ text: String) async -> Bool {
        guard !isOver, !Task.isCancelled else { return false }
        count += 1
        let number = count
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                waiting.append(Question(number: number, text: text, answer: answer))
                onChange()
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(number) }
        }
    }

    /// Answers the first question.
    func answer(_ isYes: Bool) {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().answer.resume(returning: isYes)
    }

    /// Waits for answers again.
    func begin() {
        isOver = false
    }

    /// Answers all questions with no, including those asked from now on.
    func end() {
        isOver = true
        while !waiting.isEmpty { answer(false) }
    }

    private func withdraw(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).answer.resume(returning: false)
        onChange()
    }
}
