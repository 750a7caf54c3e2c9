import DisplayInterface
import DisplayTesting
import Foundation
import HTTPClientInterface
import LoginInterface
import LoginTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import LoginImplementation

@MainActor
struct SignInTests {
    private let sessions = FakeSessions()
    private let recorder = RecordingContext<Login.SignIn>()

    // snippet: testing
    @Test func signIn_finishesWithTheSession() async throws {
        let screen = try screen()
        try screen.content().type("ann", into: "User name")
        try screen.content().type("secret", into: "Password")
        try await screen.content().press("Sign in")
        #expect(recorder.outputs == [try #require(sessions.current)])
        #expect(sessions.current?.user == "ann")
    }
    // snippet: end

    @Test func signIn_startsByEnterInThePassword() async throws {
        let screen = try screen(userName: "ann")
        try screen.content().type("secret", into: "Password")
        try await screen.content().submit("Password")
        #expect(recorder.outputs.map(\.user) == ["ann"])
    }

    @Test func signInAgain_asksForThePasswordFirst_andLetsTheUserTypeAnotherName() async throws {
        let screen = try screen(userName: "ann")
        #expect(screen.content().texts == ["User name: ann"])
        #expect(screen.content().labels == ["Password"])
        try screen.content().type("sesame", into: "Password")
        try await screen.content().press("Use another name")
        #expect(screen.content().labels == ["User name", "Password"])
        #expect(try screen.content().value(of: "User name") == "")
        #expect(try screen.content().value(of: "Password") == "")
        try screen.content().type("bob", into: "User name")
        try screen.content().type("secret", into: "Password")
        try await screen.content().submit("Password")
        #expect(recorder.outputs.map(\.user) == ["bob"])
    }

    @Test func signIn_whenPasswordIsWrong_saysWhy_andLetsTheUserTypeItAnew() async throws {
        sessions.failure = HTTP.Failure.status(
            401, body: #"{"error":"The user name or the password is wrong."}"#)
        let screen = try screen()
        try screen.content().type("ann", into: "User name")
        try screen.content().type("sesame", into: "Password")
        await #expect { try await screen.content().press("Sign in") } throws: {
            $0.localizedDescription == "The user name or the password is wrong."
        }
        #expect(try screen.content().value(of: "User name") == "ann")
        #expect(try screen.content().value(of: "Password") == "")
        #expect(recorder.outputs.isEmpty)
        sessions.failure = nil
        try screen.content().type("secret", into: "Password")
        try await screen.content().press("Sign in")
        #expect(recorder.outputs.map(\.user) == ["ann"])
    }

    @Test func signIn_whenTheServerCannotBeReached_keepsThePassword() async throws {
        sessions.failure = HTTP.Failure.unreachable(reason: "no network")
        let screen = try screen(userName: "ann")
        try screen.content().type("secret", into: "Password")
        await #expect(throws: HTTP.Failure.self) { try await screen.content().press("Sign in") }
        #expect(try screen.content().value(of: "Password") == "secret")
    }

    @Test func signIn_whenNothingIsTyped_asksForItWithoutTheServer() async throws {
        sessions.failure = URLError(.notConnectedToInternet)
        let screen = try screen()
        await #expect { try await screen.content().press("Sign in") } throws: {
            $0.localizedDescription == "Type your user name and your password."
        }
    }

    @Test func signIn_whenItIsCancelled_isACancellation() async throws {
        sessions.failure = CancellationError()
        let screen = try screen(userName: "ann")
        try screen.content().type("secret", into: "Password")
        await #expect(throws: CancellationError.self) { try await screen.content().press("Sign in") }
    }

    @Test func form_showsWhatModulesContribute() throws {
        #expect(try screen().content().texts.isEmpty)
        let feature = SignInFeature(
            sessions: sessions, hints: [Login.Hint("Try ann."), Login.Hint("Or bob.")])
        let form = try feature.build(Login.SignIn(), in: recorder.context).contentScreen()
        #expect(form.content().texts == ["Try ann.", "Or bob."])
    }

    @Test func password_isNotReadable() throws {
        let secure = try screen().content().elements.compactMap { element in
            if case .field(let field) = element, field.isSecure { field.label } else { nil }
        }
        #expect(secure == ["Password"])
    }

    private func screen(userName: String? = nil) throws -> Display.ContentScreen {
        let feature = SignInFeature(sessions: sessions, hints: [])
        return try feature.build(Login.SignIn(userName: userName), in: recorder.context).contentScreen()
    }
}
