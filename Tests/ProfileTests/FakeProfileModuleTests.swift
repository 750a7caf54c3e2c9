import ProfileInterface
import ProfileTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct FakeProfileModuleTests {
    @Test func routesOfOthers_areHandled() {
        let recorded = RecordedModules(FakeProfileModule())
        #expect(Set(recorded.routes) == [TypeName(Profile.Overview.self), TypeName(Profile.Editor.self)])
    }
}
