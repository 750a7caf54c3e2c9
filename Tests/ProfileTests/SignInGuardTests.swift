import LoginInterface
import LoginTesting
import ProfileInterface
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import ProfileImplementation

@MainActor
struct SignInGuardTests {
    private let sessions = FakeSessions()
    private let router = RecordingRouter()

    @Test(arguments: [AnyRoute(Profile.Overview()), AnyRoute(Profile.Editor(user: "ann"))])
    func routeThatNeedsASession_awaitsTheSignInAndProceeds(link: AnyRoute) async throws {
        router.finish(Login.SignIn.self) {
            try await sessions.signIn(userName: "ann", password: "secret")
        }
        #expect(try await proceeds(link.route))
        #expect(router.opened == [AnyRoute(Login.SignIn())])
        #expect(router.styles == [.modal])
    }

    @Test(arguments: [AnyRoute(Profile.Overview()), AnyRoute(Profile.Editor(user: "ann"))])
    func routeThatNeedsASession_whenTheUserGoesBack_isNotOpened(link: AnyRoute) async {
        await #expect(throws: UserDeclined.self) { try await proceeds(link.route) }
    }

    @Test func routeThatNeedsASession_whenThereIsOne_proceedsAtOnce() async throws {
        _ = try await sessions.signIn(userName: "ann", password: "secret")
        #expect(try await proceeds(Profile.Editor(user: "ann")))
        #expect(router.opened.isEmpty)
    }

    private func proceeds(_ route: any Route) async throws -> Bool {
        let request = RouteRequest(route, router: router)
        guard case .proceed = try await SignInGuard(sessions: sessions).intercept(request) else {
            return false
        }
        return true
    }
}
