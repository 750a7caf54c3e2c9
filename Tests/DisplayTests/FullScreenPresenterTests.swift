import DisplayInterface
import DisplayTesting
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// The full-screen presenter on a pseudo-terminal, in this process.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FullScreenPresenterTests {
    private let window: PseudoTerminal
    private let terminal: FullScreenPresenter
    private let router: SmallRouter

    init() throws {
        window = try PseudoTerminal(columns: 60, rows: 12)
        let device = try TerminalDevice(input: window.programSide, output: window.programSide)
        terminal = FullScreenPresenter(TerminalScreen(device, watchesSignals: false))
        router = SmallRouter(terminal.stack)
    }

    /// Runs the terminal while a user does something that ends with leaving it; checks that it is restored.
    private func session(
        of terminal: FullScreenPresenter? = nil, performing action: Display.Action? = nil,
        _ user: @escaping @MainActor (PseudoTerminal) async throws -> Void
    ) async throws {
        let settings = window.settings
        let terminal = terminal ?? self.terminal
        let running = Task { try await terminal.run(performing: action) }
        try await window.wait(for: "the alternate screen") { $0.isAlternate }
        #expect(window.settings != settings)
        do {
            try await user(window)
            try await window.wait(for: "the old screen") { !$0.isAlternate && $0.showsCursor }
        } catch {
            running.cancel()
            throw error
        }
        try await running.value
        #expect(window.settings == settings)
        #expect(window.screen.unknown.isEmpty)
    }

    /// The top line with a status at its end.
    private func bar(_ path: String, _ status: String) -> String {
        " \(path)\(String(repeating: " ", count: 58 - path.count - status.count))\(status)"
    }

    @Test func escape_goesBackButNotFromTheRoot() async throws {
        let closed = Counter()
        let root = Presentation(id: 1, style: .root, isRoot: true) { closed.value += 1 }
        try terminal.stack.show(Display.ContentScreen("Root"), as: root)
        #expect(try terminal.handle([.escape]))
        let upper = Presentation(id: 2, style: .push, isRoot: false) { [terminal] in
            terminal.stack.remove([2])
        }
        try terminal.stack.show(Display.ContentScreen("Upper"), as: upper)
        try await session { window in
            try await window.wait(for: "Root › Upper")
            window.type("\u{1B}")
            try await window.wait(for: "back at the root") { $0.lines[0] == " Root" }
            #expect(closed.value == 0)
            window.type("q")
        }
    }

    @Test func textTypedWhileAScreenAppears_isNotLost() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let form = SignInExample()
        try router.show(
            Display.ContentScreen(appear: { for await _ in gate { break } }) {
                Display.Content(
                    title: "Form",
                    elements: [.field(Display.Field("Name", text: form.user) { form.user = $0 })])
            })
        try await session { window in
            try await window.wait(for: "Working")
            window.type("ann")
            try await window.wait(for: "│ann")
            opener.yield()
            try await window.wait(for: "Enter next")
            window.type("\u{3}")
        }
    }

    @Test func openingAction_waitsForTheAppearance_andShowsWhatItOpensAndWhatItThrows() async throws {
        struct NoWay: Error, CustomStringConvertible { let description = "no way any further" }
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let root = Display.ContentScreen(appear: { for await _ in gate { break } }) {
            Display.Content(title: "Root", elements: [])
        }
        try router.show(root)
        let opening: Display.Action = { [router] in
            _ = try await router.result(of: Display.ContentScreen("Upper"))
        }
        try await session(performing: {
            do { try await opening() } catch is UserDeclined { throw NoWay() }
        }) { window in
            try await window.wait(for: "Working")
            #expect(!window.screen.text.contains("Upper"))
            opener.yield()
            try await window.wait(for: "Root › Upper")
            window.type("\u{1B}")
            try await window.wait(for: "! no way any further")
            window.type("q")
        }
    }

    @Test func questionsWaitUntilTheFocusLeavesTheFields_andRequestsUntilTheFormIsLeft() async throws {
        let form = SignInExample()
        try router.show(Display.ContentScreen("Root"))
        try router.show(form.screen { _ in })
        try await session { window in
            window.type("an")
            try await window.wait(for: "│an ")
            terminal.perform { [router] in try router.show(Display.ContentScreen("Opened")) }
            try await window.wait(for: " Another program waits until you have finished here.")
            let asking = Task { await terminal.confirm("Sure?") }
            try await window.wait(for: " A question waits until you have finished here.")
            terminal.perform { throw SignInExample.WrongPassword() }
            window.type("ny")
            try await window.wait(for: "│anny ")
            window.type("\tsec")
            try await window.wait(for: "│•••")
            #expect(!window.screen.text.contains("Sure?"))
            window.type("\t")
            try await window.wait(for: "Sure?")
            window.type("y")
            #expect(await asking.value)
            try await window.wait(for: " Another program waits until you have finished here.")
            #expect(!window.screen.text.contains("Opened"))
            router.finish("")
            try await window.wait(for: "! The user name or the password is wrong.")
            #expect(window.screen.lines[0] == " Root › Opened")
            window.type("q")
        }
        #expect(form.user == "anny")
        #expect(form.password == "sec")
    }

    @Test(arguments: [true, false])
    func quitting_cancelsWhatRuns(isOpening: Bool) async throws {
        let model = Counter()
        let slow: Display.Action = {
            do { try await Task.sleep(for: .seconds(60)) } catch { model.value = 1 }
        }
        try router.show(
            Display.ContentScreen(appear: isOpening ? nil : slow) {
                Display.Content(title: "Root", elements: [])
            })
        try await session(performing: isOpening ? slow : nil) { window in
            try await window.wait(for: "Working")
            window.type("q")
        }
        while model.value == 0 { try await yieldUnlessCancelled() }
    }

    @Test func status_isShownAboveEveryScreen_andFollowsChangesWithoutAKey() async throws {
        let status = FakeStatus("nobody")
        let device = try TerminalDevice(input: window.programSide, output: window.programSide)
        let terminal = FullScreenPresenter(TerminalScreen(device, watchesSignals: false), status: status)
        let router = SmallRouter(terminal.stack)
        try router.show(Display.ContentScreen("Root"))
        try await session(of: terminal) { window in
            try await window.wait(for: "no name yet") { $0.lines[0] == bar("Root", "nobody") }
            status.text = "Signed in as ann"
            try await window.wait(for: "a name") { $0.lines[0] == bar("Root", "Signed in as ann") }
            try router.show(Display.ContentScreen("Upper"))
            try await window.wait(for: "the name above another screen") {
                $0.lines[0] == bar("Root › Upper", "Signed in as ann")
            }
            status.text = "\u{1B}[2Jbob\nand more"
            try await window.wait(for: "no control characters") {
                $0.lines[0] == bar("Root › Upper", "\u{FFFD}[2Jbob and more")
            }
            status.text = nil
            try await window.wait(for: "no name") { $0.lines[0] == " Root › Upper" }
            window.type("q")
        }
    }

    @Test func notice_outlivesItsScreen() async throws {
        try router.show(Display.ContentScreen("Root"))
        let save = Display.Button("Save") {
            router.finish("")
            terminal.notify("Saved", as: .positive)
            await Task.yield()
        }
        try router.show(Display.ContentScreen("Form", [.button(save)]))
        try await session { window in
            try await window.wait(for: "Root › Form")
            window.type("\r")
            try await window.wait(for: "the notice behind the form") {
                $0.lines[0] == " Root" && $0.lines[11].contains("✓ Saved")
            }
            window.type("q")
        }
    }

    @Test func run_beforeAnythingIsShown_leavesTheTerminalAlone() async throws {
        let settings = window.settings
        await #expect(throws: TerminalFailure.nothingToShow) { try await terminal.run() }
        #expect(window.settings == settings)
    }

    @Test func failedDrawing_restoresTheTerminalAndIsThrown() async throws {
        let device = EmulatedDevice()
        let failure = Display.OutputFailure(code: 28)
        device.failure = failure
        let terminal = FullScreenPresenter(device)
        try SmallRouter(terminal.stack).show(Display.ContentScreen("A"))
        await #expect(throws: failure) { try await terminal.run() }
        #expect(device.uses == ["open", "close"])
    }

    @Test func frame_isOfOneSize_thoughTheWindowGrowsMeanwhile() throws {
        let terminal = FullScreenPresenter(GrowingDevice())
        let router = SmallRouter(terminal.stack)
        let lines = (0..<50).map { Display.Element.text("Line \($0)") }
        try router.show(Display.ContentScreen("A", lines))
        let frame = try #require(terminal.nextFrame())
        #expect(frame.cells.count == frame.size.rows)
    }
}

/// A terminal with more rows each time that its size is read.
@MainActor
private final class GrowingDevice: FullScreenDevice {
    private var rows = 8

    var size: TerminalDevice.Size {
        rows += 4
        return TerminalDevice.Size(columns: 80, rows: rows)
    }

    func open(reporting: @escaping @Sendable ([Key]) -> Void) {}
    func close() {}
    func suspend() {}
    func draw(_ text: String) {}
}
