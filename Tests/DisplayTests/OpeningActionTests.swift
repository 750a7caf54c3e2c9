import DisplayInterface
import Foundation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// The action that a terminal is to perform at once.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OpeningActionTests {
    private struct NoSuchPlace: LocalizedError {
        var errorDescription: String? { "There is no such place." }
    }

    @Test func lines_performItAfterTheAppearance_andPrintOnlyWhatComesOfIt() async throws {
        let counter = Counter()
        let transcript = try await session(of: ["0"]) { router, _ in
            try router.show(appearing(counter))
        } performing: { router in
            try router.show(Display.ContentScreen("Opened after \(counter.value)"))
        }
        #expect(
            transcript == """
                == Appeared 1 › Opened after 1 ==
                  0  Back
                > 0

                == Appeared 2 ==
                >\u{20}

                """)
    }

    @Test func lines_whenItWaitsForAScreen_printThatOneFirst() async throws {
        let form = SignInExample()
        let transcript = try await session(of: ["ann", "secret"]) { router, _ in
            try router.show(Display.ContentScreen("Root"))
        } performing: { router in
            let user = try await router.result(of: form.screen { router.finish($0) })
            try router.show(Display.ContentScreen("Page of \(user)"))
        }
        #expect(
            transcript == """
                │ == Root › Sign in ==
                │   1  User name:
                │   2  Password:
                │   3  Sign in
                │   0  Back
                │ (An empty line keeps the text; :q goes back to the choices.)
                │ User name: ann
                │ Password: ••••••

                == Root › Page of ann ==
                  0  Back
                >\u{20}

                """)
    }

    @Test func lines_whenItThrows_sayWhyOnTheFirstScreen() async throws {
        let transcript = try await session(of: []) { router, _ in
            try router.show(Display.ContentScreen("Root"))
        } performing: { _ in
            throw NoSuchPlace()
        }
        #expect(transcript == "== Root ==\n! There is no such place.\n> \n")
    }

    /// A screen that counts how often it appeared, and takes a moment for it.
    private func appearing(_ counter: Counter) -> Display.ContentScreen {
        Display.ContentScreen(appear: {
            await Task.yield()
            counter.value += 1
        }) {
            Display.Content(title: "Appeared \(counter.value)", elements: [])
        }
    }
}
