import DisplayInterface
import DisplayTesting
import Observation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// What is typed into a secure field lands nowhere else, whatever moves the focus.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SecretFieldTests: EmulatedTerminalSuite {
    let terminal = EmulatedTerminal()
    private let form = SignInExample()

    init() throws { try show(form.screen { _ in }) }

    /// A terminal that shows the form, or other screens, in place of the first terminal, as another process.
    private func next(_ screens: Display.ContentScreen...) throws -> EmulatedTerminal {
        let next = EmulatedTerminal()
        next.presenter.restore(presenter.savedState)
        for screen in screens.isEmpty ? [form.screen { _ in }] : screens { try next.router.show(screen) }
        return next
    }

    @Test func whenTheFieldIsGone_charactersAreIgnoredUntilAKeyMovesTheFocus() async throws {
        let parts = Parts()
        let screen = Display.ContentScreen {
            let name = Display.Element.field(Display.Field("Name", text: parts.name) { parts.name = $0 })
            let secret = Display.Field("Password", text: parts.password, isSecure: true) {
                parts.password = $0
            }
            return Display.Content(title: "Form", elements: [name] + (parts.isWhole ? [.field(secret)] : []))
        }
        try show(screen)
        try press(.text("ann"), .tab, .text("sec"))
        parts.isWhole = false
        while presenter.nextFrame()?.texts.contains(where: { $0.contains("Password") }) == true {
            await Task.yield()
        }
        try press(.text("ret"), .backspace, .paste("ret"), .enter, .right, .text("ret"))
        #expect(parts.name == "ann")
        #expect(parts.password == "sec")
        #expect(presenter.frame?.texts.last?.contains("Ignored, because the focus moved") == true)
        try press(.up, .text("a"))
        #expect(parts.name == "anna")
    }

    @Test func whenAnotherScreenOrAQuestionComes_charactersAreNoCommands() async throws {
        var chosen = 0
        try press(.text("ann"), .tab, .text("sec"))
        let asking = Task { await presenter.confirm("Sure?") }
        for _ in 0..<10 { try await yieldUnlessCancelled() }
        try press(.text("yes"), .backspace, .backspace, .backspace)
        #expect(presenter.frame?.texts.last?.contains("Sure?") == false)
        try press(.escape)
        while presenter.nextFrame()?.texts.last?.contains("Sure?") != true {
            try await yieldUnlessCancelled()
        }
        try press(.text("n"))
        #expect(await asking.value == false)
        try press(.text("ret"))
        try router.show(Display.ContentScreen("Page", [.button(Display.Button("Go") { chosen += 1 })]))
        #expect(try presenter.handle([.tab]), "typed before the screen was seen")
        try presenter.draw()
        try press(.text("q1"), .enter)
        #expect(form.password == "secret")
        #expect(chosen == 0)
    }

    @Test func inPlaceOfAnotherProcess_theFocusIsInTheSameField() throws {
        try press(.text("ann"), .tab, .text("sec"))
        let next = try next()
        #expect(try next.presenter.handle([.text("x")]), "typed before the screen was seen")
        try next.presenter.draw()
        try next.press(.text("ret"))
        #expect(form.user == "ann")
        #expect(form.password == "secret")
    }

    @Test func inPlaceOfAnotherProcess_besideASecureField_charactersWaitForAKeyThatMovesTheFocus() throws {
        try press(.text("an"))
        let next = try next()
        try next.presenter.draw()
        try next.press(.text("secret"))
        #expect(form.user == "an")
        #expect(form.password.isEmpty)
        try next.press(.tab, .text("secret"))
        #expect(form.user == "an")
        #expect(form.password == "secret")
    }

    @Test func inPlaceOfAnotherProcess_whoseFieldIsGone_charactersAreIgnored() throws {
        try press(.text("ann"), .tab, .text("sec"))
        var name = ""
        let next = try next(
            Display.ContentScreen("", [.field(Display.Field("Name", text: name) { name = $0 })]))
        try next.presenter.draw()
        try next.press(.text("ret"))
        #expect(name.isEmpty)
    }

    @Test func inPlaceOfAnotherProcess_besideNoSecureField_charactersReachTheRowThatHadTheFocus() throws {
        let rows = Display.Element.list(
            Display.List(0..<9, id: \.self, row: { Display.Row("row \($0)") {} }))
        try show(Display.ContentScreen("List", [rows]))
        try press(.text("jjj"))
        let next = try next(form.screen { _ in }, Display.ContentScreen("List", [rows]))
        try next.presenter.draw()
        try next.press(.text("j"))
        #expect(next.presenter.frame?.texts.contains { $0.hasPrefix("› row 4") } == true)
    }

    @Test func inPlaceOfAnotherProcess_keysReachWhatHadTheFocusInsteadOfAnElementThatHadGone() async throws {
        let parts = Parts()
        var count = 0
        let screen = Display.ContentScreen {
            let buttons = (parts.isWhole ? ["Stay", "Go"] : ["Stay"]).map { title in
                Display.Element.button(Display.Button(title) { count += 1 })
            }
            return Display.Content(title: "Form", elements: buttons)
        }
        try show(screen)
        try press(.tab)
        parts.isWhole = false
        while try #require(presenter.nextFrame()).texts.contains(where: { $0.contains("Go") }) {
            await Task.yield()
        }
        try presenter.draw()
        let next = try next(form.screen { _ in }, screen)
        try next.presenter.draw()
        try next.press(.enter)
        while count == 0, !Task.isCancelled { await Task.yield() }
        #expect(count == 1)
    }

    @Test func textBeforeTheOpeningAction_waitsForTheScreen() async throws {
        let window = try PseudoTerminal(columns: 60, rows: 12)
        let device = try TerminalDevice(input: window.programSide, output: window.programSide)
        let terminal = FullScreenPresenter(TerminalScreen(device, watchesSignals: false))
        let router = SmallRouter(terminal.stack)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        try router.show(
            Display.ContentScreen(appear: { for await _ in gate { break } }) {
                Display.Content(title: "Root", elements: [])
            })
        let running = Task { try await terminal.run { try router.show(form.screen { _ in }) } }
        try await window.wait(for: "Working")
        window.type("ann\tsecret\r")
        opener.yield()
        while form.attempts == 0 { try await yieldUnlessCancelled() }
        #expect(form.password == "secret")
        window.type("\u{3}")
        try await running.value
    }

    @Observable
    @MainActor
    fileprivate final class Parts {
        var name = ""
        var password = ""
        var isWhole = true
    }
}
