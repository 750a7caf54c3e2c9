import DisplayInterface
import Foundation
import RouterServiceInterface

/// Shows screens as lines of text and takes one line for each action, for pipes, files and plain terminals.
///
/// A screen is printed when it has settled: none of its actions runs and it shows no progress. What is printed
/// follows from the input and the screens alone, so that a whole session can be compared to the letter.
@MainActor
final class LineTerminal: Display.Terminal {
    private let stack = ScreenStack()
    private let input: any LineInput
    private let write: @MainActor (String) throws -> Void
    private var asked: Set<Presentation.ID> = []

    init(input: any LineInput, write: @escaping @MainActor (String) throws -> Void) {
        self.input = input
        self.write = write
    }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        try stack.show(screen, as: presentation)
    }

    func replace(_ screens: [(screen: any Screen, presentation: Presentation)]) throws {
        try stack.replace(screens)
    }

    func remove(_ presentations: [Presentation.ID]) {
        stack.remove(presentations)
        asked.subtract(presentations)
    }

    func run(performing action: Display.Action?) async throws {
        guard let first = stack.top else { throw TerminalFailure.nothingToShow }
        let (changes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        stack.onChange = { continuation.yield() }
        defer {
            stack.onChange = {}
            stack.cancel()
        }
        if let action { first.performNext(action) }
        do {
            var separator = ""
            while let screen = await settledScreen(after: changes) {
                let page = LineScreen(
                    path: stack.path, elements: screen.elements, goesBack: !screen.presentation.isRoot)
                try write(separator + page.text)
                separator = "\n"
                guard try await converse(about: page, on: screen) else { return }
            }
        } catch TerminalFailure.outputClosed {
            // Nobody reads any more, so nobody needs to hear of it.
        }
    }

    /// The top screen as soon as it has settled; nil when there is none, or when the task was cancelled.
    private func settledScreen(after changes: AsyncStream<Void>) async -> ShownScreen? {
        while let top = stack.top {
            if top.isSettled { return top }
            var isOver = true
            for await _ in changes {
                isOver = false
                break
            }
            if isOver { return nil }
        }
        return nil
    }

    /// Takes what the person does about a printed screen, until there is something new to print.
    ///
    /// - Returns: False when the person quits or the input ends.
    private func converse(about page: LineScreen, on screen: ShownScreen) async throws -> Bool {
        if !screen.fields.isEmpty, asked.insert(screen.presentation.id).inserted {
            return try await askForFields(of: screen)
        }
        while true {
            try write("> ")
            guard let line = try await nextLine(isSecure: false) else { return false }
            let choice = line.trimmingCharacters(in: .whitespaces)
            guard stack.top === screen else { return true }
            if choice == "q" { return false }
            if choice == "0", !screen.presentation.isRoot {
                screen.leave()
                return true
            }
            if let number = Int(choice), page.choices.indices.contains(number - 1) {
                return try await take(page.choices[number - 1], on: screen)
            }
            try write(page.help)
        }
    }

    private func take(_ choice: LineScreen.Choice, on screen: ShownScreen) async throws -> Bool {
        switch choice {
        case .action(let action):
            screen.perform(action)
            return true
        case .field(let field):
            return try await ask(for: field, on: screen)
        }
    }

    private func askForFields(of screen: ShownScreen) async throws -> Bool {
        for label in screen.fields.map(\.label) {
            // Asked for anew, because each answer may change the next field.
            guard stack.top === screen, !screen.isBusy else { break }
            guard let field = screen.fields.first(where: { $0.label == label }) else { continue }
            guard try await ask(for: field, on: screen) else { return false }
        }
        return true
    }

    /// Asks for a field's text.
    ///
    /// An empty line keeps the present one and submits nothing.
    ///
    /// - Returns: False when the input ends.
    private func ask(for field: Display.Field, on screen: ShownScreen) async throws -> Bool {
        let present = field.shownText
        try write(PlainText.line(field.label) + (present.isEmpty ? ": " : " [\(present)]: "))
        guard let line = try await nextLine(isSecure: field.isSecure) else { return false }
        guard !line.isEmpty, stack.top === screen else { return true }
        screen.edit(field, to: line)
        let changed = screen.fields.first { $0.label == field.label }
        if let submit = (changed ?? field).submit { screen.perform(submit) }
        return true
    }

    private func nextLine(isSecure: Bool) async throws -> String? {
        let line = await input.nextLine(isSecure: isSecure)
        if let line, input.needsEcho {
            try write(PlainText.shown(line, isSecure: isSecure) + "\n")
        } else if line == nil || isSecure {
            // The line end that ends the prompt was not typed, or not shown.
            try write("\n")
        }
        return line
    }
}

extension ShownScreen {
    fileprivate var fields: [Display.Field] {
        elements.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}
