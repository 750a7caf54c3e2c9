import DisplayInterface
import DisplayTesting
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@testable import DisplayImplementation

@MainActor
struct DisplayModuleTests {
    @Test func terminal_isTheDialog_andShowsTheScreensOfThePresenter() async throws {
        let recorded = RecordedModules(DisplayModule())
        let terminal = try recorded.resolve((any Display.Terminal).self)
        #expect(try recorded.resolve((any Display.Dialog).self) === terminal)
        try SmallRouter(recorded.resolve((any Presenter).self)).show(Display.ContentScreen("A"))
        let stack = (terminal as? LinePresenter)?.stack ?? (terminal as? FullScreenPresenter)?.stack
        #expect(stack?.path(columns: 80) == "A")
        #expect(recorded.lifetimes == Array(repeating: .singleton, count: 5))
    }

    @Test func terminal_takesTheStatusThatIsRegistered() throws {
        var isTaken = false
        let status = TestModule {
            $0.register((any Display.Status).self) {
                isTaken = true
                return FakeStatus()
            }
        }
        let recorded = RecordedModules(DisplayModule(), status)
        _ = try recorded.resolve((any Display.Terminal).self)
        #expect(isTaken)
    }
}
