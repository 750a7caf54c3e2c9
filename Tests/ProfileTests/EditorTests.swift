import DisplayInterface
import DisplayTesting
import HTTPClientInterface
import LoginInterface
import LoginTesting
import ProfileInterface
import ProfileTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import ProfileImplementation

@MainActor
struct EditorTests {
    private let profiles = FakeProfiles(Profile.User(id: "ann", displayName: "Ann Example"))
    private let sessions = FakeSessions(user: "ann")
    private let recorder = RecordingContext<Profile.Editor>()

    @Test func save_finishesWithTheProfile() async throws {
        let screen = try await screen()
        #expect(try screen.content().value(of: "Display name") == "Ann Example")
        try screen.content().type("  Anna ", into: "Display name")
        try await screen.content().press("Save")
        #expect(recorder.outputs.map(\.displayName) == ["Anna"])
        #expect(profiles.users["ann"]?.displayName == "Anna")
    }

    @Test func save_startsByEnter() async throws {
        let screen = try await screen()
        try screen.content().type("Anna", into: "Display name")
        try await screen.content().submit("Display name")
        #expect(recorder.outputs.map(\.displayName) == ["Anna"])
    }

    @Test(arguments: ["", "   ", String(repeating: "a", count: 41)])
    func save_whenTheNameIsNotValid_saysWhyAndKeepsIt(name: String) async throws {
        let screen = try await screen()
        try screen.content().type(name, into: "Display name")
        try await screen.content().press("Save")
        #expect(screen.content().errors == ["A display name has 1 to 40 characters."])
        #expect(try screen.content().value(of: "Display name") == name)
        #expect(recorder.outputs.isEmpty)
    }

    @Test func save_whenTheServerIsDown_keepsWhatWasTypedAndOffersToTryAgain() async throws {
        let screen = try await screen()
        profiles.failure = HTTP.Failure.timedOut(seconds: 10)
        try screen.content().type("Anna", into: "Display name")
        try await screen.content().press("Save")
        #expect(screen.content().errors == ["The server did not answer within 10 s."])
        #expect(try screen.content().value(of: "Display name") == "Anna")
        profiles.failure = nil
        try await screen.content().press("Try again")
        #expect(recorder.outputs.map(\.displayName) == ["Anna"])
    }

    @Test func save_whenTheSessionHasEnded_letsThePersonSignInAndSaves() async throws {
        let screen = try await screen()
        recorder.router.finish(Login.SignIn.self) {
            try await sessions.signIn(userName: "ann", password: "secret")
        }
        sessions.current = nil
        try screen.content().type("Anna", into: "Display name")
        try await screen.content().press("Save")
        #expect(recorder.router.opened == [AnyRoute(Login.SignIn(userName: "ann"))])
        #expect(recorder.outputs.map(\.displayName) == ["Anna"])
    }

    @Test func editor_isForOnesOwnProfileOnly() {
        let feature = EditorFeature(profiles: profiles, sessions: sessions)
        #expect(feature.isEnabled(for: Profile.Editor(user: "ann")))
        #expect(!feature.isEnabled(for: Profile.Editor(user: "bob")))
        sessions.current = nil
        #expect(!feature.isEnabled(for: Profile.Editor(user: "ann")))
    }

    @Test func load_whenTheProfileIsUnknown_readsIt() async throws {
        profiles.failure = HTTP.Failure.timedOut(seconds: 10)
        let screen = try await screen()
        #expect(screen.content().choices == ["Try again"])
        profiles.failure = nil
        try await screen.content().press("Try again")
        #expect(try screen.content().value(of: "Display name") == "Ann Example")
    }

    private func screen() async throws -> Display.ContentScreen {
        let feature = EditorFeature(profiles: profiles, sessions: sessions)
        let content = try feature.build(Profile.Editor(user: "ann"), in: recorder.context).contentScreen()
        try await content.appears()
        return content
    }
}
