import DisplayInterface
import DisplayTesting
import FeatureFlagsTesting
import Foundation
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
    private let terminal = FakeTerminal()
    private let flags = FakeFlags()
    private let recorder = RecordingContext<Profile.Editor>()

    @Test func save_finishesWithTheProfile() async throws {
        let screen = try await screen()
        #expect(try screen.content().value(of: "Display name") == "Ann Example")
        try screen.content().type("Anna", into: "Display name")
        try await screen.content().press("Save")
        #expect(recorder.outputs.map(\.displayName) == ["Anna"])
        #expect(profiles.users["ann"]?.displayName == "Anna")
    }

    @Test func save_saysSo() async throws {
        let screen = try await screen()
        try await screen.content().press("Save")
        #expect(terminal.notices == ["Saved"])
    }

    @Test(arguments: [true, false])
    func leaving_asksBeforeUnsavedTextIsLost(answer: Bool) async throws {
        let screen = try await screen()
        let mayBeLeft = try #require(recorder.leaveConfirmation)
        #expect(try await mayBeLeft())
        #expect(terminal.questions.isEmpty)
        try screen.content().type("Anna", into: "Display name")
        terminal.answer = answer
        #expect(try await mayBeLeft() == answer)
        #expect(terminal.questions == ["Discard the unsaved display name?"])
        try screen.content().type("Ann Example", into: "Display name")
        #expect(try await mayBeLeft())
        #expect(terminal.questions.count == 1)
    }

    @Test func save_startsByEnter() async throws {
        let screen = try await screen()
        try screen.content().type("Anna", into: "Display name")
        try await screen.content().submit("Display name")
        #expect(recorder.outputs.map(\.displayName) == ["Anna"])
    }

    @Test(arguments: [HTTP.Failure.timedOut(seconds: 10), .status(422, body: "")])
    func save_whenTheServerFails_throwsAndKeepsWhatWasTyped(failure: HTTP.Failure) async throws {
        let screen = try await screen()
        profiles.failure = failure
        try screen.content().type("Anna", into: "Display name")
        await #expect(throws: failure) { try await screen.content().press("Save") }
        #expect(try screen.content().value(of: "Display name") == "Anna")
        profiles.failure = nil
        try await screen.content().press("Save")
        #expect(recorder.outputs.map(\.displayName) == ["Anna"])
    }

    @Test func draft_outlivesTheModelAlsoInAFile_andOnlyWhereItDiffers() async throws {
        let screen = try await screen()
        let model = try #require(recorder.keptModel as? EditorModel)
        #expect(model.savedState == nil)
        try screen.content().type("Anna", into: "Display name")
        let state = try JSONEncoder().encode(model.savedState)
        try screen.content().type("Ann Example", into: "Display name")
        #expect(model.savedState == nil)

        let next = try await self.screen()
        let nextModel = try #require(recorder.keptModel as? EditorModel)
        nextModel.restore(try JSONDecoder().decode(EditorModel.SavedState.self, from: state))
        #expect(try next.content().value(of: "Display name") == "Anna")
        #expect(EditorModel.stateScope == .file)
    }

    @Test func save_whenTheSessionHasEnded_letsTheUserSignInAndSaves() async throws {
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

    @Test func whatWasTyped_isNotShownToAnotherUser_norSaved_andIsThereAgainForItsUser() async throws {
        let screen = try await screen()
        try screen.content().type("Anna", into: "Display name")
        recorder.router.finish(Login.SignIn.self) {
            try await sessions.signIn(userName: "bob", password: "secret")
        }
        sessions.current = nil
        try await screen.content().press("Save")
        #expect(recorder.outputs.isEmpty)
        #expect(screen.content().texts == ["The profile of ann is closed, because ann is not signed in."])
        #expect(screen.content().labels.isEmpty)
        try await screen.appears()
        #expect(profiles.users["ann"]?.displayName == "Ann Example")
        _ = try await sessions.signIn(userName: "ann", password: "secret")
        #expect(try screen.content().value(of: "Display name") == "Anna")
    }

    @Test func editor_isForOnesOwnProfileOnly_andOnlyWhereItsFlagIsOn() {
        let feature = EditorFeature(
            profiles: profiles, sessions: sessions, dialog: terminal, flags: flags)
        #expect(feature.isEnabled(for: Profile.Editor(user: "ann")))
        #expect(!feature.isEnabled(for: Profile.Editor(user: "bob")))
        flags[Profile.editing] = false
        #expect(!feature.isEnabled(for: Profile.Editor(user: "ann")))
        flags[Profile.editing] = true
        sessions.current = nil
        #expect(!feature.isEnabled(for: Profile.Editor(user: "ann")))
    }

    @Test func load_whenTheServerIsDown_throwsAndOffersToTryAgain() async throws {
        profiles.failure = HTTP.Failure.timedOut(seconds: 10)
        let screen = try build()
        #expect(screen.content().progress == ["Loading the profile"], "it has not begun to load")
        await #expect(throws: HTTP.Failure.self) { try await screen.appears() }
        #expect(screen.content().choices == ["Try again"])
        #expect(screen.content().progress.isEmpty)
        profiles.failure = nil
        try await screen.content().press("Try again")
        #expect(try screen.content().value(of: "Display name") == "Ann Example")
    }

    @Test func knownProfile_thatIsForgotten_canBeReadAgain() async throws {
        _ = try await profiles.user("ann")
        let screen = try await screen()
        profiles.users["ann"] = nil
        #expect(screen.content().choices == ["Try again"])
    }

    private func build() throws -> Display.ContentScreen {
        let feature = EditorFeature(
            profiles: profiles, sessions: sessions, dialog: terminal, flags: flags)
        return try feature.build(Profile.Editor(user: "ann"), in: recorder.context).contentScreen()
    }

    private func screen() async throws -> Display.ContentScreen {
        let content = try build()
        try await content.appears()
        return content
    }
}
