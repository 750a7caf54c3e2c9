import DisplayInterface
import DisplayTesting
import Observation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// What is typed into a secure field lands nowhere else, whatever moves the focus.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SecretFieldTests {
    private let form = SignInExample()
    private let presenter = FullScreenPresenter(EmulatedDevice())
    private let router: SmallRouter

    init() throws {
        router = SmallRouter(presenter)
        try router.show(form.screen { _ in })
        try presenter.draw()
    }

    private func press(_ keys: Key..., in other: FullScreenPresenter? = nil) throws {
        for key in keys {
            #expect((other ?? presenter).handle(key), "quits")
            try (other ?? presenter).draw()
        }
    }

    /// A presenter that shows the form in place of the first one, as another process.
    private func next(_ screen: Display.ContentScreen? = nil) throws -> FullScreenPresenter {
        let next = FullScreenPresenter(EmulatedDevice())
        next.restore(presenter.savedState)
        try SmallRouter(next).show(screen ?? form.screen { _ in })
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
        try router.show(screen)
        try presenter.draw()
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
        #expect(presenter.handle(.tab), "typed before the screen was seen")
        try presenter.draw()
        try press(.text("q1"), .enter)
        #expect(form.password == "secret")
        #expect(chosen == 0)
    }

    @Test func inPlaceOfAnotherProcess_theFocusIsInTheSameField() throws {
        try press(.text("ann"), .tab, .text("sec"))
        let next = try next()
        #expect(next.handle(.text("x")), "typed before the screen was seen")
        try next.draw()
        try press(.text("ret"), in: next)
        #expect(form.user == "ann")
        #expect(form.password == "secret")
    }

    @Test func inPlaceOfAnotherProcess_besideASecureField_charactersWaitForAKeyThatMovesTheFocus() throws {
        try press(.text("an"))
        let next = try next()
        try next.draw()
        try press(.text("secret"), in: next)
        #expect(form.user == "an")
        #expect(form.password.isEmpty)
        try press(.tab, .text("secret"), in: next)
        #expect(form.user == "an")
        #expect(form.password == "secret")
    }

    @Test func inPlaceOfAnotherProcess_whoseFieldIsGone_charactersAreIgnored() throws {
        try press(.text("ann"), .tab, .text("sec"))
        var name = ""
        let next = try next(
            Display.ContentScreen {
                Display.Content(
                    title: "", elements: [.field(Display.Field("Name", text: name) { name = $0 })])
            })
        try next.draw()
        try press(.text("ret"), in: next)
        #expect(name.isEmpty)
    }

    @Test func inPlaceOfAnotherProcess_besideNoSecureField_charactersReachTheRowThatHadTheFocus() throws {
        let rows = Display.Element.list(
            Display.List(0..<9, id: \.self, row: { Display.Row("row \($0)") {} }))
        try router.show(Display.ContentScreen("List", [rows]))
        try presenter.draw()
        try press(.text("jjj"))
        let next = FullScreenPresenter(EmulatedDevice())
        next.restore(presenter.savedState)
        let other = SmallRouter(next)
        try other.show(form.screen { _ in })
        try other.show(Display.ContentScreen("List", [rows]))
        try next.draw()
        try press(.text("j"), in: next)
        #expect(next.frame?.texts.contains { $0.hasPrefix("› row 4") } == true)
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
        try router.show(screen)
        try presenter.draw()
        try press(.tab)
        parts.isWhole = false
        while try #require(presenter.nextFrame()).texts.contains(where: { $0.contains("Go") }) {
            await Task.yield()
        }
        try presenter.draw()
        let next = FullScreenPresenter(EmulatedDevice())
        next.restore(presenter.savedState)
        let other = SmallRouter(next)
        try other.show(form.screen { _ in })
        try other.show(screen)
        try next.draw()
        try press(.enter, in: next)
        while count == 0, !Task.isCancelled { await Task.yield() }
        #expect(count == 1)
    }

    @Test func textBeforeTheOpeningAction_waitsForTheScreen() async throws {
        let window = try PseudoTerminal(columns: 60, rows: 12)
        let device = try TerminalDevice(input: window.programSide, output: window.programSide)
        let terminal = FullScreenPresenter(TerminalScreen(device, watchesSignals: false))
        let router = SmallRouter(terminal)
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
