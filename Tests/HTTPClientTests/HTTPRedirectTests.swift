import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

/// The redirects that a client follows.
@Suite(.timeLimit(.minutes(5)))
struct HTTPRedirectTests {
    private let get = HTTP.Request(.get, ["x"], token: "t0ken")

    @Test func redirectOfAGet_withinTheServer_isFollowedWithTheToken() async throws {
        let (answer, requests) = try await exchange(
            get, with: .answer(302, headers: "Location: /y\r\n"), .answer(200, "here"))
        #expect(String(decoding: try answer.get().body, as: UTF8.self) == "here")
        #expect(requests.count == 2)
        #expect(requests.last?.hasPrefix("GET /y ") == true)
        #expect(requests.last?.contains("Authorization: Bearer t0ken\r\n") == true)
    }

    @Test(arguments: [301, 302, 307, 308])
    func redirectToAnotherServer_isNotFollowed(status: Int) async throws {
        let stolen = try await ScriptedServer.run([.answer(200)]) { other in
            let location = "Location: \(other.baseURL)/x\r\n"
            let (answer, _) = try await exchange(get, with: .answer(status, "moved", headers: location))
            #expect(throws: HTTP.Failure.status(status, body: "moved")) { try answer.get() }
        }
        #expect(stolen.isEmpty)
    }

    @Test func redirectOfAPut_isNotFollowed() async throws {
        let (answer, requests) = try await exchange(
            HTTP.Request(.put, ["x"]), with: .answer(307, "moved", headers: "Location: /y\r\n"))
        #expect(throws: HTTP.Failure.status(307, body: "moved")) { try answer.get() }
        #expect(requests.count == 1)
    }

    @Test func endlessRedirect_isFollowedFiveTimes_andNotTriedAgain() async throws {
        let (answer, requests) = try await exchange(get, with: .answer(302, headers: "Location: /x\r\n"))
        #expect(throws: HTTP.Failure.status(302, body: "{}")) { try answer.get() }
        #expect(requests.count == 6)
    }
}
