import DisplayInterface
import DisplayTesting
import FeatureFlagsTesting
import Foundation
import HTTPClientInterface
import HomeInterface
import LoginInterface
import LoginTesting
import ProfileInterface
import ProfileTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import ProfileImplementation

@MainActor
struct OverviewTests {
    private let bobsProfile = AnyRoute(Profile.Overview(user: "bob"))
    private let recorder = RecordingContext<Profile.Overview>()
    private let profiles: FakeProfiles
    private let flags = FakeFlags()

    init() {
        profiles = FakeProfiles(
            Profile.User(
                id: "ann", displayName: "Ann Example",
                links: [
                    Profile.Link(title: "Profile of bob", route: bobsProfile),
                    Profile.Link(title: "Badges", route: nil),
                ]),
            Profile.User(id: "bob", displayName: "Bob Builder"))
    }

    @Test func fakeModule_handlesTheRoutesOfTheModule_andKnowsUsersWhoLeadToOneAnother() async throws {
        let recorded = RecordedModules(FakeProfileModule())
        #expect(Set(recorded.routes) == Set(RecordedModules(ProfileModule()).routes))
        let profiles = try recorded.resolve((any Profile.Service).self)
        #expect(try await profiles.user("ann").links.map(\.route) == [bobsProfile])
        #expect(try await profiles.user("bob").links.map(\.title) == ["Profile of ann"])
    }

    @Test func signedOut_offersToSignIn() async throws {
        let screen = try await screen(FakeSessions())
        #expect(screen.content().texts == ["You are not signed in."])
        #expect(screen.content().choices == ["Sign in"])
    }

    @Test func signIn_awaitsTheSessionAndLoadsTheProfile() async throws {
        let sessions = FakeSessions()
        let screen = try await screen(sessions)
        recorder.router.finish(Login.SignIn.self) {
            try await sessions.signIn(userName: "ann", password: "secret")
        }
        try await screen.content().press("Sign in")
        #expect(recorder.router.opened == [AnyRoute(Login.SignIn())])
        #expect(screen.content().texts.first == "Ann Example")
    }

    @Test func signedInByAnotherScreen_loadsTheProfileOnceItIsOnTopAgain() async throws {
        let sessions = FakeSessions()
        let screen = try await screen(sessions)
        _ = try await sessions.signIn(userName: "ann", password: "secret")
        try await screen.appears()
        #expect(screen.content().texts.first == "Ann Example")

        // It is known now, so nothing is asked of the server.
        profiles.failure = CocoaError(.fileReadUnknown)
        try await screen.appears()
        #expect(screen.content().errors.isEmpty)
    }

    @Test func signIn_whenTheUserGoesBack_changesNothing() async throws {
        let screen = try await screen(FakeSessions())
        await #expect(throws: UserDeclined.self) { try await screen.content().press("Sign in") }
        #expect(screen.content().choices == ["Sign in"])
    }

    @Test func ownProfile_showsTheNameTheLinksAndWhatOneCanDo() async throws {
        let screen = try await screen(FakeSessions(user: "ann"))
        #expect(
            screen.content().texts == [
                "Ann Example", "@ann", "Badges (this version cannot open it)",
            ])
        #expect(
            screen.content().choices == ["Edit display name", "Profile of bob", "Reload"])
    }

    @Test func anotherProfile_cannotBeEdited() async throws {
        let screen = try await screen(FakeSessions(user: "ann"), of: "bob")
        #expect(screen.content().title == "Profile of bob")
        #expect(screen.content().texts == ["Bob Builder", "@bob"])
        #expect(screen.content().choices == ["Reload"])
    }

    @Test func knownProfile_thatIsForgotten_canBeReadAgain() async throws {
        _ = try await profiles.user("ann")
        let screen = try await screen(FakeSessions(user: "ann"))
        profiles.users["ann"] = nil
        #expect(screen.content().choices == ["Try again"])
    }

    @Test func link_isOpenedAsTheServerSentIt() async throws {
        let screen = try await screen(FakeSessions(user: "ann"))
        try await screen.content().press("Profile of bob")
        #expect(recorder.router.opened == [bobsProfile])
    }

    @Test func link_thatCannotBeOpened_throwsForTheScreenToShow() async throws {
        let screen = try await screen(FakeSessions(user: "ann"))
        recorder.router.refusal = RouterError.missingHandler(route: TypeKey(Profile.Overview.self))
        await #expect(throws: RouterError.self) { try await screen.content().press("Profile of bob") }
    }

    @Test func edit_opensTheEditorAndShowsWhatWasSaved() async throws {
        let screen = try await screen(FakeSessions(user: "ann"))
        try await screen.content().press("Edit display name")
        #expect(recorder.router.opened == [AnyRoute(Profile.Editor(user: "ann"))])
        _ = try await profiles.rename("ann", to: "Anna")
        #expect(screen.content().texts.first == "Anna")
    }

    @Test func profileThatHasNotBegunToLoad_offersNoErrorAction() throws {
        let screen = try build(FakeSessions(user: "ann"))
        #expect(screen.content().progress == ["Loading the profile"])
        #expect(screen.content().choices.isEmpty)
    }

    @Test func load_whenTheServerIsDown_throwsAndOffersToTryAgain() async throws {
        profiles.failure = HTTP.Failure.unreachable(reason: "connection refused")
        let screen = try build(FakeSessions(user: "ann"))
        #expect(screen.content().progress == ["Loading the profile"])
        #expect(screen.content().choices.isEmpty)
        await #expect(throws: HTTP.Failure.unreachable(reason: "connection refused")) {
            try await screen.appears()
        }
        #expect(screen.content().choices == ["Try again"])
        #expect(screen.content().progress.isEmpty)
        profiles.failure = nil
        try await screen.content().press("Try again")
        #expect(screen.content().texts.first == "Ann Example")
    }

    @Test func reload_whenTheServerIsDown_throwsAndKeepsTheProfileOnTheScreen() async throws {
        let screen = try await screen(FakeSessions(user: "ann"))
        profiles.failure = HTTP.Failure.timedOut(seconds: 10)
        await #expect(throws: HTTP.Failure.timedOut(seconds: 10)) {
            try await screen.content().press("Reload")
        }
        #expect(screen.content().texts.first == "Ann Example")
    }

    @Test func flags_changeTheScreenAtOnce() async throws {
        let screen = try await screen(FakeSessions(user: "ann"))
        #expect(screen.content().texts.first == "Ann Example")
        #expect(screen.content().choices.contains("Edit display name"))
        flags[Profile.notice] = "Maintenance at 18:00."
        flags[Profile.editing] = false
        #expect(screen.content().texts.first == "Maintenance at 18:00.")
        #expect(!screen.content().choices.contains("Edit display name"))
    }

    @Test func signedOutElsewhere_offersToSignIn() async throws {
        let sessions = FakeSessions(user: "ann")
        let screen = try await screen(sessions)
        sessions.current = nil
        #expect(screen.content().texts == ["You are not signed in."])
        #expect(screen.content().choices == ["Sign in"])
    }

    @Test func module_contributesAnEntryThatOpensTheUsersOwnProfile() throws {
        let entries = try RecordedModules(ProfileModule()).resolve([Home.Entry].self)
        #expect(entries.map { $0.title() } == ["Profile"])
        #expect(entries.map { AnyRoute($0.route()) } == [AnyRoute(Profile.Overview())])
    }

    private func build(_ sessions: FakeSessions, of user: String? = nil) throws -> Display.ContentScreen {
        let feature = OverviewFeature(profiles: profiles, sessions: sessions, flags: flags)
        return try feature.build(Profile.Overview(user: user), in: recorder.context).contentScreen()
    }

    private func screen(
        _ sessions: FakeSessions, of user: String? = nil
    ) async throws -> Display.ContentScreen {
        let content = try build(sessions, of: user)
        try await content.appears()
        return content
    }
}
