import DisplayImplementation
import DisplayInterface
import DisplayTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct DisplayModuleTests {
    @Test func terminalAndPresenter_areOneObjectForTheWholeProgram() throws {
        let registrar = RecordingRegistrar()
        DisplayModule().register(in: registrar)
        let terminal = try registrar.resolve((any Display.Terminal).self)
        let presenter = try registrar.resolve((any Presenter).self)
        #expect(presenter === terminal)
        #expect(registrar.lifetimes == [.singleton, .singleton])
    }

    @Test func terminal_takesTheStatusThatIsRegistered() throws {
        let registrar = RecordingRegistrar()
        DisplayModule().register(in: registrar)
        var isTaken = false
        registrar.register((any Display.Status).self) {
            isTaken = true
            return FakeStatus()
        }
        _ = try registrar.resolve((any Display.Terminal).self)
        #expect(isTaken)
    }
}
