import DisplayInterface
import Foundation
import RouterServiceInterface

/// Shows screens as lines of text and takes one line for each action, for pipes, files and plain terminals.
///
/// A screen is printed when none of its actions runs and it shows no progress, or has shown only progress for a while. The output
/// depends on the input and the screens alone, so that whole sessions can be compared.
@MainActor
final class LinePresenter: Display.Terminal {
    private struct Quit: Error {}

    let stack: ScreenStack
    private let device: any LineDevice
    private var notices: [String] = []
    private let patience: Duration

    init(
        _ device: any LineDevice, stack: ScreenStack = ScreenStack(), patience: Duration = .seconds(5)
    ) {
        self.device = device
        self.stack = stack
        self.patience = patience
    }

    func notify(_ message: String, as role: Display.Role) {
        notices += Display.PlainText.lines(message).map { "\(role.mark) \($0)\n" }
    }
    func confirm(_ question: String) async -> Bool { await stack.ask(question) }
    func perform(_ action: @escaping Display.Action) { stack.request(action) }

    func run(performing action: Display.Action?) async throws {
        let (changes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        stack.onChange = { continuation.yield() }
        defer {
            stack.onChange = {}
            stack.end()
        }
        try stack.begin(performing: action)
        do {
            var separator = ""
            while let screen = try await settledScreen(after: changes, wake: continuation) {
                let page = PrintedPage(
                    screen.page, path: stack.path(columns: 1000), goesBack: !screen.presentation.isRoot)
                try device.write(separator + inBlock(notices.joined() + page.text))
                notices = []
                separator = "\n"
                try await converse(about: page, on: screen)
            }
        } catch is Quit {
        } catch let failure as Display.OutputFailure where failure.code == EPIPE {
            // The output is closed, so nobody can read the error.
        }
    }

    /// The top screen as soon as it has settled; nil when the stack is empty or the task is cancelled.
    ///
    /// Meanwhile the user is asked questions, and requests of other programs begin.
    private func settledScreen(
        after changes: AsyncStream<Void>, wake: AsyncStream<Void>.Continuation
    ) async throws -> StackedScreen? {
        var change = changes.makeAsyncIterator()
        var deadline: ContinuousClock.Instant?
        while let top = stack.top {
            if let question = stack.question {
                try await ask(question)
                continue
            }
            if top.isIdle { stack.beginRequest(on: top) }
            deadline = top.isIdle ? deadline ?? .now + patience : nil
            if top.isIdle && !top.page.hasProgress || deadline.map({ $0 <= .now }) == true { return top }
            let timer = deadline.map { deadline in
                Task {
                    try await Task.sleep(until: deadline)
                    wake.yield()
                }
            }
            defer { timer?.cancel() }
            guard await change.next(isolation: #isolation) != nil else { return nil }
        }
        return nil
    }

    private func ask(_ question: String) async throws {
        let prompt = "\(Display.PlainText.line(question)) (y/n) "
        do {
            let answer = try await nextLine(prompt).trimmingCharacters(in: .whitespaces).lowercased()
            stack.answer(["y", "yes"].contains(answer))
        } catch is Quit {
            stack.answer(false)
        }
        // The caller of the question continues before a screen is printed.
        await Task.yield()
    }

    /// Handles the input for a printed screen.
    ///
    /// - Throws: `Quit` when the user quits or the input ends.
    private func converse(about page: PrintedPage, on screen: StackedScreen) async throws {
        if screen.isForm, !screen.position.hasPrompted {
            screen.position.hasPrompted = true
            return try await askForFields(of: screen)
        }
        while true {
            let choice = try await nextLine("> ").trimmingCharacters(in: .whitespaces)
            guard stack.top === screen else { return }
            if choice == "q" { throw Quit() }
            if choice == "0", !screen.presentation.isRoot { return screen.leave() }
            guard let number = Int(choice), page.choices.indices.contains(number - 1) else {
                try device.write(inBlock(page.help))
                if stack.hasRequests { return }
                continue
            }
            let place = page.choices[number - 1]
            // The content may have changed since the page was printed.
            if let field = page.page.field(at: place) {
                try device.write(inBlock(Self.promptHelp))
                _ = try await ask(for: field, on: screen, of: screen.screen(of: place))
            } else if let choice = page.page.choice(at: place) {
                screen.screen(of: place).perform(choice.action)
            }
            return
        }
    }

    private enum Answer: Equatable {
        case text(String)
        case kept, cancelled
    }

    private static let promptHelp = "(An empty line keeps the text; :q goes back to the choices.)\n"

    private func askForFields(of screen: StackedScreen) async throws {
        try device.write(inBlock(Self.promptHelp))
        for label in screen.fields.map(\.label) {
            guard stack.top === screen, !screen.isBusy else { break }
            guard let field = screen.fields.first(where: { $0.label == label }) else { continue }
            if try await ask(for: field, on: screen, of: screen) == .cancelled { return }
        }
    }

    /// Asks for the text of a field, whose owner is the printed screen or its detail.
    private func ask(
        for field: Display.Field, on screen: StackedScreen, of owner: StackedScreen
    ) async throws -> Answer {
        let label = Display.PlainText.line(field.label)
        let answer: Answer
        if field.rows > 1 {
            try device.write(inBlock("\(label); end it with a line that is only a full stop:\n"))
            // Each line is kept at once, so that a program that is killed loses no line.
            answer = try await nextLines(limit: field.limit) { [stack] text in
                if stack.top === screen { owner.edit(field, to: text) }
            }
        } else {
            let present = field.shownText
            let prompt = label + (present.isEmpty ? ": " : " [\(present)]: ")
            answer = try await nextAnswer(prompt, isSecure: field.isSecure)
        }
        guard stack.top === screen else { return .kept }
        guard case .text(let text) = answer else {
            if answer == .cancelled, field.rows > 1 { owner.edit(field, to: field.text) }
            return answer
        }
        guard text.unicodeScalars.count <= field.limit else {
            try device.write(inBlock("! \(field.refusal)\n"))
            if field.rows > 1 { owner.edit(field, to: field.text) }
            return .cancelled
        }
        owner.edit(field, to: text)
        let changed = owner.fields.first { $0.label == field.label }
        if let submit = (changed ?? field).submit { owner.perform(submit) }
        return answer
    }

    /// The lines up to a single full stop, as one text; an empty first line keeps the present text.
    ///
    /// `receive` gets the text after each line that fits.
    private func nextLines(limit: Int, receive: (String) -> Void) async throws -> Answer {
        var lines: [String] = []
        var count = 0
        while true {
            let answer = try await nextAnswer("| ")
            switch answer {
            case .kept where lines.isEmpty: return .kept
            case .text("."): return .text(lines.joined(separator: "\n"))
            case .cancelled: return .cancelled
            case .kept, .text:
                let line = if case .text(let line) = answer { line } else { "" }
                // A text that is too long is read to its end: its lines must not count as choices.
                if count <= limit + 1 { lines.append(line) }
                count += line.unicodeScalars.count + 1
                if count <= limit + 1 { receive(lines.joined(separator: "\n")) }
            }
        }
    }

    private func nextAnswer(_ prompt: String, isSecure: Bool = false) async throws -> Answer {
        do {
            let line = try await nextLine(prompt, isSecure: isSecure)
            return line == ":q" ? .cancelled : line.isEmpty ? .kept : .text(line)
        } catch is Quit where device.isTerminal {
            return .cancelled
        }
    }

    private var margin: String { stack.visible.dropFirst().map { _ in "│ " }.joined() }

    private func inBlock(_ lines: String) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { "\(margin)\($0)\n" }.joined()
    }

    private func nextLine(_ prompt: String, isSecure: Bool = false) async throws -> String {
        let typed = try await device.nextLine(margin + prompt, isSecure: isSecure)
        if let typed, !device.isTerminal {
            try device.write(Display.Field.shown(typed, isSecure: isSecure) + "\n")
        } else if isSecure || typed == nil {
            // The terminal did not show a line end behind the prompt.
            try device.write("\n")
        }
        guard let typed else { throw Quit() }
        return typed
    }
}

/// The printed lines of a page, and the places that the printed numbers choose.
@MainActor
struct PrintedPage {
    let page: Page
    let text: String
    let choices: [Place]

    private let goesBack: Bool

    init(_ page: Page, path: String, goesBack: Bool) {
        var lines = ["== \(path) =="]
        var choices: [Place] = []
        func add(_ title: String, _ element: Int, row: Int = 0) {
            choices.append(Place(element: element, row: row))
            lines.append(Self.numbered(choices.count, title))
        }
        for (index, element) in page.elements.enumerated() {
            switch element {
            case .text(let text), .progress(let text):
                lines += Display.PlainText.lines(text).map(Self.quoted)
            case .error(let message):
                lines += Display.PlainText.lines(message).map { "! \($0)" }
            case .field(let field) where field.rows > 1:
                add(Display.PlainText.line(field.label) + ":", index)
                if !field.text.isEmpty {
                    lines += Display.PlainText.lines(field.text).map { "     | \($0)" }
                }
            case .field(let field):
                let value = field.shownText
                add(Display.PlainText.line(field.label) + (value.isEmpty ? ":" : ": \(value)"), index)
            case .button(let button):
                add(Display.PlainText.line(button.title), index)
            case .row(let row):
                add(Self.line(of: row), index)
            case .list(let list):
                for row in 0..<list.count {
                    add(Self.line(of: page.row(row, of: list, at: index)), index, row: row)
                }
            }
        }
        if goesBack { lines.append(Self.numbered(0, "Back")) }
        text = lines.map { $0 + "\n" }.joined()
        self.page = page
        self.choices = choices
        self.goesBack = goesBack
    }

    var help: String {
        var entries: [String] = []
        if !choices.isEmpty {
            entries.append(choices.count == 1 ? "1" : "a number from 1 to \(choices.count)")
        }
        if goesBack { entries.append("0 to go back") }
        let comma = entries.count > 1 ? "," : ""
        return "Enter " + (entries.isEmpty ? "" : entries.joined(separator: ", ") + "\(comma) or ")
            + "q to quit.\n"
    }

    /// A line of a text, with a bar before a line that looks like the terminal's: a server's text must not imitate it.
    private static func quoted(_ line: String) -> String {
        let visible = line.drop { TextLayout.columns(of: $0) == 0 }
        let sign = /^(==|[!✓·>|│(]|[0-9]+( {2}|$))/
        let isLikeOwn = visible.first?.isWhitespace == true || visible.contains(sign)
        return isLikeOwn ? "| \(line)" : line
    }

    private static func line(of row: Display.Row) -> String {
        let more = ((row.detail.map { [$0] } ?? []) + row.facts.map(\.text)).map(Display.PlainText.line)
        return ([Display.PlainText.line(row.title)] + (more.isEmpty ? [] : [more.joined(separator: " · ")]))
            .joined(separator: " — ")
    }

    private static func numbered(_ number: Int, _ title: String) -> String {
        String(repeating: " ", count: max(0, 3 - "\(number)".count)) + "\(number)  \(title)"
    }
}

extension Display.Role {
    /// The mark before a notice.
    var mark: String { self == .positive ? "✓" : [.warning, .negative].contains(self) ? "!" : "·" }
}

extension Display.Field {
    var refusal: String { "Not inserted: at most \(limit) characters fit here." }
    var shownText: String { Self.shown(text, isSecure: isSecure) }

    /// A text as one line; of a secure text, only whether it is empty.
    static func shown(_ text: String, isSecure: Bool) -> String {
        // The length is secret too.
        isSecure ? (text.isEmpty ? "" : "••••••") : Display.PlainText.line(text)
    }
}
