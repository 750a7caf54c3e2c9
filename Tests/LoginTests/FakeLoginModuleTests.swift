import LoginInterface
import LoginTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct FakeLoginModuleTests {
    @Test func fakeModule_handlesEveryRouteAndNobodyIsSignedIn() throws {
        let registrar = RecordingRegistrar()
        FakeLoginModule().register(in: registrar)
        #expect(Set(registrar.routes) == Set(Login.routes.map { TypeName($0) }))
        #expect(try registrar.resolve((any Login.Sessions).self).current == nil)
    }
}
