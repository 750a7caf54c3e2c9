import DisplayImplementation
import DisplayInterface
import RouterServiceInterface
import Testing

@MainActor
struct DisplayModuleTests {
    @Test func terminalAndPresenter_areOneObjectForTheWholeProgram() throws {
        let registrar = SmallRegistrar()
        DisplayModule().register(in: registrar)
        let terminal = try registrar.resolve((any Display.Terminal).self)
        let presenter = try registrar.resolve((any Presenter).self)
        #expect(presenter === terminal)
        #expect(registrar.lifetimes == [.app, .app])
    }
}
