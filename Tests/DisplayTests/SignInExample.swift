import DisplayInterface
import Foundation
import Observation

/// A form as a feature would write it.
@MainActor
@Observable
final class SignInExample {
    var user = ""
    var password = ""
    var isWorking = false
    private(set) var attempts = 0

    struct WrongPassword: LocalizedError {
        var errorDescription: String? { "The user name or the password is wrong." }
    }

    func screen(done: @escaping @MainActor (String) -> Void) -> Display.ContentScreen {
        Display.ContentScreen { [self] in
            Display.Content(
                title: "Sign in",
                elements: [
                    .field(Display.Field("User name", text: user) { [self] in user = $0 }),
                    .field(
                        Display.Field(
                            "Password", text: password, isSecure: true,
                            submit: { [self] in try await submit(done) },
                            change: { [self] in password = $0 })),
                    .button(Display.Button("Sign in") { [self] in try await submit(done) }),
                ])
        }
    }

    private func submit(_ done: @MainActor (String) -> Void) async throws {
        attempts += 1
        await Task.yield()
        guard password == "secret" else { throw WrongPassword() }
        done(user)
    }
}

extension Display.ContentScreen {
    /// A screen whose title and elements are evaluated whenever its content is requested.
    init(
        _ title: @autoclosure @escaping @MainActor () -> String,
        _ elements: @autoclosure @escaping @MainActor () -> [Display.Element] = []
    ) {
        self.init { Display.Content(title: title(), elements: elements()) }
    }
}
