import FeatureFlagsImplementation
import FeatureFlagsInterface
import FeatureFlagsTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct FeatureFlagsModuleTests {
    @Test func module_fetchesWhenValuesMayBeOutdated_andIsToldOfLoops() {
        #expect(
            RecordedModules(FeatureFlagsModule()).events == [
                TypeKey(FeatureFlags.Outdated.self), TypeKey(RedirectCycle.self),
            ])
    }

    @Test func module_asksTheRulesAboutEachRoute() {
        #expect(RecordedModules(FeatureFlagsModule()).interceptors.map(\.description) == ["ServerRules"])
    }

    @Test func fakeModule_providesFlagsThatHaveTheirDefaults() throws {
        let flags = try RecordedModules(FakeFeatureFlagsModule()).resolve((any FeatureFlags.Values).self)
        #expect(flags[Shop.notice] == "Welcome")
    }

    @Test func fakeFlag_isSetInOneLine() {
        let flags = FakeFlags()
        flags[Shop.discount] = true
        #expect(flags[Shop.discount])
        #expect(flags[Shop.notice] == "Welcome")
    }
}
