import DisplayInterface
import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// The screens of a terminal, the questions to the user, and the requests of other programs.
@MainActor
final class ScreenStack: Presenter {
    private final class Question {
        let text: String
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)

        init(_ text: String) { self.text = text }
    }

    private(set) var screens: [StackedScreen] = []
    /// The focus of the screens that another process showed and this process has not shown yet.
    var resumed: [Focus.Memory?] = []

    var onChange: @MainActor () -> Void = {}
    /// Called before screens of replaced modules are shown.
    var onReplacement: @MainActor () -> Void = {}

    private var questions: [Question] = []
    private var requests: [Display.Action] = []
    /// Whether the opening action has not begun yet.
    private(set) var isOpening = false
    /// Whether the terminal has ended, so that no answers come.
    private var isOver = false

    var top: StackedScreen? { screens.last }

    /// The visible screens: the first fills the terminal, and the others are dialogs.
    var visible: [StackedScreen] {
        screens.reduce(into: []) { visible, screen in
            if screen.presentation.isRoot {
                visible = []
            } else if screen.presentation.style != .modal {
                visible = visible.dropLast()
            }
            visible.append(screen)
        }
    }

    func path(columns: Int) -> String {
        var path = ""
        for screen in screens.reversed() {
            let title = TextLayout.line(screen.page.title, to: columns)
            path = path.isEmpty ? title : "\(title) › \(path)"
            if path.utf8.count > 4 * columns { break }
        }
        return TextLayout.cutStart(path, to: columns)
    }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let stacked = StackedScreen(try Display.ContentScreen(screen), as: presentation) { [weak self] in
            self?.onChange()
        }
        if !resumed.isEmpty { stacked.position.focus = Focus(resumed.removeFirst()) }
        top?.hasMissedAppearing = false
        screens.append(stacked)
        stacked.appear()
        onChange()
    }

    /// Replaces screens, all or none, and lets the new topmost screen appear.
    ///
    /// A screen with the identity of the former screen is a new version of it.
    func replace(_ replacements: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        let former = top
        let new = try replacements.mapValues { screen, presentation in
            StackedScreen(try Display.ContentScreen(screen), as: presentation) { [weak self] in
                self?.onChange()
            }
        }
        onReplacement()
        // The former screens are released last: their end may call the stack again.
        var changed = screens.map { new[$0.presentation.id] ?? $0 }
        for (screen, stacked) in zip(screens, changed) where screen !== stacked {
            if screen.presentation.id == stacked.presentation.id {
                stacked.succeed(screen, isOnTop: screen === former)
            } else {
                screen.cancel()
            }
        }
        swap(&screens, &changed)
        letAppear(unless: former)
    }

    /// Removes screens, cancels their actions, and lets the new topmost screen appear again.
    func remove(_ presentations: [Presentation.ID]) {
        let former = top
        let removed = screens.filter { presentations.contains($0.presentation.id) }
        screens.removeAll { presentations.contains($0.presentation.id) }
        removed.forEach { $0.cancel() }
        letAppear(unless: former)
    }

    private func letAppear(unless former: StackedScreen?) {
        screens.forEach { $0.contentMayHaveChanged() }
        if let top, top !== former { top.appear() }
        onChange()
    }

    // MARK: The user

    /// Begins to take answers; the opening action is the first request.
    func begin(performing action: Display.Action?) throws {
        guard !screens.isEmpty else { throw TerminalFailure.nothingToShow }
        isOver = false
        if let action { requests.insert(action, at: 0) }
        isOpening = action != nil
        onChange()
    }

    /// Cancels all actions, and answers all present and future questions with no.
    func end() {
        isOver = true
        while question != nil { answer(false) }
        screens.forEach { $0.cancel() }
    }

    var question: String? { questions.first?.text }

    /// Waits for the answer to a question; no, when the task is cancelled or the terminal has ended.
    func ask(_ text: String) async -> Bool {
        guard !isOver else { return false }
        let question = Question(text)
        questions.append(question)
        onChange()
        for await isYes in question.answers { return isYes }
        questions.removeAll { $0 === question }
        onChange()
        return false
    }

    func answer(_ isYes: Bool) {
        if question != nil { questions.removeFirst().answer.yield(isYes) }
    }

    var hasRequests: Bool { !requests.isEmpty }

    func request(_ action: @escaping Display.Action) {
        requests.append(action)
        onChange()
    }

    /// Begins the oldest request as an action of a screen, unless another action runs there, or the user fills it in.
    func beginRequest(on screen: StackedScreen) {
        guard hasRequests, !screen.isBusy, !screen.isFormInUse else { return }
        isOpening = false
        screen.perform(requests.removeFirst())
    }
}

extension Display.ContentScreen {
    /// - Throws: `RouterError.unknownScreen` for any other kind of screen.
    init(_ screen: any Screen) throws {
        guard let content = screen as? Display.ContentScreen else {
            throw RouterError.unknownScreen(
                TypeKey(type(of: screen)), presenter: TypeKey((any Display.Terminal).self))
        }
        self = content
    }
}
