import DisplayImplementation
import DisplayInterface
import DisplayTesting
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
struct DisplayModuleTests {
    @Test func terminalPresenterAndDialog_areOneObjectForTheWholeProgram() throws {
        let recorded = RecordedModules(DisplayModule())
        let terminal = try recorded.resolve((any Display.Terminal).self)
        let presenter = try recorded.resolve((any Presenter).self)
        let dialog = try recorded.resolve((any Display.Dialog).self)
        #expect(presenter === terminal)
        #expect(dialog === terminal)
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
