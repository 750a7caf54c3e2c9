import DisplayInterface
import Foundation
import RouterServiceInterface

/// The screens that a terminal was asked to show, the topmost last, and what waits for the user: questions, and actions
/// that other programs ask for.
@MainActor
final class ScreenStack {
    private final class Question {
        let text: String
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)

        init(_ text: String) { self.text = text }
    }

    private(set) var screens: [StackedScreen] = []
    /// The focus of each screen that is still to be shown in place of another process's.
    var resumed: [Focus.Memory?] = []

    /// Called after a change of the screens, of the content of one of them, or of what waits.
    var onChange: @MainActor () -> Void = {}

    private var questions: [Question] = []
    private var requests: [Display.Action] = []
    /// Whether no more answers will come.
    private var isOver = false

    var top: StackedScreen? { screens.last }

    /// The screen that has the focus: the topmost one, below those that are shown beside it.
    var active: StackedScreen? { current.first }

    /// The active screen, and those that are shown beside it.
    var current: [StackedScreen] { levels.last ?? [] }

    /// The visible screens, each with those beside it; the first fills the terminal, and the others are dialogs.
    var levels: [[StackedScreen]] {
        screens.reduce(into: []) { levels, screen in
            if levels.isEmpty || screen.presentation.isRoot {
                levels = [[screen]]
            } else if screen.isPeek {
                levels[levels.count - 1].append(screen)
            } else {
                if screen.presentation.style != .modal { levels.removeLast() }
                levels.append([screen])
            }
        }
    }

    /// The end of the titles of all screens as one line, as much as fits the columns.
    func path(columns: Int) -> String {
        var path = ""
        for screen in screens.reversed() {
            let title = TextLayout.line(screen.page.title, to: columns)
            path = path.isEmpty ? title : "\(title) › \(path)"
            if path.utf8.count > 4 * columns { break }
        }
        return TextLayout.cutStart(path, to: columns)
    }

    /// Puts a screen on top and lets it appear.
    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let stacked = try stackedScreen(screen, as: presentation)
        if !resumed.isEmpty { stacked.view.focus = Focus(resumed.removeFirst()) }
        if !stacked.isPeek { current.forEach { $0.disappear() } }
        screens.append(stacked)
        stacked.appear()
        onChange()
    }

    /// Puts screens in the places of others, and lets the topmost appear; all or none.
    ///
    /// One with the same identity is a new version of the former.
    func replace(_ replacements: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        let former = current
        let new = try replacements.mapValues { try stackedScreen($0.screen, as: $0.presentation) }
        // Exchanged at once and released after: what ends with a screen may call the stack again.
        var changed = screens.map { new[$0.presentation.id] ?? $0 }
        for (screen, stacked) in zip(screens, changed) where screen !== stacked {
            if screen.presentation.id == stacked.presentation.id {
                stacked.succeed(screen, isOnTop: former.contains { $0 === screen })
            } else {
                screen.cancel()
            }
        }
        swap(&screens, &changed)
        screens.forEach { $0.contentMayHaveChanged() }
        letAppear(unless: former)
    }

    /// Removes screens, cancels their actions, and lets the new topmost screen appear again.
    ///
    /// Identities that are not on the stack are ignored.
    func remove(_ presentations: [Presentation.ID]) {
        let former = current
        let removed = screens.filter { presentations.contains($0.presentation.id) }
        screens.removeAll { presentations.contains($0.presentation.id) }
        removed.forEach { $0.cancel() }
        // The user's actions above may have changed the content below.
        screens.forEach { $0.contentMayHaveChanged() }
        letAppear(unless: former)
    }

    /// Lets the active screen and those beside it appear, except those that were there before.
    private func letAppear(unless former: [StackedScreen]) {
        for screen in current where !former.contains(where: { $0 === screen }) { screen.appear() }
        onChange()
    }

    private func stackedScreen(_ screen: any Screen, as presentation: Presentation) throws -> StackedScreen {
        guard let content = screen as? Display.ContentScreen else {
            let presenter = TypeName((any Display.Terminal).self)
            throw RouterError.unknownScreen(TypeName(type(of: screen)), presenter: presenter)
        }
        guard [.push, .modal, .root, Display.peek].contains(presentation.style) else {
            throw RouterError.unknownStyle(presentation.style)
        }
        return StackedScreen(content, as: presentation) { [weak self] in self?.onChange() }
    }

    // MARK: The user

    /// Begins to show the screens to a user, with an action of the top screen as soon as that has appeared.
    func begin(performing action: Display.Action?) throws {
        guard let top else { throw TerminalFailure.nothingToShow }
        isOver = false
        if let action { top.performNext(action) }
    }

    /// Cancels all actions, and answers all questions with no, including those asked from now on.
    func end() {
        isOver = true
        while question != nil { answer(false) }
        screens.forEach { $0.cancel() }
    }

    /// The question that is to be answered first.
    var question: String? { questions.first?.text }

    /// Waits for the answer to a question.
    ///
    /// - Returns: The answer; false when the task is cancelled, or there is no user to ask.
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

    /// Answers the first question.
    func answer(_ isYes: Bool) {
        if question != nil { questions.removeFirst().answer.yield(isYes) }
    }

    var hasRequests: Bool { !requests.isEmpty }

    /// Adds an action that another program asks for.
    func request(_ action: @escaping Display.Action) {
        requests.append(action)
        onChange()
    }

    /// Begins the oldest request as an action of a screen, unless one runs there.
    func beginRequest(on screen: StackedScreen) {
        if hasRequests, !screen.isBusy { screen.perform(requests.removeFirst()) }
    }
}
